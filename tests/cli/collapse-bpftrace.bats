#!/usr/bin/env bats
# Tests of collapse-bpftrace at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-bpftrace NOTHING=1 LACKS=other_text NEEDS_ARGUMENT=--map LOCALES='--OFFSETS --count'

input()
{
	cat <<'END'
Attaching 1 probe...

@[
    alpha(int)+30
    main+43
, app]: 5
@cpu[
    beta+30
    main+43
, my app]: 7
@[
    gamma+31
    main+43
, app]: 11
END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "@[\n    f%d+1\n    main+43\n, app]: %d\n", i, i + 1
	}'
}

long()
{
	printf '@[\n    f%s+43\n]: 7\n' "$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-bpftrace: it behaves like every collapser" { manners --offsets; }

@test "collapse-bpftrace: options may be abbreviated, with one dash, in any case" {
	check_spellings --offsets -offsets --OFF
	check_spellings '--map cpu' --map=@cpu '-map cpu'
}

@test "collapse-bpftrace: by the older program's name it keeps offsets" {
	ln -s "$BIN/collapse-bpftrace" stackcollapse-bpftrace.pl
	on --offsets good > offsets
	same offsets ./stackcollapse-bpftrace.pl good
}

@test "collapse-bpftrace: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did bpftrace fail"
}

@test "collapse-bpftrace: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-bpftrace: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	printf '@[\n    alpha+1\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says incomplete "--strict"
}
