#!/usr/bin/env bats
# Tests of collapse-pyinstrument at the command line; see manners.bash.
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

@test "collapse-pyinstrument: --help prints the usage in 80 columns" { check_help; }
@test "collapse-pyinstrument: --version prints the program's name and version" { check_version; }
@test "collapse-pyinstrument: an unknown option is an error" { check_bad_option; }
@test "collapse-pyinstrument: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-pyinstrument: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-pyinstrument: -- ends the options" { check_end_of_options; }
@test "collapse-pyinstrument: - is standard input" { check_dash; }
@test "collapse-pyinstrument: without a file, it reads standard input" { check_default_input; }
@test "collapse-pyinstrument: a missing file is an error" { check_missing_file; }
@test "collapse-pyinstrument: a directory is an error" { check_directory; }
@test "collapse-pyinstrument: a file without read permission is an error" { check_unreadable; }
@test "collapse-pyinstrument: binary data are refused" { check_binary; }
@test "collapse-pyinstrument: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-pyinstrument: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-pyinstrument: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-pyinstrument: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-pyinstrument: text that is no profile gives a message" { check_text; }
@test "collapse-pyinstrument: a full disk is an error" { check_full_disk; }
@test "collapse-pyinstrument: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-pyinstrument: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-pyinstrument: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-pyinstrument: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-pyinstrument: lines may end in CRLF" { check_crlf; }
@test "collapse-pyinstrument: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-pyinstrument: a line of 1 MB is read" { check_long_line; }
@test "collapse-pyinstrument: the locale changes nothing" { check_locales --HEADER --max-depth=1; }
@test "collapse-pyinstrument: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-pyinstrument: -o FILE writes to FILE" { check_output; }
@test "collapse-pyinstrument: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-pyinstrument: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-pyinstrument: options may be abbreviated, with one dash, in any case" {
	check_spellings '--weight await' -weight=await --WEIGHT=await '--weigh await'
}

@test "collapse-pyinstrument: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-pyinstrument: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-pyinstrument: --weight list prints the values; an unknown name is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "time ns (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-pyinstrument: a session is refused, with the command that converts it" {
	echo '{"frame_records": [[["main"], 0.1]], "sample_count": 3}' > session
	try on session
	fails 1 'pyinstrument --load FILE -r json'
}

@test "collapse-pyinstrument: a tree of a million levels is read" {
	awk 'BEGIN {
		printf "{\"sample_count\": 1,\"root_frame\": "
		for (i = 0; i < 1000000; i++) printf "{\"function\": \"f\",\"time\": 1.0,\"children\": ["
		for (i = 0; i < 1000000; i++) printf "]}"
		print "}"
	}' > deep
	[ "$(on --recursion direct deep)" = 'f 1000000000' ]
}
