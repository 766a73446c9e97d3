#!/usr/bin/env bats
# Tests of collapse-instruments at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-instruments NOTHING=1

input()
{
	printf 'Weight\tSelf Weight\t\tSymbol Name\n'
	printf '23.00 ms  100.0%%\t-\t \tapp (41)\n'
	printf '23.00 ms  100.0%%\t11.00 ms\t \t main\n'
	printf '5.00 ms   21.7%%\t5.00 ms\t \t  alpha(int)\n'
	printf '7.00 ms   30.4%%\t7.00 ms\t \t  beta\n'
}

big()
{
	awk 'BEGIN {
		print "Weight\tSelf Weight\t\tSymbol Name"
		for (i = 0; i < 20000; i++) printf "%d ms  0.1%%\t%d ms\t \tf%d\n", i + 1, i + 1, i
	}'
}

long()
{
	printf 'Weight\tSelf Weight\t\tSymbol Name\n'
	printf '7.00 ms\t7.00 ms\t \tf%s\n' "$(xs 1100000)"
	printf '7.00 ms\t7.00 ms\t \tbeta\n'
}

on()
{
	program "$@"
}

@test "collapse-instruments: it behaves like every collapser" { manners; }

@test "collapse-instruments: options may be abbreviated, with one dash, in any case" {
	check_spellings '--max-depth 2' --max-depth=2 --MAX=2
}

@test "collapse-instruments: by the older program's name it does the same" {
	plain
	ln -s "$BIN/collapse-instruments" stackcollapse-instruments.pl
	same plain ./stackcollapse-instruments.pl good
}

@test "collapse-instruments: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "Deep Copy"
}

@test "collapse-instruments: other collapsers name it when they get its input" {
	local other
	for other in bpftrace xctrace; do
		"$BIN/collapse-$other" good 2> err && return 1
		grep -q "use collapse-instruments" err
	done
}

@test "collapse-instruments: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	printf '7 parsecs\t7 parsecs\t \tgamma\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
