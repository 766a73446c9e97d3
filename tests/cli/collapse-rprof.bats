#!/usr/bin/env bats
# Tests of collapse-rprof at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-rprof NOTHING=1

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-rprof/basic/input"
}

# Prints many different stacks.
big()
{
	awk 'BEGIN {
		print "sample.interval=20000"
		for (i = 0; i < 20000; i++) printf "\"f%d\" \"main\" \n", i
	}'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	input
	echo "\"$(xs 1100000)\" \"main\" "
}

on()
{
	program "$@"
}

@test "collapse-rprof: it behaves like every collapser" { manners; }

@test "collapse-rprof: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "Rprof(NULL)"
}

@test "collapse-rprof: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo '"main' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}

@test "collapse-rprof: an unknown --weight is an error" {
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
}

@test "collapse-rprof: each input has its own interval and files" {
	printf 'line profiling: sample.interval=10000\n#File 1: a.R\n1#1 "f" \n' > a
	printf 'line profiling: sample.interval=20000\n#File 1: b.R\n1#1 "f" \n' > b
	try on --srcline a b
	now "$status" -eq 0
	now "$output" = "$(printf 'f:a.R:1 10000000\nf:b.R:1 20000000')"
}
