#!/usr/bin/env bats
# Tests of collapse-dtrace at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-dtrace NOTHING=1 LOCALES='--OFFSETS --max-depth=1'

input()
{
	cat <<'END'
CPU     ID                    FUNCTION:NAME
  0  41212                        :tick-10s

               41
              app`alpha(int)+0x30
              app`main+0x43
                5
               42
              app`beta+0x30
              app`main+0x43
                7

              app`gamma+0x31
              app`main+0x43
               11
END
}

big()
{
	echo
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "app`f%d+0x1\napp`main+0x43\n%d\n", i, i + 1
	}'
}

long()
{
	printf '\napp`f%s+0x43\n7\n' "$(xs 1100000)"
	input | tail -n +3
}

on()
{
	program "$@"
}

@test "collapse-dtrace: it behaves like every collapser" { manners --offsets --includeoffset; }

@test "collapse-dtrace: options may be abbreviated, with one dash, in any case" {
	check_spellings --offsets -offsets --OFF --includeoffset
}

@test "collapse-dtrace: by an older program's name it does the same" {
	local name
	on --offsets good > offsets
	for name in stackcollapse.pl inferno-collapse-dtrace; do
		ln -s "$BIN/collapse-dtrace" $name
		same offsets ./$name --includeoffset good
	done
	same offsets ./inferno-collapse-dtrace --nthreads 2 --includeoffset good
}

@test "collapse-dtrace: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did dtrace fail"
}

@test "collapse-dtrace: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-dtrace: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	printf 'app`alpha+0x1\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says incomplete "--strict"
}
