#!/usr/bin/env bats
# Tests what collapse-jstack does with options, files and broken input.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-jstack NOTHING=1 LOCALES='--ALL-STATES --shorten-pkgs --INCLUDE-TID'

# thread NAME FUNCTION... : prints a running thread, leaf first.
thread()
{
	printf '"%s" #9 prio=5 tid=0x1 nid=0x2 runnable [0x3]\n' "$1"
	printf '   java.lang.Thread.State: RUNNABLE\n'
	shift
	printf '\tat org.example.%s(Main.java:42)\n' "$@"
	echo
}

input()
{
	echo 'Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):'
	echo
	thread main-1 Main.alpha Main.main
	thread main-2 Main.beta Main.main
	thread "other; one" Main.alpha Main.run
	thread idle Object.wait Main.run
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "\"a\" #1 prio=5\n   java.lang.Thread.State: RUNNABLE\n" \
				"\tat A.f%d(A.java:1)\n\tat A.main(A.java:2)\n\n", i
	}'
}

long()
{
	thread main "Main.$(xs 1100000)" Main.main
	input
}

on()
{
	program "$@"
}

@test "collapse-jstack: it behaves like every collapser" { manners --all-states --lines; }

@test "collapse-jstack: options may be abbreviated, with one dash, in any case" {
	check_spellings --all-states -all-states --ALL --all
	check_spellings --no-include-tname -no-include-tname --no-include-tn --noinclude-tname
	check_spellings --include-tid --include-ti '--noinclude-tid --include-tid'
	check_spellings --shorten-pkgs --short -shorten-pkgs '--noshorten-pkgs --shorten-pkgs'
	check_spellings --lines --LINES '--no-lines --lines'
}

@test "collapse-jstack: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did jstack fail"
}

@test "collapse-jstack: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-jstack: a dump without running threads suggests --all-states" {
	thread idle Object.wait Main.run > it
	try on it
	fails 1 it "no thread was running" "--all-states"
	try on --all-states it
	now "$output" = "idle;org.example.Main.run;org.example.Object.wait 1"
}
