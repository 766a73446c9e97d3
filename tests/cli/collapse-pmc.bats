#!/usr/bin/env bats
# Tests of collapse-pmc at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-pmc NOTHING=1

input()
{
	cat <<'END'
@ unhalted-cycles [23 samples]

21.74%  [5]        alpha(int) @ /usr/local/bin/my app
 100.0%  [5]        main
30.43%  [7]        beta @ /usr/local/bin/my app
 100.0%  [7]        main
47.83%  [11]       gamma @ /usr/local/bin/my app
 100.0%  [11]       main
END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "01.00%%  [%d]  f%d @ /bin/app\n 100.0%%  [%d]  main\n", i + 2, i, i + 1
	}'
}

long()
{
	printf '50.00%%  [7]  f%s\n' "$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-pmc: it behaves like every collapser" { manners; }

@test "collapse-pmc: options may be abbreviated, with one dash, in any case" {
	check_spellings '--max-depth 1' --max-depth=1 --MAX=1
}

@test "collapse-pmc: by the older program's name it does the same" {
	plain
	ln -s "$BIN/collapse-pmc" stackcollapse-pmc.pl
	same plain ./stackcollapse-pmc.pl good
}

@test "collapse-pmc: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did pmcstat fail"
}

@test "collapse-pmc: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-pmc: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo '50.00% [x] alpha' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
