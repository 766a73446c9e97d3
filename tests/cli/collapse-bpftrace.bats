#!/usr/bin/env bats
# The manners of collapse-bpftrace.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-bpftrace NOTHING=1

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

@test "collapse-bpftrace: --help" { check_help; }
@test "collapse-bpftrace: --version" { check_version; }
@test "collapse-bpftrace: bad option" { check_bad_option; }
@test "collapse-bpftrace: missing argument" { check_needs_argument --map --keep; }
@test "collapse-bpftrace: argument to an option without one" { check_takes_no_argument --offsets --strict; }
@test "collapse-bpftrace: -- ends the options" { check_end_of_options; }
@test "collapse-bpftrace: - is standard input" { check_dash; }
@test "collapse-bpftrace: no file is standard input" { check_default_input; }
@test "collapse-bpftrace: missing file" { check_missing_file; }
@test "collapse-bpftrace: directory" { check_directory; }
@test "collapse-bpftrace: file that cannot be read" { check_unreadable; }
@test "collapse-bpftrace: binary input" { check_binary; }
@test "collapse-bpftrace: perf.data" { check_perf_data; }
@test "collapse-bpftrace: compressed input" { check_compressed; }
@test "collapse-bpftrace: text that is something else" { check_text; }
@test "collapse-bpftrace: full disk" { check_full_disk; }
@test "collapse-bpftrace: closed standard output" { check_closed_stdout; }
@test "collapse-bpftrace: closed standard input" { check_closed_stdin; }
@test "collapse-bpftrace: closed standard error" { check_closed_stderr; }
@test "collapse-bpftrace: broken pipe" { check_broken_pipe; }
@test "collapse-bpftrace: CRLF" { check_crlf; }
@test "collapse-bpftrace: NUL" { check_nul; }
@test "collapse-bpftrace: line of 1 MB" { check_long_line; }
@test "collapse-bpftrace: locales" { check_locales --OFFSETS --count; }
@test "collapse-bpftrace: several files" { check_concatenation; }
@test "collapse-bpftrace: same input, same bytes" { check_same_bytes; }

@test "collapse-bpftrace: spellings of options" {
	check_spellings --offsets -offsets --OFF
	check_spellings '--map cpu' --map=@cpu '-map cpu'
}

@test "collapse-bpftrace: the older name keeps offsets" {
	ln -s "$BIN/collapse-bpftrace" stackcollapse-bpftrace.pl
	on --offsets good > offsets
	same offsets ./stackcollapse-bpftrace.pl good
}

@test "collapse-bpftrace: empty input" {
	: > empty
	try on empty
	fails 1 empty "did bpftrace fail"
}

@test "collapse-bpftrace: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-bpftrace: --strict" {
	on --strict good > out
	printf '@[\n    alpha+1\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says incomplete "--strict"
}
