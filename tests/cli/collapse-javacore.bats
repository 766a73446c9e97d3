#!/usr/bin/env bats
# Tests of collapse-javacore at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-javacore NOTHING=1

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-javacore/basic/input"
}

# Prints many different stacks.
big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "3XMTHREADINFO      \"t\" J9VMThread:0x%x, state:R, prio=5\n4XESTACKTRACE                at a/B.f%d(B.java:1)\n", i, i
	}'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	echo '3XMTHREADINFO      "t" J9VMThread:0x1, state:R, prio=5'
	echo "4XESTACKTRACE                at a/B.beta$(xs 1100000)(B.java:1)"
	input
}

on()
{
	program "$@"
}

@test "collapse-javacore: it behaves like every collapser" { manners; }

@test "collapse-javacore: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did Java fail to write the dump"
}

@test "collapse-javacore: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo "4XESTACKTRACE          at app/Nowhere.run(Nowhere.java:1)" >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}

@test "collapse-javacore: with --strict, a dump that ends within the threads is an error" {
	input | head -n 38 > cut.txt
	try on --strict cut.txt
	now "$status" -eq 1
	says "it ends within the threads" "--strict"
}

@test "collapse-javacore: dumps of several files add up, each with its own current thread" {
	old="$BATS_TEST_DIRNAME/../golden/collapse-javacore/old/input"
	on "$old" "$old" > twice
	grep -qx "main;app.Main.main;com.ibm.jvm.Dump.JavaDumpImpl 2" twice
}

@test "collapse-javacore: a dump without running threads names --all-states" {
	sed 's/state:R,/state:P,/' good > parked
	try on parked
	fails 1 parked "no thread was running" "--all-states"
}
