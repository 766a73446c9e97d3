#!/usr/bin/env bats
# Names of programs that run in a container, or behind chroot(2), as seen from outside.
# shellcheck disable=SC2030,SC2031,SC2154 # bats runs a test in a subshell, `try` sets what is read
bats_require_minimum_version 1.5.0
load manners
load libraries

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	inside=$(cd "$BATS_TEST_DIRNAME/../data/live" && pwd)/inside.c || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
	export TMPDIR=$PWD PERF_CONFIG=/dev/null HOME=$PWD/home
	PATH=$BIN:$PATH
	unset PERF
	[ "$(uname -m)" = x86_64 ] || skip "not on x86-64"
	command -v unshare gcc > /dev/null || skip "no unshare or gcc"
	needs_library libelf
	needs_recorder
	user=
	[ "$(id -u)" = 0 ] || user=-r
	# shellcheck disable=SC2086 # nothing, or a word
	unshare $user -m -p -f true 2> /dev/null || skip "no namespaces may be made here"
	mkdir -p root/only root/tmp "root$PWD" home
	compile inner pivot -DPIVOT
	compile inner "root$PWD/work"
	compile outer work
	cp pivot root/only/work
}

teardown()
{
	[ -z "${pid:-}" ] || kill -9 "$pid" 2> /dev/null || true
	[ -z "${map:-}" ] || rm -f "$map"
}

compile()
{
	gcc -O1 -fno-omit-frame-pointer -static -DNAME="$1" -o "$2" "$inside" "${@:3}" ||
		skip "nothing is linked statically here"
}

# contain PATH : runs PATH in namespaces of its own with the folder root as its root,
# and sets $pid to its pid as seen from here.
contain()
{
	# shellcheck disable=SC2086
	unshare $user -m -p -f --kill-child ./pivot "$PWD/root" "$1" 3>&- 2> /dev/null &
	for _ in $(seq 100); do
		pid=$(cat "/proc/$!/task/$!/children" 2> /dev/null)
		pid=${pid% }
		[ -z "$pid" ] || [ ! -e root/tmp/perf-1.map ] || return 0
		sleep 0.1
	done
	return 1
}

# has FUNCTION : checks that it has at least a fifth of the samples in the folded
# stacks.
has()
{
	now "$(awk -v name=";$1 " 'index($0, name) { n += $NF } { all += $NF }
		END { print (n > all / 5) }' folded)" = 1
}

@test "containers: flame -p names programs and JIT code that only the container has" {
	contain /only/work
	try flame -q -e cpu-clock -d 1 -p "$pid" --folded folded
	now "$status" -eq 0
	has inner
	has Compiled:/only/work
	now -z "$stderr"
	try flame -e cpu-clock -d 1 -p "$pid" --keep-data kept --folded folded
	now "$status" -eq 0
	has inner
	has Compiled:/only/work
	[[ $stderr != *container* ]]
	[ "$(collapse-perf -q kept | awk '/;inner / { print "named" }')" = named ]
}

@test "containers: if two files have the same path, the build id chooses" {
	perf record -q -e cpu-clock -o - -- true > /dev/null 2>&1 || skip "perf may not record here"
	contain "$PWD/work"
	perf record -q -g -e cpu-clock -N -p "$pid" -o with.data -- sleep 0.5
	perf record -q -g -e cpu-clock -N -B -p "$pid" -o without.data -- sleep 0.5
	perf record -q -g -e cpu-clock -p "$pid" -o - -- sleep 0.5 > stream
	for file in with.data without.data stream; do
		collapse-perf "$file" > folded 2> stderr
		has inner
		run ! grep outer folded
		[ ! -s stderr ]
	done
	kill -9 "$pid"
	# outside there is another file by now; the build id tells
	for _ in $(seq 50); do [ -e "/proc/$pid" ] || break; sleep 0.1; done
	pid=
	collapse-perf with.data > folded 2> stderr
	run ! grep -e outer -e inner folded
	grep 'work is not the file that ran' stderr
}

@test "containers: flame -p names programs behind chroot" {
	[ -z "$user" ] || skip "only root may call chroot"
	map=
	./work "$PWD/root" /only/work 3>&- &
	pid=$!
	for _ in $(seq 50); do [ ! -e "root/tmp/perf-$pid.map" ] || break; sleep 0.1; done
	try flame -q -e cpu-clock -d 1 -p "$pid" --folded folded
	now "$status" -eq 0
	has inner
	has Compiled:/only/work
}

@test "containers: a perf map that is a link or another user's is not read" {
	contain /only/work
	mv root/tmp/perf-1.map root/tmp/real
	ln -s real root/tmp/perf-1.map
	record-perf -q -e cpu-clock -p "$pid" -d 0.5 -o data
	run collapse-perf data
	[[ $output == *"/tmp/perf-$pid.map is missing or belongs to another user"* ]]
	[[ $output != *Compiled* ]]
	[[ $output == *';inner '* ]]
	[ -z "$user" ] || skip "only root may give files away"
	rm root/tmp/perf-1.map
	mv root/tmp/real root/tmp/perf-1.map
	collapse-perf -q data | grep Compiled
	chown 12345 root/tmp/perf-1.map
	run collapse-perf data
	[[ $output != *Compiled* ]]
}
