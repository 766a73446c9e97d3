#!/usr/bin/env bats
# Tests of collapse-memray at the command line; see manners.bash.
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

@test "collapse-memray: --help prints the usage in 80 columns" { check_help; }
@test "collapse-memray: --version prints the program's name and version" { check_version; }
@test "collapse-memray: an unknown option is an error" { check_bad_option; }
@test "collapse-memray: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-memray: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-memray: -- ends the options" { check_end_of_options; }
@test "collapse-memray: - is standard input" { check_dash; }
@test "collapse-memray: without a file, it reads standard input" { check_default_input; }
@test "collapse-memray: a missing file is an error" { check_missing_file; }
@test "collapse-memray: a directory is an error" { check_directory; }
@test "collapse-memray: a file without read permission is an error" { check_unreadable; }
@test "collapse-memray: binary data are refused" { check_binary; }
@test "collapse-memray: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-memray: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-memray: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-memray: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-memray: JSON and the output of perf report are refused" { check_other_text; }
@test "collapse-memray: text that is no profile gives a message" { check_text; }
@test "collapse-memray: a full disk is an error" { check_full_disk; }
@test "collapse-memray: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-memray: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-memray: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-memray: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-memray: lines may end in CRLF" { check_crlf; }
@test "collapse-memray: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-memray: a line of 1 MB is read" { check_long_line; }
@test "collapse-memray: the locale changes nothing" { check_locales --HEADER --max-depth=1; }
@test "collapse-memray: several files are read as one" { check_concatenation; }
@test "collapse-memray: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-memray: -o FILE writes to FILE" { check_output; }
@test "collapse-memray: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-memray: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-memray: options may be abbreviated, with one dash, in any case" {
	check_spellings '--weight allocations' -weight=allocations --WEIGHT=allocations '--weigh allocations'
}

@test "collapse-memray: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-memray: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-memray: --weight list prints the values; an unknown name is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "size bytes (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

