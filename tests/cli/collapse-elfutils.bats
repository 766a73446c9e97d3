#!/usr/bin/env bats
# Tests of collapse-elfutils at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-elfutils NOTHING=1 LOCALES='--TID --max-depth=1'

input()
{
	cat <<'END'
PID 2112 - process
TID 2112:
#0  0x00007f44dd390342 alpha(int) - /usr/bin/my app
    /srv/app.cpp:21:108
#1  0x0000558d74b25835 - 1 main - /usr/bin/my app
TID 2113:
#0  0x00007f44dd390342 beta
#1  0x00007f44dd1a71f5 start_thread@@GLIBC_2.34
TID 2114:
#0  0x00007f44dd390342 gamma
#1  0x00007f44dd1a71f5 start_thread@@GLIBC_2.34
END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "#0  0x%x f%d\n#1  0x4f main\n", i, i
	}'
}

long()
{
	printf '#0  0x4f f%s\n\n' "$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-elfutils: it behaves like every collapser" { manners --pid --tid; }

@test "collapse-elfutils: options may be abbreviated, with one dash, in any case" {
	check_spellings --pid -pid --PI
	check_spellings --tid -tid --TI
	check_spellings '--pid --tid' '-tid -pid'
}

@test "collapse-elfutils: by the older program's name it does the same" {
	on --tid good > tid
	ln -s "$BIN/collapse-elfutils" stackcollapse-elfutils.pl
	same tid ./stackcollapse-elfutils.pl --tid good
}

@test "collapse-elfutils: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did eu-stack fail"
}

@test "collapse-elfutils: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}
