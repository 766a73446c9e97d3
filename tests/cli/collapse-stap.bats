#!/usr/bin/env bats
# Tests of collapse-stap at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-stap NOTHING=1 LOCALES='--RECURSION=direct --max-depth=1'

input()
{
	cat <<'END'
 0xffffffff8103ce3b : alpha(int)+0xb/0x10 [kernel]
 0xffffffff81013236 : main+0xd6/0x120 [kernel]
	5
 0x400abc : beta+0x5/0x20 [/usr/bin/my app]
 0xffffffff81013236 : main+0xd6/0x120 [kernel]
	7
 0x400abc : gamma+0x5/0x20 [/usr/bin/my app]
 0xffffffff81013236 : main+0xd6/0x120 [kernel]
	11
END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf " 0x%x : f%d+0x1/0x2 [app]\n 0x4f : main+0x1/0x2 [app]\n\t%d\n", i, i, i + 1
	}'
}

long()
{
	printf ' 0x4f : f%s+0x1/0x2 [app]\n\t7\n' "$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-stap: it behaves like every collapser" { manners; }

@test "collapse-stap: options may be abbreviated, with one dash, in any case" {
	check_spellings '--max-depth 1' --max-depth=1 --MAX=1
}

@test "collapse-stap: by the older program's name it does the same" {
	plain
	ln -s "$BIN/collapse-stap" stackcollapse-stap.pl
	same plain ./stackcollapse-stap.pl good
}

@test "collapse-stap: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did stap fail"
}

@test "collapse-stap: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-stap: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	echo ' 0x400abc : alpha+0x5/0x20 [app]' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says incomplete "--strict"
}
