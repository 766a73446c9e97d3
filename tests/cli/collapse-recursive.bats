#!/usr/bin/env bats
# The manners of collapse-recursive.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-recursive NOTHING=1

input()
{
	cat <<'END'
app;main;alpha(int);alpha(int) 5
app;main;beta;beta;beta;alpha 7
my app;main;gamma;main;gamma 11
END
}

big()
{
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "app;main;main;f%d %d\n", i, i + 1 }'
}

long()
{
	echo "app;f$(xs 1100000) 7"
	input
}

on()
{
	program "$@"
}

@test "collapse-recursive: --help" { check_help; }
@test "collapse-recursive: --version" { check_version; }
@test "collapse-recursive: bad option" { check_bad_option; }
@test "collapse-recursive: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-recursive: argument to an option without one" { check_takes_no_argument --verbose --strict; }
@test "collapse-recursive: -- ends the options" { check_end_of_options; }
@test "collapse-recursive: - is standard input" { check_dash; }
@test "collapse-recursive: no file is standard input" { check_default_input; }
@test "collapse-recursive: missing file" { check_missing_file; }
@test "collapse-recursive: directory" { check_directory; }
@test "collapse-recursive: file that cannot be read" { check_unreadable; }
@test "collapse-recursive: binary input" { check_binary; }
@test "collapse-recursive: perf.data" { check_perf_data; }
@test "collapse-recursive: compressed input" { check_compressed; }
@test "collapse-recursive: text that is something else" { check_text; }
@test "collapse-recursive: full disk" { check_full_disk; }
@test "collapse-recursive: closed standard output" { check_closed_stdout; }
@test "collapse-recursive: closed standard input" { check_closed_stdin; }
@test "collapse-recursive: closed standard error" { check_closed_stderr; }
@test "collapse-recursive: broken pipe" { check_broken_pipe; }
@test "collapse-recursive: CRLF" { check_crlf; }
@test "collapse-recursive: NUL" { check_nul; }
@test "collapse-recursive: line of 1 MB" { check_long_line; }
@test "collapse-recursive: locales" { check_locales --RECURSION=cycles --drop=beta; }
@test "collapse-recursive: several files" { check_concatenation; }
@test "collapse-recursive: same input, same bytes" { check_same_bytes; }

@test "collapse-recursive: spellings of options" {
	check_spellings '--recursion cycles' --recursion=cycles '-recursion cycles' --rec=cycles
	check_spellings '--max-depth 2' --max-depth=2 --MAX=2
}

@test "collapse-recursive: empty input" {
	: > empty
	try on empty
	fails 1 empty "is empty"
}

@test "collapse-recursive: --strict" {
	on --strict good > out
	echo "no count" >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
