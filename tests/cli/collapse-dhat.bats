#!/usr/bin/env bats
# Tests of collapse-dhat at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-dhat NOTHING=1

input()
{
	cat <<'END'
{"dhatFileVersion":2
,"mode":"heap","verb":"Allocated"
,"pps":
 [{"tb":40,"tbk":1
  ,"fs":[1,2]
  }
 ,{"tb":10,"tbk":5
  ,"fs":[3,2]
  }
 ]
,"ftbl":
 ["[root]"
 ,"0x1093BF: alpha (a.c:3)"
 ,"0x10941B: main (a.c:5)"
 ,"0x1093CF: beta (a.c:8)"
 ]
}
END
}

big()
{
	awk 'BEGIN {
		printf "{\"dhatFileVersion\":2,\"pps\":["
		for (i = 0; i < 20000; i++) printf "%s{\"tb\":1,\"tbk\":2,\"fs\":[%d]}\n", i ? "," : "", i
		printf "],\"ftbl\":[\"[root]\""
		for (i = 1; i < 20000; i++) printf ",\"0x1: f%d (a.c:3)\"\n", i
		print "]}"
	}'
}

long()
{
	echo '{"dhatFileVersion":2,"pps":[{"tb":1,"fs":[0]}],'
	echo "\"ftbl\":[\"$(xs 1100000)\"]}"
}

on()
{
	program "$@"
}

@test "collapse-dhat: --help prints the usage in 80 columns" { check_help; }
@test "collapse-dhat: --version prints the program's name and version" { check_version; }
@test "collapse-dhat: an unknown option is an error" { check_bad_option; }
@test "collapse-dhat: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-dhat: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-dhat: -- ends the options" { check_end_of_options; }
@test "collapse-dhat: - is standard input" { check_dash; }
@test "collapse-dhat: without a file, it reads standard input" { check_default_input; }
@test "collapse-dhat: a missing file is an error" { check_missing_file; }
@test "collapse-dhat: a directory is an error" { check_directory; }
@test "collapse-dhat: a file without read permission is an error" { check_unreadable; }
@test "collapse-dhat: binary data are refused" { check_binary; }
@test "collapse-dhat: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-dhat: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-dhat: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-dhat: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-dhat: text that is no profile gives a message" { check_text; }
@test "collapse-dhat: a full disk is an error" { check_full_disk; }
@test "collapse-dhat: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-dhat: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-dhat: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-dhat: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-dhat: lines may end in CRLF" { check_crlf; }
@test "collapse-dhat: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-dhat: a NUL is a byte like any other" { check_nul; }
@test "collapse-dhat: a line of 1 MB is read" { check_long_line; }
@test "collapse-dhat: the locale changes nothing" { check_locales --HEADER --max-depth=1; }
@test "collapse-dhat: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-dhat: -o FILE writes to FILE" { check_output; }
@test "collapse-dhat: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-dhat: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-dhat: options may be abbreviated, with one dash, in any case" {
	check_spellings '--weight tbk' -weight=tbk --WEIGHT=tbk '--weigh tbk'
}

@test "collapse-dhat: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-dhat: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-dhat: --weight list prints the values; an unknown name is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "tb bytes (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

