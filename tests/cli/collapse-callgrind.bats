#!/usr/bin/env bats
# The manners of collapse-callgrind.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-callgrind NOTHING=1

input()
{
	cat <<'END'
version: 1
creator: callgrind-3.19.0
events: Ir
fl=(1) a.c
fn=(1) main
+16 20
cfn=(2) alpha'main
calls=1 50
+16 400

fn=(2)
+51 100
cfn=(3) beta'alpha'main
calls=2 20
+51 300

fn=(3)
+20 300
END
}

big()
{
	input
	awk 'BEGIN { for (i = 4; i < 20004; i++) printf "fn=(%d) f%d\n+1 10\n", i, i }'
}

long()
{
	input
	echo "fn=(9) $(xs 1100000)"
	echo '+1 100000'
}

on()
{
	program "$@"
}

@test "collapse-callgrind: --help" { check_help; }
@test "collapse-callgrind: --version" { check_version; }
@test "collapse-callgrind: bad option" { check_bad_option; }
@test "collapse-callgrind: missing argument" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-callgrind: argument to an option without one" { check_takes_no_argument --srcline --strict; }
@test "collapse-callgrind: -- ends the options" { check_end_of_options; }
@test "collapse-callgrind: - is standard input" { check_dash; }
@test "collapse-callgrind: no file is standard input" { check_default_input; }
@test "collapse-callgrind: missing file" { check_missing_file; }
@test "collapse-callgrind: directory" { check_directory; }
@test "collapse-callgrind: file that cannot be read" { check_unreadable; }
@test "collapse-callgrind: binary input" { check_binary; }
@test "collapse-callgrind: perf.data" { check_perf_data; }
@test "collapse-callgrind: gzip" { check_gzip; }
@test "collapse-callgrind: zstd" { check_zstd; }
@test "collapse-callgrind: compressed input" { check_compressed; }
@test "collapse-callgrind: JSON, and the output of perf report" { check_other_text; }
@test "collapse-callgrind: text that is something else" { check_text; }
@test "collapse-callgrind: full disk" { check_full_disk; }
@test "collapse-callgrind: closed standard output" { check_closed_stdout; }
@test "collapse-callgrind: closed standard input" { check_closed_stdin; }
@test "collapse-callgrind: closed standard error" { check_closed_stderr; }
@test "collapse-callgrind: broken pipe" { check_broken_pipe; }
@test "collapse-callgrind: CRLF" { check_crlf; }
@test "collapse-callgrind: no last newline" { check_no_last_newline; }
@test "collapse-callgrind: NUL" { check_nul; }
@test "collapse-callgrind: line of 1 MB" { check_long_line; }
@test "collapse-callgrind: locales" { check_locales --DSO --unfold=flat; }
@test "collapse-callgrind: several files" { check_concatenation; }
@test "collapse-callgrind: same input, same bytes" { check_same_bytes; }
@test "collapse-callgrind: -o FILE" { check_output; }
@test "collapse-callgrind: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-callgrind: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-callgrind: spellings of options" {
	check_spellings '--unfold flat' --unfold=flat -unfold=flat '--UNF flat'
}

@test "collapse-callgrind: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-callgrind: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-callgrind: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "Ir (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-callgrind: options that are wrong" {
	try on --unfold=up good
	fails 2 unfold up
	for limit in x -1 101 100.1 ''; do
		try on --limit="$limit" good
		fails 2 '--limit takes percent, from 0 to 100'
	done
	try on --limit=100 good
	now "$status" -eq 0
}

# Each layer doubles the paths, and each call costs more than all functions do.
@test "collapse-callgrind: paths without end" {
	awk 'BEGIN {
		print "# callgrind format\nevents: Ir"
		for (i = 0; i < 60; i++)
			for (k = 0; k < 2; k++) {
				printf "fn=f%d.%d\n1 1\n", i, k
				for (n = 0; n < 2; n++)
					printf "cfn=f%d.%d\ncalls=1 1\n1 900000000000\n", i + 1, n
			}
		print "fn=f60.0\n1 1\nfn=f60.1\n1 1"
	}' > ladder
	try on ladder
	fails 1 'too many call paths'
	try on --unfold=flat ladder
	now "$status" -eq 0
	now "${#lines[@]}" -eq 122
}

# 1,200 functions of one object and one file, whose names have 60 KB.
@test "collapse-callgrind: what long names of files and objects add has an end" {
	{
		printf '# callgrind format\nevents: Ir\nob=(1) %s\nfl=(1) %s\n' "$(xs 60000)" "$(xs 60000)"
		printf 'fn=f%d\n1 1\n' {1..1200}
	} > wide
	for option in --dso --srcline; do
		within 100000 "$option" wide 2> messages | tr -d x > found
		[ "$(wc -l < found)" -eq 1200 ]
		[ "$(grep -c '^f[0-9]*[@:] 1$' found)" -eq 1118 ]
		grep "long names of files and objects (82)$" messages
	done
	[ "$(within 20000 wide | wc -l)" -eq 1200 ]
}

@test "collapse-callgrind: long names of cycles have an end" {
	{
		printf '# callgrind format\nevents: Ir\nfn=(1) %s\n' "$(xs 60000)"
		for i in {1..1300}; do
			printf 'ob=a%d\nfn=(1)\ncob=b%d\ncfn=(1)\ncalls=1 1\n1 5\n' "$i" "$i"
			printf 'ob=b%d\nfn=(1)\n1 1\ncob=a%d\ncfn=(1)\ncalls=1 1\n1 5\n' "$i" "$i"
		done
	} > wide
	within 100000 wide 2> messages | tr -d x > found
	grep -q '^\[cycle of 2\];' found
	grep -q 'long names of cycles (182)$' messages
}
