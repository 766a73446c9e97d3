#!/usr/bin/env bats
# Tests what collapse-callgrind does with options, files and broken input.
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

@test "collapse-callgrind: --help prints the usage in 80 columns" { check_help; }
@test "collapse-callgrind: --version prints the program's name and version" { check_version; }
@test "collapse-callgrind: an unknown option is an error" { check_bad_option; }
@test "collapse-callgrind: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-callgrind: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-callgrind: -- ends the options" { check_end_of_options; }
@test "collapse-callgrind: - is standard input" { check_dash; }
@test "collapse-callgrind: without a file, it reads standard input" { check_default_input; }
@test "collapse-callgrind: a missing file is an error" { check_missing_file; }
@test "collapse-callgrind: a directory is an error" { check_directory; }
@test "collapse-callgrind: a file without read permission is an error" { check_unreadable; }
@test "collapse-callgrind: binary data are refused" { check_binary; }
@test "collapse-callgrind: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-callgrind: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-callgrind: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-callgrind: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-callgrind: JSON and the output of perf report are refused" { check_other_text; }
@test "collapse-callgrind: text that is no profile gives a message" { check_text; }
@test "collapse-callgrind: a full disk is an error" { check_full_disk; }
@test "collapse-callgrind: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-callgrind: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-callgrind: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-callgrind: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-callgrind: lines may end in CRLF" { check_crlf; }
@test "collapse-callgrind: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-callgrind: a NUL is a byte like any other" { check_nul; }
@test "collapse-callgrind: a line of 1 MB is read" { check_long_line; }
@test "collapse-callgrind: the locale changes nothing" { check_locales --DSO --unfold=flat; }
@test "collapse-callgrind: several files are read as one" { check_concatenation; }
@test "collapse-callgrind: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-callgrind: -o FILE writes to FILE" { check_output; }
@test "collapse-callgrind: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-callgrind: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-callgrind: options may be abbreviated, with one dash, in any case" {
	check_spellings '--unfold flat' --unfold=flat -unfold=flat '--UNF flat'
}

@test "collapse-callgrind: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-callgrind: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-callgrind: --weight list prints the values, and an unknown value is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[0]}" = "Ir (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-callgrind: wrong arguments are errors" {
	try on --unfold=up good
	fails 2 unfold up
	for limit in x -1 101 100.1 ''; do
		try on --limit="$limit" good
		fails 2 '--limit takes a percentage from 0 to 100'
	done
	try on --limit=100 good
	now "$status" -eq 0
}

# Each of 60 layers doubles the number of paths, and each call costs more than all
# functions together, so --limit cuts none.
@test "collapse-callgrind: too many call paths are an error" {
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

# The input has 1,200 functions of one object and one file with names of 60 KB.
@test "collapse-callgrind: long names of files and objects are bounded" {
	{
		printf '# callgrind format\nevents: Ir\nob=(1) %s\nfl=(1) %s\n' "$(xs 60000)" "$(xs 60000)"
		printf 'fn=f%d\n1 1\n' {1..1200}
	} > wide
	for option in --dso --srcline; do
		within 100000 "$option" wide 2> messages | tr -d x > found
		[ "$(wc -l < found)" -eq 1200 ]
		[ "$(grep -c '^f[0-9]*[@:] 1$' found)" -eq 1118 ]
		grep "files and objects not shown, because names get too long (82)$" messages
	done
	[ "$(within 20000 wide | wc -l)" -eq 1200 ]
}

@test "collapse-callgrind: long names of cycles are bounded" {
	{
		printf '# callgrind format\nevents: Ir\nfn=(1) %s\n' "$(xs 60000)"
		for i in {1..1300}; do
			printf 'ob=a%d\nfn=(1)\ncob=b%d\ncfn=(1)\ncalls=1 1\n1 5\n' "$i" "$i"
			printf 'ob=b%d\nfn=(1)\n1 1\ncob=a%d\ncfn=(1)\ncalls=1 1\n1 5\n' "$i" "$i"
		done
	} > wide
	within 100000 wide 2> messages | tr -d x > found
	grep -q '^\[cycle of 2\];' found
	grep -q 'cycles shown without a name, because names get too long (182)$' messages
}

@test "collapse-callgrind: --lines is refused" {
	try on --lines good
	fails 2 '--lines does not work here'
}
