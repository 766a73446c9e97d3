#!/usr/bin/env bats
# Tests of collapse-ghcprof at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-ghcprof NOTHING=1 LOCALES='--TICKS --alloc'

input()
{
	cat <<'END'
COST CENTRE MODULE SRC        no. entries  %time %alloc   %time %alloc  ticks  bytes

MAIN        MAIN   <built-in>   1       0    2.0    0.0   100.0  100.0      2     70
 main       Main   a.hs:1:1     2       1   18.0    9.9    98.0  100.0     18    910
  alpha     Main   a.hs:9:1     3       7   40.0   40.0    40.0   40.0     40   4000
  beta      Lib    b.hs:9:1     4       8   40.0   50.1    40.0   50.1     41   5010

END
}

big()
{
	input | head -n 3
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf " f%-10dMain   a.hs:1:1     2       1   18.0    9.9    98.0  100.0     18    910\n", i
	}'
}

long()
{
	input | head -n 3
	echo " $(xs 1100000) Main a.hs:1:1 2 1 18.0 9.9 98.0 100.0 18 910"
}

on()
{
	program "$@"
}

@test "collapse-ghcprof: it behaves like every collapser" { manners --ticks --alloc; }

@test "collapse-ghcprof: options may be abbreviated, with one dash, in any case" {
	check_spellings --ticks -ticks --TIC
	check_spellings --bytes --BYTES '--time --bytes'
	check_spellings --alloc --al '--ticks --bytes --alloc'
}

@test "collapse-ghcprof: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-ghcprof: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-ghcprof: --ticks without a column of ticks is an error" {
	sed 's/  ticks  bytes//; s/ *[0-9]* *[0-9]*$//' good > it
	try on --ticks it
	fails 1 it "+RTS -P"
	on it > out
	same out on good
}
