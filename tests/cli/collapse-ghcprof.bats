#!/usr/bin/env bats
# The manners of collapse-ghcprof.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-ghcprof NOTHING=1

input()
{
	cat <<'END'
COST CENTRE MODULE SRC        no. entries  %time %alloc   %time %alloc  ticks  bytes

MAIN        MAIN   <built-in>   1       0    2.0    0.0   100.0  100.0      2     70
 main       Main   a.hs:1:1     2       1   18.0    9.9    98.0  100.0     18    910
  alpha     Main   a.hs:9:1     3       7   40.0   40.0    40.0   40.0     40   4000
  beta      Lib    b.hs:9:1     4       8   40.0   50.1    40.0   50.1     41   5010

END
}

big()
{
	input | head -n 3
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf " f%-10dMain   a.hs:1:1     2       1   18.0    9.9    98.0  100.0     18    910\n", i
	}'
}

long()
{
	input | head -n 3
	echo " $(xs 1100000) Main a.hs:1:1 2 1 18.0 9.9 98.0 100.0 18 910"
}

on()
{
	program "$@"
}

@test "collapse-ghcprof: --help" { check_help; }
@test "collapse-ghcprof: --version" { check_version; }
@test "collapse-ghcprof: bad option" { check_bad_option; }
@test "collapse-ghcprof: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-ghcprof: argument to an option without one" { check_takes_no_argument --ticks --alloc --strict; }
@test "collapse-ghcprof: -- ends the options" { check_end_of_options; }
@test "collapse-ghcprof: - is standard input" { check_dash; }
@test "collapse-ghcprof: no file is standard input" { check_default_input; }
@test "collapse-ghcprof: missing file" { check_missing_file; }
@test "collapse-ghcprof: directory" { check_directory; }
@test "collapse-ghcprof: file that cannot be read" { check_unreadable; }
@test "collapse-ghcprof: binary input" { check_binary; }
@test "collapse-ghcprof: perf.data" { check_perf_data; }
@test "collapse-ghcprof: gzip" { check_gzip; }
@test "collapse-ghcprof: zstd" { check_zstd; }
@test "collapse-ghcprof: compressed input" { check_compressed; }
@test "collapse-ghcprof: JSON, and the output of perf report" { check_other_text; }
@test "collapse-ghcprof: text that is something else" { check_text; }
@test "collapse-ghcprof: full disk" { check_full_disk; }
@test "collapse-ghcprof: closed standard output" { check_closed_stdout; }
@test "collapse-ghcprof: closed standard input" { check_closed_stdin; }
@test "collapse-ghcprof: closed standard error" { check_closed_stderr; }
@test "collapse-ghcprof: broken pipe" { check_broken_pipe; }
@test "collapse-ghcprof: CRLF" { check_crlf; }
@test "collapse-ghcprof: no last newline" { check_no_last_newline; }
@test "collapse-ghcprof: NUL" { check_nul; }
@test "collapse-ghcprof: line of 1 MB" { check_long_line; }
@test "collapse-ghcprof: locales" { check_locales --TICKS --alloc; }
@test "collapse-ghcprof: several files" { check_concatenation; }
@test "collapse-ghcprof: same input, same bytes" { check_same_bytes; }
@test "collapse-ghcprof: -o FILE" { check_output; }
@test "collapse-ghcprof: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-ghcprof: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-ghcprof: spellings of options" {
	check_spellings --ticks -ticks --TIC
	check_spellings --bytes --BYTES '--time --bytes'
	check_spellings --alloc --al '--ticks --bytes --alloc'
}

@test "collapse-ghcprof: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-ghcprof: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-ghcprof: no column of ticks" {
	sed 's/  ticks  bytes//; s/ *[0-9]* *[0-9]*$//' good > it
	try on --ticks it
	fails 1 it "+RTS -P"
	on it > out
	same out on good
}
