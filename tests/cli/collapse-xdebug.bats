#!/usr/bin/env bats
# Tests of collapse-xdebug at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-xdebug NOTHING=1

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-xdebug/basic/input"
}

# Prints many different stacks.
big()
{
	input | head -n 4
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "2\t%d\t0\t0.%06d\t400000\tf%d\t1\t\t/app/a.php\t3\n", i, i + 300, i
	}'
	echo 'TRACE END   [2026-11-29 21:34:04.800649]'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	input | head -n 4
	printf '2\t1\t0\t0.000220\t400000\t%s\t1\t\t/app/a.php\t3\n' "$(xs 1100000)"
	input | tail -n +5
}

on()
{
	program "$@"
}

@test "collapse-xdebug: it behaves like every collapser" { manners; }

@test "collapse-xdebug: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "xdebug.mode=trace"
}

@test "collapse-xdebug: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	printf '1\t0\tI\t0.000239\t249600\t{main}\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}

@test "collapse-xdebug: with --strict, a trace without its end is an error" {
	grep -v 'TRACE END' good > half
	try on --strict half
	now "$status" -eq 1
	says "no line \"TRACE END\"" "--strict"
}

@test "collapse-xdebug: an unknown --weight is an error" {
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
}
