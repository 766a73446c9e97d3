#!/usr/bin/env bats
# Tests of collapse-phpspy at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-phpspy NOTHING=1

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-phpspy/basic/input"
}

# Prints many different stacks.
big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++) printf "0 f%d /a.php:3\n1 <main> /a.php:5\n\n", i
	}'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	printf '0 %s /a.php:3\n\n' "$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-phpspy: it behaves like every collapser" { manners; }

@test "collapse-phpspy: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did phpspy fail"
}

@test "collapse-phpspy: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	printf '0 f /a.php:1\n2 <main> /a.php:1\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
