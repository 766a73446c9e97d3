#!/usr/bin/env bats
# The manners of collapse-pyinstrument.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-pyinstrument NOTHING=1

input()
{
	cat <<'END'
{"start_time": 1795395117.200135,"duration": 1.5,"sample_count": 9,"root_frame":
{"function": "<module>","file_path": "a.py","line_no": 1,"time": 1.5,"await_time": 0.5,"children":
[{"function": "alpha","file_path": "a.py","line_no": 7,"time": 1.25,"await_time": 0.25,"children": []},
{"function": "beta","file_path": "a.py","line_no": 9,"time": 0.125,"await_time": 0.0,"children": []}]}}
END
}

big()
{
	awk 'BEGIN {
		printf "{\"sample_count\": 1,\"root_frame\": {\"function\": \"main\",\"time\": 30000,\"children\": ["
		for (i = 0; i < 20000; i++)
			printf "%s{\"function\": \"f%d\",\"time\": 1.000001,\"children\": []}\n", i ? "," : "", i
		print "]}}"
	}'
}

long()
{
	echo '{"sample_count": 1,"root_frame": {"time": 1.0,"children": [],'
	echo "\"function\": \"$(xs 1100000)\"}}"
}

on()
{
	program "$@"
}

@test "collapse-pyinstrument: --help" { check_help; }
@test "collapse-pyinstrument: --version" { check_version; }
@test "collapse-pyinstrument: bad option" { check_bad_option; }
@test "collapse-pyinstrument: missing argument" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-pyinstrument: argument to an option without one" { check_takes_no_argument --srcline --strict; }
@test "collapse-pyinstrument: -- ends the options" { check_end_of_options; }
@test "collapse-pyinstrument: - is standard input" { check_dash; }
@test "collapse-pyinstrument: no file is standard input" { check_default_input; }
@test "collapse-pyinstrument: missing file" { check_missing_file; }
@test "collapse-pyinstrument: directory" { check_directory; }
@test "collapse-pyinstrument: file that cannot be read" { check_unreadable; }
@test "collapse-pyinstrument: binary input" { check_binary; }
@test "collapse-pyinstrument: perf.data" { check_perf_data; }
@test "collapse-pyinstrument: gzip" { check_gzip; }
@test "collapse-pyinstrument: zstd" { check_zstd; }
@test "collapse-pyinstrument: compressed input" { check_compressed; }
@test "collapse-pyinstrument: text that is something else" { check_text; }
@test "collapse-pyinstrument: full disk" { check_full_disk; }
@test "collapse-pyinstrument: closed standard output" { check_closed_stdout; }
@test "collapse-pyinstrument: closed standard input" { check_closed_stdin; }
@test "collapse-pyinstrument: closed standard error" { check_closed_stderr; }
@test "collapse-pyinstrument: broken pipe" { check_broken_pipe; }
@test "collapse-pyinstrument: CRLF" { check_crlf; }
@test "collapse-pyinstrument: no last newline" { check_no_last_newline; }
@test "collapse-pyinstrument: line of 1 MB" { check_long_line; }
@test "collapse-pyinstrument: locales" { check_locales --HEADER --max-depth=1; }
@test "collapse-pyinstrument: same input, same bytes" { check_same_bytes; }
@test "collapse-pyinstrument: -o FILE" { check_output; }
@test "collapse-pyinstrument: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-pyinstrument: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-pyinstrument: spellings of options" {
	check_spellings '--weight await' -weight=await --WEIGHT=await '--weigh await'
}

@test "collapse-pyinstrument: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-pyinstrument: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-pyinstrument: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "time ns (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-pyinstrument: a session" {
	echo '{"frame_records": [[["main"], 0.1]], "sample_count": 3}' > session
	try on session
	fails 1 'pyinstrument --load FILE -r json'
}

@test "collapse-pyinstrument: a tree of a million levels" {
	awk 'BEGIN {
		printf "{\"sample_count\": 1,\"root_frame\": "
		for (i = 0; i < 1000000; i++) printf "{\"function\": \"f\",\"time\": 1.0,\"children\": ["
		for (i = 0; i < 1000000; i++) printf "]}"
		print "}"
	}' > deep
	[ "$(on --recursion direct deep)" = 'f 1000000000' ]
}
