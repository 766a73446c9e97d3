#!/usr/bin/env bats
# The manners of collapse-vsprof.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-vsprof NOTHING=1

input()
{
	cat <<'END'
Level,Function Name,Number of Calls,Avg Elapsed Exclusive Time,Module Name,
0,"app.exe",0,0.00,"",
1,"main",1,"2,000.50","app.exe",
2,"alpha(int, char)","1,000",0.50,"app.exe",
3,"beta",7,0.10,"app.exe",
2,"beta",70,0.10,"app.exe",
END
}

big()
{
	input | head -n 3
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "2,\"f%d\",1,1.00,\"a.exe\",\n", i }'
}

long()
{
	input
	echo "2,\"$(xs 1100000)\",1,1.00,\"a.exe\","
}

on()
{
	program "$@"
}

@test "collapse-vsprof: --help" { check_help; }
@test "collapse-vsprof: --version" { check_version; }
@test "collapse-vsprof: bad option" { check_bad_option; }
@test "collapse-vsprof: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-vsprof: argument to an option without one" { check_takes_no_argument --calls --strict; }
@test "collapse-vsprof: -- ends the options" { check_end_of_options; }
@test "collapse-vsprof: - is standard input" { check_dash; }
@test "collapse-vsprof: no file is standard input" { check_default_input; }
@test "collapse-vsprof: missing file" { check_missing_file; }
@test "collapse-vsprof: directory" { check_directory; }
@test "collapse-vsprof: file that cannot be read" { check_unreadable; }
@test "collapse-vsprof: binary input" { check_binary; }
@test "collapse-vsprof: perf.data" { check_perf_data; }
@test "collapse-vsprof: gzip" { check_gzip; }
@test "collapse-vsprof: zstd" { check_zstd; }
@test "collapse-vsprof: compressed input" { check_compressed; }
@test "collapse-vsprof: JSON, and the output of perf report" { check_other_text; }
@test "collapse-vsprof: text that is something else" { check_text; }
@test "collapse-vsprof: full disk" { check_full_disk; }
@test "collapse-vsprof: closed standard output" { check_closed_stdout; }
@test "collapse-vsprof: closed standard input" { check_closed_stdin; }
@test "collapse-vsprof: closed standard error" { check_closed_stderr; }
@test "collapse-vsprof: broken pipe" { check_broken_pipe; }
@test "collapse-vsprof: CRLF" { check_crlf; }
@test "collapse-vsprof: no last newline" { check_no_last_newline; }
@test "collapse-vsprof: NUL" { check_nul; }
@test "collapse-vsprof: line of 1 MB" { check_long_line; }
@test "collapse-vsprof: locales" { check_locales --CALLS --max-depth=1; }
@test "collapse-vsprof: several files" { check_concatenation; }
@test "collapse-vsprof: same input, same bytes" { check_same_bytes; }
@test "collapse-vsprof: -o FILE" { check_output; }
@test "collapse-vsprof: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-vsprof: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-vsprof: spellings of options" {
	check_spellings --calls -calls --CA
}

@test "collapse-vsprof: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-vsprof: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-vsprof: inferno's name counts calls" {
	ln -s "$BIN/collapse-vsprof" inferno-collapse-vsprof
	ln -s "$BIN/collapse-vsprof" stackcollapse-vsprof.pl
	on --calls good > calls
	same calls ./inferno-collapse-vsprof good
	plain
	same plain ./stackcollapse-vsprof.pl good
}
