#!/usr/bin/env bats
# Tests of collapse-vsprof at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-vsprof NOTHING=1 LOCALES='--CALLS --max-depth=1'

input()
{
	cat <<'END'
Level,Function Name,Number of Calls,Avg Elapsed Exclusive Time,Module Name,
0,"app.exe",0,0.00,"",
1,"main",1,"2,000.50","app.exe",
2,"alpha(int, char)","1,000",0.50,"app.exe",
3,"beta",7,0.10,"app.exe",
2,"beta",70,0.10,"app.exe",
END
}

big()
{
	input | head -n 3
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "2,\"f%d\",1,1.00,\"a.exe\",\n", i }'
}

long()
{
	input
	echo "2,\"$(xs 1100000)\",1,1.00,\"a.exe\","
}

on()
{
	program "$@"
}

@test "collapse-vsprof: it behaves like every collapser" { manners --calls; }

@test "collapse-vsprof: options may be abbreviated, with one dash, in any case" {
	check_spellings --calls -calls --CA
}

@test "collapse-vsprof: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-vsprof: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-vsprof: by inferno's name it counts calls" {
	ln -s "$BIN/collapse-vsprof" inferno-collapse-vsprof
	ln -s "$BIN/collapse-vsprof" stackcollapse-vsprof.pl
	on --calls good > calls
	same calls ./inferno-collapse-vsprof good
	plain
	same plain ./stackcollapse-vsprof.pl good
}

@test "collapse-vsprof: a chain of levels is bounded" {
	awk 'BEGIN {
		print "Level,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,Exclusive Samples %,Module Name,"
		for (i = 1; i <= 12000; i++)
			printf "%d,\"f\",1,1,1,1,\"m\",\n", i
	}' > chain
	on chain > folded 2> message
	now "$(cat message)" = "collapse-vsprof: stacks with too many frames (5159)"
	now "$(wc -l < folded)" -eq $((12000 - 5159))
}
