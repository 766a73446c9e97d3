#!/usr/bin/env bats
# Tests of collapse-asprof at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-asprof NOTHING=1

golden=$BATS_TEST_DIRNAME/../golden/collapse-asprof

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$golden/basic/input"
}

head_of_page()
{
	printf '<!DOCTYPE html>\n<a>async-profiler</a>\n<script>\n'
}

# Prints many different stacks.
big()
{
	head_of_page
	awk 'BEGIN {
		print "f(0,0,20000,3,\047all\047)"
		for (i = 0; i < 20000; i++) printf "f(1,%d,1,1,\047f%d\047)\n", i, i
	}'
	echo '</html>'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	head_of_page
	printf "f(0,0,9,3,'all')\nf(1,0,4,1,'%s')\nf(1,4,3,1,'alpha')\nf(1,7,2,1,'beta')\n" \
		"$(xs 1100000)"
	echo '</html>'
}

on()
{
	program "$@"
}

@test "collapse-asprof: it behaves like every collapser" { manners; }

@test "collapse-asprof: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did async-profiler fail"
}

@test "collapse-asprof: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	sed 's/^u(33,70)/u(33,/' good > bad
	try on --strict bad
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}

@test "collapse-asprof: with --strict, a page that was cut short is an error" {
	sed '$d' good > short.html
	try on --strict short.html
	now "$status" -eq 1
	says "no end"
}

@test "collapse-asprof: all programs that read folded stacks read a page" {
	local want

	on good > want
	want=$(wc -l < want)
	"$BIN/report-folded" good > report
	grep -q 'Oven.bake' report
	"$BIN/filter-folded" good | grep -cv '^#' > count
	now "$(cat count)" -eq "$want"
	"$BIN/diff-folded" good good > both.folded
	grep -q '^beta 13 13$' both.folded
	"$BIN/flamegraph" good > flame.svg
	"$BIN/flamegraph" --extract flame.svg | grep -v '^#' > again
	cmp want again
	"$BIN/collapse-guess" good > guessed
	cmp want guessed
}

@test "collapse-asprof: a heat map is named, with advice" {
	printf "<!DOCTYPE html>\n<canvas id='heatmap-canvas'></canvas>\n<a>async-profiler</a>\n" > map
	try on map
	fails 1 map "heat map of async-profiler" "collapse-jfr"
}
