#!/usr/bin/env bats
# The manners of collapse-pmc.
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

@test "collapse-pmc: --help" { check_help; }
@test "collapse-pmc: --version" { check_version; }
@test "collapse-pmc: bad option" { check_bad_option; }
@test "collapse-pmc: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-pmc: argument to an option without one" { check_takes_no_argument --verbose --strict; }
@test "collapse-pmc: -- ends the options" { check_end_of_options; }
@test "collapse-pmc: - is standard input" { check_dash; }
@test "collapse-pmc: no file is standard input" { check_default_input; }
@test "collapse-pmc: missing file" { check_missing_file; }
@test "collapse-pmc: directory" { check_directory; }
@test "collapse-pmc: file that cannot be read" { check_unreadable; }
@test "collapse-pmc: binary input" { check_binary; }
@test "collapse-pmc: perf.data" { check_perf_data; }
@test "collapse-pmc: compressed input" { check_compressed; }
@test "collapse-pmc: text that is something else" { check_text; }
@test "collapse-pmc: full disk" { check_full_disk; }
@test "collapse-pmc: closed standard output" { check_closed_stdout; }
@test "collapse-pmc: closed standard input" { check_closed_stdin; }
@test "collapse-pmc: closed standard error" { check_closed_stderr; }
@test "collapse-pmc: broken pipe" { check_broken_pipe; }
@test "collapse-pmc: CRLF" { check_crlf; }
@test "collapse-pmc: NUL" { check_nul; }
@test "collapse-pmc: line of 1 MB" { check_long_line; }
@test "collapse-pmc: locales" { check_locales --RECURSION=direct --drop=beta; }
@test "collapse-pmc: several files" { check_concatenation; }
@test "collapse-pmc: same input, same bytes" { check_same_bytes; }

@test "collapse-pmc: spellings of options" {
	check_spellings '--max-depth 1' --max-depth=1 --MAX=1
}

@test "collapse-pmc: called as the older program" {
	plain
	ln -s "$BIN/collapse-pmc" stackcollapse-pmc.pl
	same plain ./stackcollapse-pmc.pl good
}

@test "collapse-pmc: empty input" {
	: > empty
	try on empty
	fails 1 empty "did pmcstat fail"
}

@test "collapse-pmc: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-pmc: --strict" {
	on --strict good > out
	echo '50.00% [x] alpha' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
