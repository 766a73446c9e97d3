#!/usr/bin/env bats
# The manners of collapse-massif.
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

@test "collapse-massif: --help" { check_help; }
@test "collapse-massif: --version" { check_version; }
@test "collapse-massif: bad option" { check_bad_option; }
@test "collapse-massif: missing argument" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-massif: argument to an option without one" { check_takes_no_argument --srcline --strict; }
@test "collapse-massif: -- ends the options" { check_end_of_options; }
@test "collapse-massif: - is standard input" { check_dash; }
@test "collapse-massif: no file is standard input" { check_default_input; }
@test "collapse-massif: missing file" { check_missing_file; }
@test "collapse-massif: directory" { check_directory; }
@test "collapse-massif: file that cannot be read" { check_unreadable; }
@test "collapse-massif: binary input" { check_binary; }
@test "collapse-massif: perf.data" { check_perf_data; }
@test "collapse-massif: gzip" { check_gzip; }
@test "collapse-massif: zstd" { check_zstd; }
@test "collapse-massif: compressed input" { check_compressed; }
@test "collapse-massif: JSON, and the output of perf report" { check_other_text; }
@test "collapse-massif: text that is something else" { check_text; }
@test "collapse-massif: full disk" { check_full_disk; }
@test "collapse-massif: closed standard output" { check_closed_stdout; }
@test "collapse-massif: closed standard input" { check_closed_stdin; }
@test "collapse-massif: closed standard error" { check_closed_stderr; }
@test "collapse-massif: broken pipe" { check_broken_pipe; }
@test "collapse-massif: CRLF" { check_crlf; }
@test "collapse-massif: no last newline" { check_no_last_newline; }
@test "collapse-massif: NUL" { check_nul; }
@test "collapse-massif: line of 1 MB" { check_long_line; }
@test "collapse-massif: locales" { check_locales --HEADER --snapshot=last; }
@test "collapse-massif: several files" { check_concatenation; }
@test "collapse-massif: same input, same bytes" { check_same_bytes; }
@test "collapse-massif: -o FILE" { check_output; }
@test "collapse-massif: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-massif: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-massif: spellings of options" {
	check_spellings '--snapshot last' -snapshot=last --SNAPSHOT=last '--snap last'
}

@test "collapse-massif: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-massif: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-massif: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "bytes bytes (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-massif: a snapshot that is not there, or no snapshot" {
	try on --snapshot 7 good
	fails 1 'snapshot 7 has no tree of who allocated; those that have: 0, 1'
	sed '/^ *n[0-9]*:/d' good > bare
	try on bare
	fails 1 'snapshot peak has no tree of who allocated; none has'
	for which in first -1 ''; do
		try on --snapshot="$which" good
		fails 2 '--snapshot takes peak, last or a number'
	done
}
