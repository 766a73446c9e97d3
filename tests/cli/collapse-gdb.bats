#!/usr/bin/env bats
# Tests of collapse-gdb at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-gdb NOTHING=1 LOCALES='--THREADS --max-depth=1'

input()
{
	cat <<'END'
[New LWP 2113]

Thread 2 (Thread 0x7f44dd11d6c0 (LWP 2113) "my app"):
#0  0x0000558d74b25522 in alpha (s="a) at b") at app.cpp:21
#1  0x00007f44dd1a71f5 in start_thread () from /lib/libc.so.6

Thread 1 (Thread 0x7f44dd7fe740 (LWP 2112) "app"):
#0  beta (n=3) at app.cpp:7
#1  0x0000558d74b25835 in main () at app.cpp:28
#0  gamma (n=3) at app.cpp:8
#1  0x0000558d74b25835 in main () at app.cpp:28
[Inferior 1 (process 2112) detached]
END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "#0  f%d (n=%d) at app.cpp:7\n#1  main () at app.cpp:28\n", i, i
	}'
}

long()
{
	printf 'Thread 1 (LWP 41):\n#0  f%s (n=3) at app.cpp:7\n\n' "$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-gdb: it behaves like every collapser" { manners --threads; }

@test "collapse-gdb: options may be abbreviated, with one dash, in any case" {
	check_spellings --threads -threads --THR
}

@test "collapse-gdb: by the older program's name it does the same" {
	plain
	ln -s "$BIN/collapse-gdb" stackcollapse-gdb.pl
	same plain ./stackcollapse-gdb.pl good
}

@test "collapse-gdb: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did gdb fail"
}

@test "collapse-gdb: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}
