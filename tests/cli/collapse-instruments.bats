#!/usr/bin/env bats
# The manners of collapse-instruments.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-instruments NOTHING=1

input()
{
	printf 'Weight\tSelf Weight\t\tSymbol Name\n'
	printf '23.00 ms  100.0%%\t-\t \tapp (41)\n'
	printf '23.00 ms  100.0%%\t11.00 ms\t \t main\n'
	printf '5.00 ms   21.7%%\t5.00 ms\t \t  alpha(int)\n'
	printf '7.00 ms   30.4%%\t7.00 ms\t \t  beta\n'
}

big()
{
	awk 'BEGIN {
		print "Weight\tSelf Weight\t\tSymbol Name"
		for (i = 0; i < 20000; i++) printf "%d ms  0.1%%\t%d ms\t \tf%d\n", i + 1, i + 1, i
	}'
}

long()
{
	printf 'Weight\tSelf Weight\t\tSymbol Name\n'
	printf '7.00 ms\t7.00 ms\t \tf%s\n' "$(xs 1100000)"
	printf '7.00 ms\t7.00 ms\t \tbeta\n'
}

on()
{
	program "$@"
}

@test "collapse-instruments: --help" { check_help; }
@test "collapse-instruments: --version" { check_version; }
@test "collapse-instruments: bad option" { check_bad_option; }
@test "collapse-instruments: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-instruments: argument to an option without one" { check_takes_no_argument --verbose --strict; }
@test "collapse-instruments: -- ends the options" { check_end_of_options; }
@test "collapse-instruments: - is standard input" { check_dash; }
@test "collapse-instruments: no file is standard input" { check_default_input; }
@test "collapse-instruments: missing file" { check_missing_file; }
@test "collapse-instruments: directory" { check_directory; }
@test "collapse-instruments: file that cannot be read" { check_unreadable; }
@test "collapse-instruments: binary input" { check_binary; }
@test "collapse-instruments: perf.data" { check_perf_data; }
@test "collapse-instruments: compressed input" { check_compressed; }
@test "collapse-instruments: text that is something else" { check_text; }
@test "collapse-instruments: full disk" { check_full_disk; }
@test "collapse-instruments: closed standard output" { check_closed_stdout; }
@test "collapse-instruments: closed standard input" { check_closed_stdin; }
@test "collapse-instruments: closed standard error" { check_closed_stderr; }
@test "collapse-instruments: broken pipe" { check_broken_pipe; }
@test "collapse-instruments: CRLF" { check_crlf; }
@test "collapse-instruments: NUL" { check_nul; }
@test "collapse-instruments: line of 1 MB" { check_long_line; }
@test "collapse-instruments: locales" { check_locales --RECURSION=cycles --drop=beta; }
@test "collapse-instruments: several files" { check_concatenation; }
@test "collapse-instruments: same input, same bytes" { check_same_bytes; }

@test "collapse-instruments: spellings of options" {
	check_spellings '--max-depth 2' --max-depth=2 --MAX=2
}

@test "collapse-instruments: the older name" {
	plain
	ln -s "$BIN/collapse-instruments" stackcollapse-instruments.pl
	same plain ./stackcollapse-instruments.pl good
}

@test "collapse-instruments: empty input" {
	: > empty
	try on empty
	fails 1 empty "Deep Copy"
}

@test "collapse-instruments: the other programs name it" {
	local other
	for other in bpftrace xctrace; do
		"$BIN/collapse-$other" good 2> err && return 1
		grep -q "use collapse-instruments" err
	done
}

@test "collapse-instruments: --strict" {
	on --strict good > out
	printf '7 parsecs\t7 parsecs\t \tgamma\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
