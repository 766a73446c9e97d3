#!/usr/bin/env bats
# Tests of collapse-stackprof at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-stackprof NOTHING=1

input()
{
	cat <<'END'
{"version":1.2,"mode":"cpu","interval":1000,"samples":5,"gc_samples":0,"missed_samples":0,
"frames":{"8":{"name":"Object#main","file":"/src/a.rb","line":9},
"16":{"name":"Object#alpha","file":"/src/a.rb","line":3},
"24":{"name":"Object#beta","file":"/src/a.rb"}},
"raw":[2,8,16,3,2,8,24,2],
"raw_timestamp_deltas":[990,1001,1002,7,9]}
END
}

big()
{
	awk 'BEGIN {
		printf "{\"mode\":\"wall\",\"missed_samples\":0,\"frames\":{\"0\":{\"name\":\"x\"}"
		for (i = 1; i < 20000; i++) printf ",\"%d\":{\"name\":\"Object#f%d\"}\n", i, i
		printf "},\"raw\":[1,0,1"
		for (i = 1; i < 20000; i++) printf ",1,%d,2\n", i
		printf "],\"raw_timestamp_deltas\":[1000"
		for (i = 1; i < 39999; i++) printf ",1000\n"
		print "]}"
	}'
}

long()
{
	echo '{"mode":"wall","missed_samples":0,"raw":[1,8,1],'
	echo "\"frames\":{\"8\":{\"name\":\"$(xs 1100000)\"}}}"
}

on()
{
	program "$@"
}

@test "collapse-stackprof: --help prints the usage in 80 columns" { check_help; }
@test "collapse-stackprof: --version prints the program's name and version" { check_version; }
@test "collapse-stackprof: an unknown option is an error" { check_bad_option; }
@test "collapse-stackprof: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-stackprof: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-stackprof: -- ends the options" { check_end_of_options; }
@test "collapse-stackprof: - is standard input" { check_dash; }
@test "collapse-stackprof: without a file, it reads standard input" { check_default_input; }
@test "collapse-stackprof: a missing file is an error" { check_missing_file; }
@test "collapse-stackprof: a directory is an error" { check_directory; }
@test "collapse-stackprof: a file without read permission is an error" { check_unreadable; }
@test "collapse-stackprof: binary data are refused" { check_binary; }
@test "collapse-stackprof: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-stackprof: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-stackprof: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-stackprof: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-stackprof: text that is no profile gives a message" { check_text; }
@test "collapse-stackprof: a full disk is an error" { check_full_disk; }
@test "collapse-stackprof: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-stackprof: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-stackprof: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-stackprof: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-stackprof: lines may end in CRLF" { check_crlf; }
@test "collapse-stackprof: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-stackprof: a NUL is a byte like any other" { check_nul; }
@test "collapse-stackprof: a line of 1 MB is read" { check_long_line; }
@test "collapse-stackprof: the locale changes nothing" { check_locales --HEADER --max-depth=1; }
@test "collapse-stackprof: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-stackprof: -o FILE writes to FILE" { check_output; }
@test "collapse-stackprof: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-stackprof: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-stackprof: options may be abbreviated, with one dash, in any case" {
	check_spellings '--weight time' -weight=time --WEIGHT=time '--weigh time'
}

@test "collapse-stackprof: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-stackprof: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-stackprof: --weight list prints the values; an unknown name is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "samples (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-stackprof: a dump without stacks is an error that says how to record them" {
	sed '/raw/d; s/}},$/}}}/' good > bare
	try on bare
	fails 1 'raw: true'
}
