#!/usr/bin/env bats
# Tests what collapse-heaptrack does with options, files and broken input.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-heaptrack NOTHING=1

input()
{
	cat <<'END'
v 10100 2
X ./app
s /usr/bin/app
s main
s beta
i 1000 1 2 0 0
i 2000 1 3 0 0
t 1 0
t 2 1
a 10 2
a 20 1
+ 0
+ 1
- 0
+ 0
- 0
END
}

big()
{
	input
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "s f%d\ni 1 1 %x 0 0\nt %x 1\na 1 %x\n+ %x\n", i, i + 4, i + 3, i + 3, i + 2
	}'
}

long()
{
	input
	printf 's %s\ni 3000 1 4 0 0\nt 3 1\na 100 3\n+ 2\n' "$(xs 1100000)"
}

on()
{
	program "$@"
}

@test "collapse-heaptrack: --help prints the usage in 80 columns" { check_help; }
@test "collapse-heaptrack: --version prints the program's name and version" { check_version; }
@test "collapse-heaptrack: an unknown option is an error" { check_bad_option; }
@test "collapse-heaptrack: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-heaptrack: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-heaptrack: -- ends the options" { check_end_of_options; }
@test "collapse-heaptrack: - is standard input" { check_dash; }
@test "collapse-heaptrack: without a file, it reads standard input" { check_default_input; }
@test "collapse-heaptrack: a missing file is an error" { check_missing_file; }
@test "collapse-heaptrack: a directory is an error" { check_directory; }
@test "collapse-heaptrack: a file without read permission is an error" { check_unreadable; }
@test "collapse-heaptrack: binary data are refused" { check_binary; }
@test "collapse-heaptrack: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-heaptrack: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-heaptrack: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-heaptrack: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-heaptrack: JSON and the output of perf report are refused" { check_other_text; }
@test "collapse-heaptrack: text that is no profile gives a message" { check_text; }
@test "collapse-heaptrack: a full disk is an error" { check_full_disk; }
@test "collapse-heaptrack: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-heaptrack: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-heaptrack: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-heaptrack: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-heaptrack: lines may end in CRLF" { check_crlf; }
@test "collapse-heaptrack: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-heaptrack: a NUL is a byte like any other" { check_nul; }
@test "collapse-heaptrack: a line of 1 MB is read" { check_long_line; }
@test "collapse-heaptrack: the locale changes nothing" { check_locales --HEADER --weight=total; }
@test "collapse-heaptrack: several files are read as one" { check_concatenation; }
@test "collapse-heaptrack: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-heaptrack: -o FILE writes to FILE" { check_output; }
@test "collapse-heaptrack: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-heaptrack: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-heaptrack: options may be abbreviated, with one dash, in any case" {
	check_spellings '--weight allocations' -weight=allocations --WEIGHT=allocations '--weigh allocations'
}

@test "collapse-heaptrack: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-heaptrack: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-heaptrack: --weight list prints the values, and an unknown value is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "peak bytes (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-heaptrack: raw data is refused, with the program to use" {
	printf 'v 10400 3\nx 9 /bin/true\nX ./app\nI 1000 1\nm 1 1\nt 1000 0\n+ 10 1 1000\n' > raw
	try on raw
	fails 1 heaptrack_interpret
}

@test "collapse-heaptrack: lines of functions with long names are bounded" {
	{
		printf 'v 10400 2\nX ./a\ns %s\ns a.c\n' "$(xs 60000)"
		printf 'i 1 1 1 2 %x\n' {1..1400}
		printf 't %x 0\n' {1..1400}
		for i in {1..1400}; do printf 'a 1 %x\n+ %x\n' "$i" "$((i - 1))"; done
	} > wide
	within 150000 --srcline wide 2> messages | tr -d x > found
	[ "$(wc -l < found)" -eq 1119 ]
	[ "$(head -n 1 found)" = " 282" ]
	grep -q 'source lines not shown, because names get too long (282)$' messages
}
