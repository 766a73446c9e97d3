#!/usr/bin/env bats
# The manners of collapse-memray.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-memray NOTHING=1

input()
{
	cat <<'END'
allocator,num_allocations,size,tid,thread_name,stack_trace
MALLOC,1,1340,1,MainThread,alpha;/src/a.py;5|<module>;/src/a.py;9
MMAP,2,70,1,"the ""other"", 2",beta;/src/a.py;7|<module>;/src/a.py;9
END
}

big()
{
	input
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "MALLOC,1,8,1,x,f%d;/src/a.py;5\n", i }'
}

long()
{
	input
	echo "MALLOC,1,8,1,x,$(xs 1100000);/src/a.py;5"
}

on()
{
	program "$@"
}

@test "collapse-memray: --help" { check_help; }
@test "collapse-memray: --version" { check_version; }
@test "collapse-memray: bad option" { check_bad_option; }
@test "collapse-memray: missing argument" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-memray: argument to an option without one" { check_takes_no_argument --srcline --strict; }
@test "collapse-memray: -- ends the options" { check_end_of_options; }
@test "collapse-memray: - is standard input" { check_dash; }
@test "collapse-memray: no file is standard input" { check_default_input; }
@test "collapse-memray: missing file" { check_missing_file; }
@test "collapse-memray: directory" { check_directory; }
@test "collapse-memray: file that cannot be read" { check_unreadable; }
@test "collapse-memray: binary input" { check_binary; }
@test "collapse-memray: perf.data" { check_perf_data; }
@test "collapse-memray: gzip" { check_gzip; }
@test "collapse-memray: zstd" { check_zstd; }
@test "collapse-memray: compressed input" { check_compressed; }
@test "collapse-memray: JSON, and the output of perf report" { check_other_text; }
@test "collapse-memray: text that is something else" { check_text; }
@test "collapse-memray: full disk" { check_full_disk; }
@test "collapse-memray: closed standard output" { check_closed_stdout; }
@test "collapse-memray: closed standard input" { check_closed_stdin; }
@test "collapse-memray: closed standard error" { check_closed_stderr; }
@test "collapse-memray: broken pipe" { check_broken_pipe; }
@test "collapse-memray: CRLF" { check_crlf; }
@test "collapse-memray: no last newline" { check_no_last_newline; }
@test "collapse-memray: line of 1 MB" { check_long_line; }
@test "collapse-memray: locales" { check_locales --HEADER --max-depth=1; }
@test "collapse-memray: several files" { check_concatenation; }
@test "collapse-memray: same input, same bytes" { check_same_bytes; }
@test "collapse-memray: -o FILE" { check_output; }
@test "collapse-memray: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-memray: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-memray: spellings of options" {
	check_spellings '--weight allocations' -weight=allocations --WEIGHT=allocations '--weigh allocations'
}

@test "collapse-memray: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-memray: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-memray: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "size bytes (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}

