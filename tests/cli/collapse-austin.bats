#!/usr/bin/env bats
# Tests of collapse-austin at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-austin NOTHING=1

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-austin/basic/input"
}

# Prints many different stacks.
big()
{
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "P1;T1;a.py:f%d:1 %d\n", i, i + 1 }'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	echo "P1;T1;a.py:f$(xs 1100000):1 7"
	input
}

on()
{
	program "$@"
}

@test "collapse-austin: it behaves like every collapser" { manners; }

@test "collapse-austin: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did austin fail"
}

@test "collapse-austin: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo "P1;T1;a.py:f:1 many" >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}

@test "collapse-austin: an unknown --weight, or two kinds of values, is an error" {
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	sed 's/mode: wall/mode: memory/' good > memory
	try on good memory
	fails 1 "time and memory"
}

@test "collapse-austin: options may be abbreviated, with one dash, in any case" {
	check_spellings '--root tid' --root=thread '-root tid'
}
