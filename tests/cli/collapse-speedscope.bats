#!/usr/bin/env bats
# The manners of collapse-speedscope.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-speedscope NOTHING=1

# profile N [LENGTH] : a sample of each of N frames below the first; the name of one is of
# that length.
profile()
{
	awk -v n="$1" -v length_of="${2:-1}" 'BEGIN {
		printf "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		printf "\"profiles\":[{\"type\":\"sampled\",\"name\":\"main\",\"unit\":\"none\",\"samples\":[[0]"
		for (i = 1; i <= n; i++) printf ",\n[0,%d]", i
		printf "],\"weights\":[1"
		for (i = 1; i <= n; i++) printf ",\n%d", i
		printf "]}],\n\"shared\":{\"frames\":[{\"name\":\"start\"}"
		name = "x"
		while (length(name) < length_of) name = name name
		for (i = 1; i <= n; i++) printf ",\n{\"name\":\"f%d%s\"}", i, i == 3 ? name : ""
		print "]}}"
	}'
}

input()
{
	profile 5
}

big()
{
	profile 20000
}

long()
{
	profile 5 1100000
}

on()
{
	program "$@"
}

# check_two_files : their counts are added up, one with a byte-order mark, too.
check_two_files()
{
	{ printf '\357\273\277'; cat good; } > marked
	on good | sed 's/[0-9]*$/& &/' | awk '{ n = $NF + $(NF - 1); sub(/ [0-9]+ [0-9]+$/, ""); print $0, n }' > twice
	same twice on good marked
}

@test "collapse-speedscope: --help" { check_help; }
@test "collapse-speedscope: --version" { check_version; }
@test "collapse-speedscope: bad option" { check_bad_option; }
@test "collapse-speedscope: missing argument" { check_needs_argument --max-depth --keep --profile; }
@test "collapse-speedscope: argument to an option without one" { check_takes_no_argument --srcline --strict; }
@test "collapse-speedscope: -- ends the options" { check_end_of_options; }
@test "collapse-speedscope: - is standard input" { check_dash; }
@test "collapse-speedscope: no file is standard input" { check_default_input; }
@test "collapse-speedscope: missing file" { check_missing_file; }
@test "collapse-speedscope: directory" { check_directory; }
@test "collapse-speedscope: file that cannot be read" { check_unreadable; }
@test "collapse-speedscope: binary input" { check_binary; }
@test "collapse-speedscope: perf.data" { check_perf_data; }
@test "collapse-speedscope: gzip" { check_gzip; }
@test "collapse-speedscope: zstd" { check_zstd; }
@test "collapse-speedscope: compressed input" { check_compressed; }
@test "collapse-speedscope: text that is something else" { check_text; }
@test "collapse-speedscope: full disk" { check_full_disk; }
@test "collapse-speedscope: closed standard output" { check_closed_stdout; }
@test "collapse-speedscope: closed standard input" { check_closed_stdin; }
@test "collapse-speedscope: closed standard error" { check_closed_stderr; }
@test "collapse-speedscope: broken pipe" { check_broken_pipe; }
@test "collapse-speedscope: CRLF" { check_crlf; }
@test "collapse-speedscope: no last newline" { check_no_last_newline; }
@test "collapse-speedscope: line of 1 MB" { check_long_line; }
@test "collapse-speedscope: locales" { check_locales --HEADER --profile=0; }
@test "collapse-speedscope: several files" { check_two_files; }
@test "collapse-speedscope: same input, same bytes" { check_same_bytes; }
@test "collapse-speedscope: -o FILE" { check_output; }
@test "collapse-speedscope: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-speedscope: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-speedscope: spellings of options" {
	check_spellings --header -header --HEADER --head
}

@test "collapse-speedscope: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-speedscope: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-speedscope: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "weight none (default)" -o "${lines[0]}" = "weight (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}
