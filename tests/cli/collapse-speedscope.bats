#!/usr/bin/env bats
# Tests what collapse-speedscope does with options, files and broken input.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-speedscope NOTHING=1

# profile N [LENGTH] : prints N stacks of two frames. The name of one frame has LENGTH
# bytes or more.
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

# check_two_files : the counts of two files are added up, even if one has a byte-order
# mark.
check_two_files()
{
	{ printf '\357\273\277'; cat good; } > marked
	on good | sed 's/[0-9]*$/& &/' | awk '{ n = $NF + $(NF - 1); sub(/ [0-9]+ [0-9]+$/, ""); print $0, n }' > twice
	same twice on good marked
}

@test "collapse-speedscope: --help prints the usage in 80 columns" { check_help; }
@test "collapse-speedscope: --version prints the program's name and version" { check_version; }
@test "collapse-speedscope: an unknown option is an error" { check_bad_option; }
@test "collapse-speedscope: an option without its argument is an error" { check_needs_argument --max-depth --keep --profile; }
@test "collapse-speedscope: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-speedscope: -- ends the options" { check_end_of_options; }
@test "collapse-speedscope: - is standard input" { check_dash; }
@test "collapse-speedscope: without a file, it reads standard input" { check_default_input; }
@test "collapse-speedscope: a missing file is an error" { check_missing_file; }
@test "collapse-speedscope: a directory is an error" { check_directory; }
@test "collapse-speedscope: a file without read permission is an error" { check_unreadable; }
@test "collapse-speedscope: binary data are refused" { check_binary; }
@test "collapse-speedscope: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-speedscope: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-speedscope: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-speedscope: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-speedscope: text that is no profile gives a message" { check_text; }
@test "collapse-speedscope: a full disk is an error" { check_full_disk; }
@test "collapse-speedscope: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-speedscope: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-speedscope: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-speedscope: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-speedscope: lines may end in CRLF" { check_crlf; }
@test "collapse-speedscope: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-speedscope: a line of 1 MB is read" { check_long_line; }
@test "collapse-speedscope: the locale changes nothing" { check_locales --HEADER --profile=0; }
@test "collapse-speedscope: the counts of several files are added up" { check_two_files; }
@test "collapse-speedscope: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-speedscope: -o FILE writes to FILE" { check_output; }
@test "collapse-speedscope: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-speedscope: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-speedscope: options may be abbreviated, with one dash, in any case" {
	check_spellings --header -header --HEADER --head
}

@test "collapse-speedscope: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-speedscope: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-speedscope: --weight list prints the values, and an unknown value is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "weight none (default)" -o "${lines[0]}" = "weight (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}
