#!/usr/bin/env bats
# Tests of collapse-recursive at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-recursive NOTHING=1

input()
{
	cat <<'END'
app;main;alpha(int);alpha(int) 5
app;main;beta;beta;beta;alpha 7
my app;main;gamma;main;gamma 11
END
}

big()
{
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "app;main;main;f%d %d\n", i, i + 1 }'
}

long()
{
	echo "app;f$(xs 1100000) 7"
	input
}

on()
{
	program "$@"
}

@test "collapse-recursive: it behaves like every collapser" { manners; }

@test "collapse-recursive: options may be abbreviated, with one dash, in any case" {
	check_spellings '--recursion cycles' --recursion=cycles '-recursion cycles' --rec=cycles
	check_spellings '--max-depth 2' --max-depth=2 --MAX=2
}

@test "collapse-recursive: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "is empty"
}

@test "collapse-recursive: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo "no count" >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
