#!/usr/bin/env bats
# The manners of collapse-dhat.
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

@test "collapse-dhat: --help" { check_help; }
@test "collapse-dhat: --version" { check_version; }
@test "collapse-dhat: bad option" { check_bad_option; }
@test "collapse-dhat: missing argument" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-dhat: argument to an option without one" { check_takes_no_argument --srcline --strict; }
@test "collapse-dhat: -- ends the options" { check_end_of_options; }
@test "collapse-dhat: - is standard input" { check_dash; }
@test "collapse-dhat: no file is standard input" { check_default_input; }
@test "collapse-dhat: missing file" { check_missing_file; }
@test "collapse-dhat: directory" { check_directory; }
@test "collapse-dhat: file that cannot be read" { check_unreadable; }
@test "collapse-dhat: binary input" { check_binary; }
@test "collapse-dhat: perf.data" { check_perf_data; }
@test "collapse-dhat: gzip" { check_gzip; }
@test "collapse-dhat: zstd" { check_zstd; }
@test "collapse-dhat: compressed input" { check_compressed; }
@test "collapse-dhat: text that is something else" { check_text; }
@test "collapse-dhat: full disk" { check_full_disk; }
@test "collapse-dhat: closed standard output" { check_closed_stdout; }
@test "collapse-dhat: closed standard input" { check_closed_stdin; }
@test "collapse-dhat: closed standard error" { check_closed_stderr; }
@test "collapse-dhat: broken pipe" { check_broken_pipe; }
@test "collapse-dhat: CRLF" { check_crlf; }
@test "collapse-dhat: no last newline" { check_no_last_newline; }
@test "collapse-dhat: NUL" { check_nul; }
@test "collapse-dhat: line of 1 MB" { check_long_line; }
@test "collapse-dhat: locales" { check_locales --HEADER --max-depth=1; }
@test "collapse-dhat: same input, same bytes" { check_same_bytes; }
@test "collapse-dhat: -o FILE" { check_output; }
@test "collapse-dhat: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-dhat: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-dhat: spellings of options" {
	check_spellings '--weight tbk' -weight=tbk --WEIGHT=tbk '--weigh tbk'
}

@test "collapse-dhat: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-dhat: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-dhat: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "tb bytes (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}

