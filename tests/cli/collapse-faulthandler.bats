#!/usr/bin/env bats
# The manners of collapse-faulthandler.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-faulthandler NOTHING=1

# stack LINE... : one of a thread, FILE:LINE:FUNCTION.
stack()
{
	local file line function
	echo "Thread 0x00007f1234567700 [cook] (most recent call first):"
	while IFS=: read -r file line function; do
		printf '  File "%s", line %s in %s\n' "$file" "$line" "$function"
	done < <(printf '%s\n' "$@")
	echo
}

input()
{
	echo "Timeout (0:00:00.010000)!"
	stack app.py:3:alpha app.py:9:main
	stack app.py:5:beta app.py:9:main
	stack lib.py:7:gamma app.py:8:beta app.py:9:main
	stack app.py:3:alpha app.py:9:main
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "Thread 0x1 (most recent call first):\n" \
				"  File \"a.py\", line %d in f\n  File \"a.py\", line 1 in g\n", i
	}'
}

long()
{
	stack "app.py:3:f$(xs 1100000)" app.py:9:main
	input
}

on()
{
	program "$@"
}

@test "collapse-faulthandler: --help" { check_help; }
@test "collapse-faulthandler: --version" { check_version; }
@test "collapse-faulthandler: bad option" { check_bad_option; }
@test "collapse-faulthandler: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-faulthandler: argument to an option without one" { check_takes_no_argument --no-lines --threads --strict; }
@test "collapse-faulthandler: -- ends the options" { check_end_of_options; }
@test "collapse-faulthandler: - is standard input" { check_dash; }
@test "collapse-faulthandler: no file is standard input" { check_default_input; }
@test "collapse-faulthandler: missing file" { check_missing_file; }
@test "collapse-faulthandler: directory" { check_directory; }
@test "collapse-faulthandler: file that cannot be read" { check_unreadable; }
@test "collapse-faulthandler: binary input" { check_binary; }
@test "collapse-faulthandler: perf.data" { check_perf_data; }
@test "collapse-faulthandler: gzip" { check_gzip; }
@test "collapse-faulthandler: zstd" { check_zstd; }
@test "collapse-faulthandler: compressed input" { check_compressed; }
@test "collapse-faulthandler: JSON, and the output of perf report" { check_other_text; }
@test "collapse-faulthandler: text that is something else" { check_text; }
@test "collapse-faulthandler: full disk" { check_full_disk; }
@test "collapse-faulthandler: closed standard output" { check_closed_stdout; }
@test "collapse-faulthandler: closed standard input" { check_closed_stdin; }
@test "collapse-faulthandler: closed standard error" { check_closed_stderr; }
@test "collapse-faulthandler: broken pipe" { check_broken_pipe; }
@test "collapse-faulthandler: CRLF" { check_crlf; }
@test "collapse-faulthandler: no last newline" { check_no_last_newline; }
@test "collapse-faulthandler: NUL" { check_nul; }
@test "collapse-faulthandler: line of 1 MB" { check_long_line; }
@test "collapse-faulthandler: locales" { check_locales --NO-LINES --threads; }
@test "collapse-faulthandler: several files" { check_concatenation; }
@test "collapse-faulthandler: same input, same bytes" { check_same_bytes; }
@test "collapse-faulthandler: -o FILE" { check_output; }
@test "collapse-faulthandler: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-faulthandler: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-faulthandler: spellings of options" {
	check_spellings --no-lines -no-lines --NO-L
	check_spellings --threads --THREADS -thr
}

@test "collapse-faulthandler: empty input" {
	: > empty
	try on empty
	fails 1 empty "did faulthandler write"
}

@test "collapse-faulthandler: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-faulthandler: a line that another thread has cut" {
	{ stack app.py:3:alpha app.py:x:main; cat good; } > it
	try on it
	now "$status" -eq 0
	says "1 sample is incomplete" "it:3: 1 line was not understood"
	try on --strict it
	now "$status" -eq 1
	says "--strict"
}
