#!/usr/bin/env bats
# The manners of collapse-jstack.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-jstack NOTHING=1

# thread NAME FUNCTION... : one that runs.
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

@test "collapse-jstack: --help" { check_help; }
@test "collapse-jstack: --version" { check_version; }
@test "collapse-jstack: bad option" { check_bad_option; }
@test "collapse-jstack: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-jstack: argument to an option without one" { check_takes_no_argument --all-states --lines --strict; }
@test "collapse-jstack: -- ends the options" { check_end_of_options; }
@test "collapse-jstack: - is standard input" { check_dash; }
@test "collapse-jstack: no file is standard input" { check_default_input; }
@test "collapse-jstack: missing file" { check_missing_file; }
@test "collapse-jstack: directory" { check_directory; }
@test "collapse-jstack: file that cannot be read" { check_unreadable; }
@test "collapse-jstack: binary input" { check_binary; }
@test "collapse-jstack: perf.data" { check_perf_data; }
@test "collapse-jstack: gzip" { check_gzip; }
@test "collapse-jstack: zstd" { check_zstd; }
@test "collapse-jstack: compressed input" { check_compressed; }
@test "collapse-jstack: JSON, and the output of perf report" { check_other_text; }
@test "collapse-jstack: text that is something else" { check_text; }
@test "collapse-jstack: full disk" { check_full_disk; }
@test "collapse-jstack: closed standard output" { check_closed_stdout; }
@test "collapse-jstack: closed standard input" { check_closed_stdin; }
@test "collapse-jstack: closed standard error" { check_closed_stderr; }
@test "collapse-jstack: broken pipe" { check_broken_pipe; }
@test "collapse-jstack: CRLF" { check_crlf; }
@test "collapse-jstack: no last newline" { check_no_last_newline; }
@test "collapse-jstack: NUL" { check_nul; }
@test "collapse-jstack: line of 1 MB" { check_long_line; }
@test "collapse-jstack: locales" { check_locales --ALL-STATES --shorten-pkgs --INCLUDE-TID; }
@test "collapse-jstack: several files" { check_concatenation; }
@test "collapse-jstack: same input, same bytes" { check_same_bytes; }
@test "collapse-jstack: -o FILE" { check_output; }
@test "collapse-jstack: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-jstack: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-jstack: spellings of options" {
	check_spellings --all-states -all-states --ALL --all
	check_spellings --no-include-tname -no-include-tname --no-include-tn
	check_spellings --include-tid --include-ti
	check_spellings --shorten-pkgs --short -shorten-pkgs
	check_spellings --lines --LINES '--no-lines --lines'
}

@test "collapse-jstack: empty input" {
	: > empty
	try on empty
	fails 1 empty "did jstack fail"
}

@test "collapse-jstack: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-jstack: no thread is running" {
	thread idle Object.wait Main.run > it
	try on it
	fails 1 it "no thread was running" "--all-states"
	try on --all-states it
	now "$output" = "idle;org.example.Main.run;org.example.Object.wait 1"
}
