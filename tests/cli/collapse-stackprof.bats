#!/usr/bin/env bats
# The manners of collapse-stackprof.
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

@test "collapse-stackprof: --help" { check_help; }
@test "collapse-stackprof: --version" { check_version; }
@test "collapse-stackprof: bad option" { check_bad_option; }
@test "collapse-stackprof: missing argument" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-stackprof: argument to an option without one" { check_takes_no_argument --srcline --strict; }
@test "collapse-stackprof: -- ends the options" { check_end_of_options; }
@test "collapse-stackprof: - is standard input" { check_dash; }
@test "collapse-stackprof: no file is standard input" { check_default_input; }
@test "collapse-stackprof: missing file" { check_missing_file; }
@test "collapse-stackprof: directory" { check_directory; }
@test "collapse-stackprof: file that cannot be read" { check_unreadable; }
@test "collapse-stackprof: binary input" { check_binary; }
@test "collapse-stackprof: perf.data" { check_perf_data; }
@test "collapse-stackprof: gzip" { check_gzip; }
@test "collapse-stackprof: zstd" { check_zstd; }
@test "collapse-stackprof: compressed input" { check_compressed; }
@test "collapse-stackprof: text that is something else" { check_text; }
@test "collapse-stackprof: full disk" { check_full_disk; }
@test "collapse-stackprof: closed standard output" { check_closed_stdout; }
@test "collapse-stackprof: closed standard input" { check_closed_stdin; }
@test "collapse-stackprof: closed standard error" { check_closed_stderr; }
@test "collapse-stackprof: broken pipe" { check_broken_pipe; }
@test "collapse-stackprof: CRLF" { check_crlf; }
@test "collapse-stackprof: no last newline" { check_no_last_newline; }
@test "collapse-stackprof: NUL" { check_nul; }
@test "collapse-stackprof: line of 1 MB" { check_long_line; }
@test "collapse-stackprof: locales" { check_locales --HEADER --max-depth=1; }
@test "collapse-stackprof: same input, same bytes" { check_same_bytes; }
@test "collapse-stackprof: -o FILE" { check_output; }
@test "collapse-stackprof: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-stackprof: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-stackprof: spellings of options" {
	check_spellings '--weight time' -weight=time --WEIGHT=time '--weigh time'
}

@test "collapse-stackprof: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-stackprof: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-stackprof: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "samples (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-stackprof: no stacks" {
	sed '/raw/d; s/}},$/}}}/' good > bare
	try on bare
	fails 1 'raw: true'
}
