#!/usr/bin/env bats
# shellcheck disable=SC2016 # programs in other languages are text
# A program gives the same folded stacks no matter which perf of tools/perfs recorded it, which
# one printed it, and which way it came: perf.data, a pipe, or the text of perf script.
bats_require_minimum_version 1.5.0
load libraries

setup_file()
{
	local version perf
	export PERF_CONFIG=/dev/null perfs=$BATS_FILE_TMPDIR/perfs
	while read -r version perf; do
		! "$perf" record -q -N -e cpu-clock -g -o - true > /dev/null 2>&1 || echo "$version $perf"
	done < <("$BATS_TEST_DIRNAME/../../tools/perfs") > "$perfs"
	echo "# perfs: $(cut -d ' ' -f 1 "$perfs" | xargs)" >&3
}

setup()
{
	needs_library libelf
	[ -s "$perfs" ] || skip "no perf may record here"
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	DATA=$(cd "$BATS_TEST_DIRNAME/../data" && pwd) || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
}

# Programs that have a map of their code print its name.
teardown()
{
	grep -sh '^/tmp/perf-[0-9]*[.]map$' ./*.said | xargs rm -f
}

needs()
{
	command -v "$1" > /dev/null || skip "no $1"
}

# c PROGRAM OPTION... : compiles PROGRAM, a source of data/live without its suffix.
c()
{
	needs gcc
	gcc -O2 -fno-omit-frame-pointer -o "$1" "$DATA/live/$1.c" "${@:2}"
}

cxx()
{
	needs g++
	g++ -O2 -fno-omit-frame-pointer -o "$1" "$DATA/live/$1.cpp"
}

rust()
{
	needs rustc
	rustc -O -C force-frame-pointers=yes "${@:2}" "$DATA/live/$1.rs" || skip "rustc builds nothing here"
}

# Each sample is a slice of its own. `only` has further options.
only=()
fold() { "$BIN/collapse-perf" -q --all --slice 1us "${only[@]}" "$@"; }

# record VERSION PERF OPTION... PROGRAM... : records to VERSION.data, and to a pipe that
# is copied to VERSION.stream; folds both. Skips the test if an older perf aborts because
# another process records with build ids at the same time; see `agree`.
record()
{
	local name=$1 perf=$2 options=(-q -N -F 1999 -e cpu-clock)
	{
		"$perf" record "${options[@]}" -o "$name.data" "${@:3}" > "$name.said" 2>&1 &&
			"$perf" record "${options[@]}" -o - "${@:3}" 2>> "$name.said" > "$name.stream"
	} || {
		grep 'assertion failed at util/build-id' "$name.said" || return
		skip "perf $name aborts, because another process records with build ids"
	}
	fold < <(cat "$name.stream") > "$name.stream.folded"
	fold "$name.data" > "$name.data.folded"
}

# same CLASS FILE VERSION PERF : compares FILE, folded, with what that perf prints of
# it. A perf may fail to read another one's recording, or abort. One sample may differ,
# because perf 7.3 takes a wrong frame from a copied stack now and then.
same()
{
	if ! "$4" script --ns --no-inline -i "$2" > text 2> why; then
		echo "# $2 cannot be printed by $3: $(grep -m 1 . why)" >&3
		return
	fi
	compared=$((compared + 1))
	fold text > text.folded
	awk -v name="$2 printed by $3" -v may="$1" -v limit=0.1 -v spare=1 -f "$BATS_TEST_DIRNAME/differences.awk" \
		text.folded "$2.folded" > differences || { cat differences; failed=yes; }
	sed 's/^/# /' differences >&3
}

# agree CLASS OPTION... PROGRAM... : checks that all perfs and all ways agree on the
# program, except for differences of that class. The perfs record one after the other:
# while perf 7 records build ids of mappings, the kernel may give other perfs mappings
# that are marked as having a build id, and older ones abort. The user's cache of
# binaries is left alone.
agree()
{
	local all recorder printer compared=0 failed=
	local -x HOME=$BATS_TEST_TMPDIR
	mapfile -t all < "$perfs"
	for recorder in "${all[@]}"; do
		record "${recorder%% *}" "${recorder#* }" "${@:2}"
	done
	for recorder in "${all[@]}"; do
		same "$1" "${recorder%% *}.stream" "${recorder%% *}" "${recorder#* }"
		for printer in "${all[@]}"; do
			same "$1" "${recorder%% *}.data" "${printer%% *}" "${printer#* }"
		done
	done
	[ "$compared" -gt 0 ] || skip "no perf could print what was recorded"
	[ -z "$failed" ] || { cat ./*.said; return 1; }
}

@test "perfs: tools/perfs lists each working version once, oldest first" {
	mkdir path folder
	for file in path/perf:7.3.4 folder/perf-1:6.12.117 folder/perf-2:7.3.4 folder/perf-3:6.9; do
		printf '#!/bin/sh\necho perf version %s\n' "${file#*:}" > "${file%:*}"
	done
	printf '#!/bin/sh\nexit 1\n' > folder/perf-4
	chmod +x path/perf folder/perf-*
	PATH=$PWD/path:$PATH PERFS=$PWD/folder "$BATS_TEST_DIRNAME/../../tools/perfs" > list
	printf '%s\n' "6.9 $PWD/folder/perf-3" "6.12.117 $PWD/folder/perf-1" "7.3.4 $PWD/path/perf" | diff - list
}

@test "perfs: newer versions of perf are here" {
	[ "$(wc -l < "$perfs")" -gt 1 ] || skip "only one perf here; tools/perfs get downloads newer ones"
}

@test "perfs: C" {
	c plain
	agree '' -g ./plain
}

@test "perfs: C, static" {
	c plain -static
	agree '' -g ./plain
}

@test "perfs: C, stripped" {
	c plain -s
	agree '' -g ./plain
}

@test "perfs: C, copies of stacks" {
	c plain
	agree longer --call-graph dwarf,8192 ./plain
}

@test "perfs: C, linked by LLD, copies of stacks" {
	local own=
	if ! command -v ld.lld > /dev/null; then
		own=$(rustc --print sysroot 2> /dev/null || :)/lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld
		[ -x "$own/ld.lld" ] || skip "no ld.lld"
	fi
	c plain -fomit-frame-pointer -fuse-ld=lld ${own:+"-B$own"}
	agree longer --call-graph dwarf,8192 ./plain
}

@test "perfs: C functions with names of types" {
	c types
	agree '' -g ./types
}

@test "perfs: C++" {
	cxx classes
	agree '' -g ./classes
}

@test "perfs: C++, copies of stacks" {
	cxx classes
	agree longer --call-graph dwarf,8192 ./classes
}

@test "perfs: Rust" {
	rust lists
	agree '' -g ./lists
}

@test "perfs: Rust, v0 names, copies of stacks" {
	rust lists -C symbol-mangling-version=v0
	agree longer --call-graph dwarf,8192 ./lists
}

@test "perfs: Go" {
	needs go
	go build -o crew "$DATA/src/crew.go" || skip "go builds nothing here"
	agree '' -g ./crew
}

@test "perfs: Node.js" {
	needs node
	agree '' -g node --perf-basic-prof-only-functions -e '
		console.log(`/tmp/perf-${process.pid}.map`);
		function weigh(n) { return `${n * 7919 % 20011}`.length; }
		function round() { let sum = 0; for (let i = 0; i < 3e6; i++) sum += weigh(i); return sum; }
		round();'
}

@test "perfs: Node.js, a jitdump like after perf inject" {
	local version perf
	needs node
	while read -r version perf; do
		"$perf" record -q -N -k mono -e cpu-clock -g -o plain.data node --perf-prof \
			--interpreted-frames-native-stack -e '
			function weigh(n) { return `${n * 7919 % 20011}`.length; }
			function round() { let sum = 0; for (let i = 0; i < 3e6; i++) sum += weigh(i); return sum; }
			round();' < /dev/null
		HOME=$PWD "$perf" inject --jit -i plain.data -o injected.data < /dev/null
		fold plain.data > plain
		fold injected.data > injected
		grep -q 'JS:[*+^~]weigh' plain
		cmp plain injected
		rm -f jit* ./*.data
	done < "$perfs"
}

@test "perfs: Python" {
	local python file
	for file in $(type -ap python3) "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python3; do
		! "$file" -X perf -c 'import sys; sys.exit(not sys.is_stack_trampoline_active())' 2> why || python=$file
	done
	[ -n "$python" ] || skip "no Python from 3.12 on"
	agree '' -g "$python" -X perf -c '
import os
print("/tmp/perf-%d.map" % os.getpid())
def weigh(n): return len(str(n * n))
print(sum(weigh(i) for i in range(400000)))'
}

@test "perfs: threads" {
	c threads -lpthread
	agree '' -g ./threads
}

@test "perfs: children, and programs that they become" {
	c fork
	c plain
	agree '' -g ./fork ./plain
}

# Only a recording of the whole machine has samples of them after they have ended.
@test "perfs: processes that end" {
	c exits
	while read -r version perf; do
		"$perf" record -q -N -a -e cpu-clock -o try true > why 2>&1 || skip "perf may not record the machine"
	done < "$perfs"
	only=(--comm exits --show '^exits$|_\[k\]$')
	agree '' -a -g ./exits
}
