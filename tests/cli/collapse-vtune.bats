#!/usr/bin/env bats
# Tests of collapse-vtune at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-vtune NOTHING=1 NEEDS_ARGUMENT=--column LOCALES='--US --no-modules'

input()
{
	cat <<-'END'
		war: Column filter is ON.
		Function Stack,CPU Time:Self,Instructions:Self,Module
		Total,0,0,[Unknown]
		 main,0.5,7,app
		  "alpha(int, int)",0.25,5,libapp.so
		  beta,0.125,3,libapp.so
	END
}

big()
{
	awk 'BEGIN {
		print "Function Stack,CPU Time:Self"
		for (i = 0; i < 20000; i++) printf "f%d,%d\n", i, i + 1
	}'
}

long()
{
	echo "Function Stack,CPU Time:Self"
	echo "f$(xs 1100000),7"
	echo "beta,7"
}

on()
{
	program "$@"
}

@test "collapse-vtune: it behaves like every collapser" { manners --us; }

@test "collapse-vtune: options may be abbreviated, with one dash, in any case" {
	check_spellings '--column Instructions:Self' --column=Instructions:Self '-column Instructions:Self'
	check_spellings --us -us --US
	check_spellings --no-modules -no-modules --no-mod
}

@test "collapse-vtune: by an older program's name it does the same" {
	plain
	ln -s "$BIN/collapse-vtune" stackcollapse-vtune.pl
	ln -s "$BIN/collapse-vtune" inferno-collapse-vtune
	same plain ./stackcollapse-vtune.pl good
	on --no-modules good > names
	same names ./inferno-collapse-vtune --no-modules good
}

@test "collapse-vtune: by the older name for memory it counts allocations" {
	ln -s "$BIN/collapse-vtune" stackcollapse-vtune-mc.pl
	printf '%s\n' 'Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module' \
		'main,4096,0,2,app' > memory
	[ "$(./stackcollapse-vtune-mc.pl memory)" = 'app`main 2' ]
	[ "$(./stackcollapse-vtune-mc.pl --size memory)" = 'app`main 4096' ]
	[ "$(on memory)" = 'app`main 4096' ]
}

@test "collapse-vtune: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did vtune fail"
}

@test "collapse-vtune: other collapsers name it when they get its input" {
	local other
	for other in bpftrace xctrace; do
		"$BIN/collapse-$other" good 2> err && return 1
		grep -q "use collapse-vtune" err
	done
}

@test "collapse-vtune: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo "gamma" >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
