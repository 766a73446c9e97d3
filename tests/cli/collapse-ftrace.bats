#!/usr/bin/env bats
# Tests of collapse-ftrace at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-ftrace NOTHING=1

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-ftrace/basic/input"
}

# Prints many different stacks.
big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf " 0)    app-42      |   %d.000 us    |  f%d();\n", i + 1, i
	}'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	input
	echo " 0)    app-42      |   7.000 us    |  f$(xs 1100000)();"
}

on()
{
	program "$@"
}

@test "collapse-ftrace: it behaves like every collapser" { manners; }

@test "collapse-ftrace: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did the trace end"
}

@test "collapse-ftrace: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo " 0)    app-42      |               |  open() {" >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "functions without a return (1)" "--strict"
}

@test "collapse-ftrace: the total of a function is the time that the trace prints at its end" {
	on good > folded
	now "$(awk '{ sum += $NF } END { print sum }' folded)" -eq 24001
}

@test "collapse-ftrace: --thread keeps a task, --root none leaves its name out" {
	input | sed 's/app-42/sh-7/' | cat good - > both
	on --thread sh --root none both > shell
	on --thread app both > named
	now "$(grep -c '^app;' named)" -eq "$(wc -l < named)"
	cut -d';' -f2- named | cmp - shell
}

@test "collapse-ftrace: traces of other tracers are refused" {
	printf '# tracer: function\n  sh-1 [000] d..1. 12.3: vfs_read <-ksys_read\n' > other
	try on other
	fails 1 other "collapse-ftrace reads only the tracer function_graph"
}
