#!/usr/bin/env bats
# Tests of collapse-massif at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-massif NOTHING=1

input()
{
	cat <<'END'
desc: --massif-out-file=m.out
cmd: ./app
time_unit: i
#-----------
snapshot=0
#-----------
time=0
mem_heap_B=30
mem_heap_extra_B=8
mem_stacks_B=0
heap_tree=peak
n2: 30 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 20 0x1093BF: alpha (a.c:3)
  n0: 20 0x10941B: main (a.c:5)
 n1: 10 0x1093CF: beta (a.c:8)
  n0: 10 0x10941B: main (a.c:5)
snapshot=1
time=9
mem_heap_B=7
mem_heap_extra_B=8
mem_stacks_B=0
heap_tree=detailed
n1: 7 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n0: 7 0x1093BF: alpha (a.c:3)
END
}

big()
{
	input | head -n 11
	awk 'BEGIN {
		print "n20000: 20000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc."
		for (i = 0; i < 20000; i++) printf " n0: 1 0x1: f%d (a.c:3)\n", i
	}'
}

long()
{
	input | head -n 16
	echo " n0: 1 0x1: $(xs 1100000) (a.c:3)"
}

on()
{
	program "$@"
}

@test "collapse-massif: --help prints the usage in 80 columns" { check_help; }
@test "collapse-massif: --version prints the program's name and version" { check_version; }
@test "collapse-massif: an unknown option is an error" { check_bad_option; }
@test "collapse-massif: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-massif: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-massif: -- ends the options" { check_end_of_options; }
@test "collapse-massif: - is standard input" { check_dash; }
@test "collapse-massif: without a file, it reads standard input" { check_default_input; }
@test "collapse-massif: a missing file is an error" { check_missing_file; }
@test "collapse-massif: a directory is an error" { check_directory; }
@test "collapse-massif: a file without read permission is an error" { check_unreadable; }
@test "collapse-massif: binary data are refused" { check_binary; }
@test "collapse-massif: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-massif: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-massif: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-massif: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-massif: JSON and the output of perf report are refused" { check_other_text; }
@test "collapse-massif: text that is no profile gives a message" { check_text; }
@test "collapse-massif: a full disk is an error" { check_full_disk; }
@test "collapse-massif: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-massif: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-massif: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-massif: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-massif: lines may end in CRLF" { check_crlf; }
@test "collapse-massif: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-massif: a NUL is a byte like any other" { check_nul; }
@test "collapse-massif: a line of 1 MB is read" { check_long_line; }
@test "collapse-massif: the locale changes nothing" { check_locales --HEADER --snapshot=last; }
@test "collapse-massif: several files are read as one" { check_concatenation; }
@test "collapse-massif: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-massif: -o FILE writes to FILE" { check_output; }
@test "collapse-massif: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-massif: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-massif: options may be abbreviated, with one dash, in any case" {
	check_spellings '--snapshot last' -snapshot=last --SNAPSHOT=last '--snap last'
}

@test "collapse-massif: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-massif: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-massif: --weight list prints the values; an unknown name is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "bytes bytes (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-massif: a missing snapshot is an error that lists those with a tree" {
	try on --snapshot 7 good
	fails 1 'snapshot 7 has no tree of allocations; these snapshots have one: 0, 1'
	sed '/^ *n[0-9]*:/d' good > bare
	try on bare
	fails 1 'snapshot peak has no tree of allocations; no snapshot has one'
	for which in first -1 ''; do
		try on --snapshot="$which" good
		fails 2 '--snapshot takes peak, last or a number'
	done
}
