#!/usr/bin/env bats
# flame finds callers by itself. Each program says which share of its time it spends
# below a function, and the picture must agree. The last test repeats all of this in a
# container.
# shellcheck disable=SC2030,SC2031,SC2154 # bats runs a test in a subshell, and sets what a command left
bats_require_minimum_version 1.5.0
load manners
load libraries

setup()
{
	needs_library libelf libdw
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	FROM=$(cd "$BATS_TEST_DIRNAME/../data/callers" && pwd) || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
	export TMPDIR=$PWD
	PATH=$BIN:$PATH
	unset PERF NODE_OPTIONS JAVA_TOOL_OPTIONS PYTHONPERFSUPPORT
	[ "$(uname -m)" = x86_64 ] || skip "not on x86-64"
	needs_recorder
}

needs()
{
	command -v "$1" > /dev/null || skip "no $1"
}

# share FUNCTION : prints its share of the folded stacks, in percent. Names of frames
# may have parameters, places and modules around them.
share()
{
	awk -v name="(^|[;:.~* ])$1([ (;:]|\$)" '!/^#/ { count = $NF; sum += count; sub(/ [0-9]+$/, "")
		if ($0 ~ name) of += count } END { printf "%.2f\n", sum ? 100 * of / sum : 0 }' folded
}

# is_near NUMBER NUMBER : checks that they differ by at most 3 points.
is_near()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b <= 3 && b - a <= 3) }'
}

# callers_are_right DIRECT WORD... : runs flame with the words. Its program prints the
# share of first(), which spends almost all of it in its callee DIRECT. A loaded machine
# gets a second try.
callers_are_right()
{
	local direct=$1
	shift
	for _ in 1 2; do
		try flame --folded folded "$@"
		now "$status" -eq 0
		is_near "$(share first)" "$output" && is_near "$(share "$direct")" "$output" && return
	done
	now "first $(share first), $direct $(share "$direct")" = "$output"
}

@test "callers: a C program that calls memcmp" {
	${CC:-cc} -O2 "$FROM/work.c" -o work
	callers_are_right compares -e cpu-clock ./work
	[[ $stderr == *'callers are found '* ]]
	[[ $stderr != *'without frame pointers,'* ]]
	flame -e cpu-clock --call-graph fp ./work > /dev/null 2> said
	[[ $(cat said) == *'are in functions without frame pointers, most of them in '*'--call-graph dwarf'* ]]
}

# Nothing that flame can see before it records lacks frame pointers.
@test "callers: a C program that another one runs" {
	${CC:-cc} -O2 "$FROM/work.c" -o work
	echo 'int execv(const char *, char **); int main(int c, char **v) { return c + execv(v[1], v + 1); }' > start.c
	${CC:-cc} -O1 -fno-omit-frame-pointer start.c -o start
	mkdir bin
	printf '#!/bin/sh\n' > bin/ldd
	chmod +x bin/ldd
	PATH=$PWD/bin:$PATH
	callers_are_right compares -e cpu-clock ./start ./work
}

@test "callers: a C library that Python loads" {
	needs python3
	${CC:-cc} -O2 -fPIC -shared "$FROM/work.c" -o work.so
	callers_are_right compares -e cpu-clock python3 -c 'import ctypes; ctypes.CDLL("./work.so").main()'
}

@test "callers: a C program that waits in nanosleep" {
	[ -r /sys/kernel/tracing/events/sched ] || skip "no tracepoints"
	${CC:-cc} -O2 "$FROM/waits.c" -o waits
	callers_are_right first --off-cpu ./waits
	is_near "$(share sleeps)" 100
}

@test "callers: a stripped C++ program" {
	command -v "${CXX:-c++}" > /dev/null || skip "no C++"
	${CXX:-c++} -O2 -rdynamic -s "$FROM/work.cpp" -o work
	callers_are_right compares -e cpu-clock ./work
}

@test "callers: a Rust program" {
	needs rustc
	rustc -O "$FROM/work.rs" -o work || skip "rustc builds nothing here"
	callers_are_right compares -e cpu-clock ./work
}

@test "callers: a Go program" {
	needs go
	go build -o work "$FROM/work.go" || skip "go builds nothing here"
	callers_are_right first -e cpu-clock ./work
	[[ $stderr == *'callers are found by frame pointers (--call-graph fp): Go keeps them'* ]]
	[[ $stderr != *'stacks will be short'* ]]
	# its direct callee spends its time in assembly
	callers_are_right compares -e cpu-clock --call-graph dwarf ./work
}

@test "callers: a Node.js program" {
	needs node
	callers_are_right compares -e cpu-clock node --perf-basic-prof --interpreted-frames-native-stack "$FROM/work.js"
}

# The first Python from 3.12 on, with the means to tell perf the names of its functions.
find_python()
{
	local file
	for file in $(type -ap python3.14 python3.13 python3.12 python3) "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python3; do
		python=$file
		"$file" -X perf -c 'import sys; sys.exit(not sys.is_stack_trampoline_active())' 2> /dev/null && return
	done
	skip "no Python from 3.12 on"
}

@test "callers: a Python program" {
	find_python
	callers_are_right sorts -e cpu-clock "$python" -X perf "$FROM/work.py"
}

@test "callers: the same programs in a container" {
	local contain=$BATS_TEST_DIRNAME/../tools/contain top passed
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	"$contain" -- true 2> why || skip "no container can be made here: $(tail -n 1 why)"
	run "$contain" "$top" "$BIN" -- env -i HOME="$HOME" PATH="$PATH" BIN="$BIN" CC="${CC-}" CXX="${CXX-}" \
		"$BATS_ROOT/bin/bats" --tap -f '^callers: a ' "$top/tests/cli/callers.bats"
	sed -n 's/.* # skip/# in the container:&/p' <<< "$output" >&3
	now "$status" -eq 0
	passed=$(grep -c -v -e '# skip' -e '^1\.\.' <<< "$output") || skip "all are skipped in the container"
	[ "$passed" -gt 0 ]
}
