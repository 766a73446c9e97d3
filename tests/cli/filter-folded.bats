#!/usr/bin/env bats
# Tests of filter-folded at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners
load folded-text

export PROGRAM=filter-folded NOTHING=1

on()
{
	program "$@"
}

@test "filter-folded: --help prints the usage in 80 columns" { check_help; }
@test "filter-folded: --version prints the program's name and version" { check_version; }
@test "filter-folded: an unknown option is an error" { check_bad_option; }
@test "filter-folded: an option without its argument is an error" { check_needs_argument --focus --rules --top --min-percent --from --to --slice; }
@test "filter-folded: an argument to a flag is an error" { check_takes_no_argument --reverse --strip-addresses --no-slice; }
@test "filter-folded: an ambiguous abbreviation is an error" { check_ambiguous --re; }
@test "filter-folded: -- ends the options" { check_end_of_options; }
@test "filter-folded: - is standard input" { check_dash; }
@test "filter-folded: without a file, it reads standard input" { check_default_input; }
@test "filter-folded: a missing file is an error" { check_missing_file; }
@test "filter-folded: a directory is an error" { check_directory; }
@test "filter-folded: a file without read permission is an error" { check_unreadable; }
@test "filter-folded: binary data are refused" { check_binary; }
@test "filter-folded: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "filter-folded: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "filter-folded: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "filter-folded: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "filter-folded: JSON and the output of perf report are refused" { check_other_text; }
@test "filter-folded: profiles of other formats are refused, with the program to use" { check_foreign; }
@test "filter-folded: text that is no profile gives a message" { check_text; }
@test "filter-folded: a full disk is an error" { check_full_disk; }
@test "filter-folded: a closed standard output is an error" { check_closed_stdout; }
@test "filter-folded: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "filter-folded: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "filter-folded: a reader that stops early gets no message" { check_broken_pipe; }
@test "filter-folded: lines may end in CRLF" { check_crlf; }
@test "filter-folded: a last line without a newline is read, with a warning" { check_cut_count; }
@test "filter-folded: a NUL is a byte like any other" { check_nul; }
@test "filter-folded: a line of 1 MB is read" { check_long_line; }
@test "filter-folded: the locale changes nothing" { check_locales --HIDE=ma.n --Rename=s/beta/alpha/; }
@test "filter-folded: several files are read as one" { check_concatenation; }
@test "filter-folded: the same input gives the same bytes" { check_same_bytes; }
@test "filter-folded: -o FILE writes to FILE" { check_output; }
@test "filter-folded: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "filter-folded: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }
@test "filter-folded: a signal leaves the file of -o alone" { check_output_killed; }
@test "filter-folded: output that is also the input is an error" { check_output_is_input; }

@test "filter-folded: options may be abbreviated, with one dash, in any case" {
	check_spellings '--focus beta' --focus=beta '-focus beta' '--foc beta' --FOCUS=beta
	check_spellings '--skip-root 1' --skip-root=1 --skip=1 -sk=1
	check_spellings --strip-addresses --strip -STRIP-addresses
}

@test "filter-folded: empty input is an error" {
	: > empty
	try on empty
	fails 1 "is empty"
	try on empty good
	now "$status" -eq 0
	now "${#lines[@]}" -eq 3
}

@test "filter-folded: an empty result is not an error, but gives a warning" {
	try on --focus nowhere good
	now "$status" -eq 0
	now -z "$output"
	says "'nowhere' matches no frame"
	try on -q --focus nowhere good
	now "$status" -eq 0
	now -z "$stderr"
}

sum()
{
	awk '{ s += $NF } END { print s }'
}

@test "filter-folded: the sum of the counts stays the same" {
	big > many
	for options in '' --hide=main '--hide .' --show=g3 --skip-root=2 --skip-root=9 --trim-below=main \
		--max-depth=1 --recursion=cycles --min-percent=1 --top=3 '--rename s/g.//' --reverse; do
		# shellcheck disable=SC2086
		[ "$(on -q $options many | sum)" -eq 199990000 ] || { echo "$options"; return 1; }
	done
	[ "$(on --focus '^g3$' many | sum)" -eq "$(grep ';g3 ' many | sum)" ]
	[ "$(on --ignore '^g3$' many | sum)" -eq "$(grep -v ';g3 ' many | sum)" ]
}

@test "filter-folded: its options do the same in the collapsers and in flamegraph" {
	perf_text() {
		for i in 1 2 3; do
			printf 'app %d/%d [000] 1.00000%d: 1%d cycles: \n' $i $i $i $i
			printf '\t 10%d leaf_%d+0x1 (/bin/app)\n\t 200 walk+0x1 (/bin/app)\n' $i $i
			printf '\t 200 walk+0x1 (/bin/app)\n\t 300 main+0x1 (/bin/app)\n\n'
		done
	}
	perf_text > perf.txt
	"$BIN/collapse-perf" perf.txt > plain
	while read -r options; do
		# shellcheck disable=SC2086
		program $options plain > wanted
		# shellcheck disable=SC2086
		"$BIN/collapse-perf" $options perf.txt | cmp wanted -
		# shellcheck disable=SC2086
		"$BIN/flamegraph" -q $options plain | "$BIN/flamegraph" --extract | cmp wanted -
	done <<-'END'
		--focus leaf_2
		--ignore leaf_2
		--hide walk|app
		--show leaf|walk
		--show-from walk
		--base walk
		--trim-below walk
		--skip-root 1
		--rename s/leaf_.*/leaf/
		--keep leaf_1$
		--drop leaf_1$
	END
}

@test "filter-folded: a differential profile is filtered in both columns" {
	"$BIN/diff-folded" good <(sed 's/0$/9/' good) > both
	program --skip-root 1 --rename s/beta/alpha/ both > out
	printf '%s\n' 'main;0x7fFf;gamma 7 7' 'main;alpha 100.5 109.5' | cmp - out
	try program both good
	fails 1 "cannot be merged"
}

@test "filter-folded: an SVG is read" {
	"$BIN/flamegraph" -q good > good.svg
	program good > plain
	same plain program good.svg
}

@test "filter-folded: the output of perf report -g folded,count is read" {
	printf '# Overhead  Command\n# ...\n#\n   71.43%%  app\n5 main;alpha\n   28.57%%  app\n2 main;b c\n' > report
	try program report
	now "$status" -eq 0
	now "${lines[0]}" = "main;alpha 5"
	now "${lines[1]}" = "main;b c 2"
	now "${#stderr_lines[@]}" -eq 1
	says "report:5: counts come first"
}

@test "filter-folded: a thousand files are merged" {
	mkdir many
	for i in {1..1000}; do echo "app;main;f$((i % 10)) 2" > many/"$i"; done
	program many/* > out
	[ "$(wc -l < out)" -eq 10 ]
	[ "$(sum < out)" -eq 2000 ]
}

@test "filter-folded: --rules reads patterns from a file, and names the bad line" {
	printf '# names\ns/alpha/beta/\n' > rules
	program --rules rules good > out
	grep -q '^app;main;beta 100.5$' out
	echo 's/(/x/' >> rules
	try program --rules rules good
	fails 2 "rules:3: bad regular expression '('"
	try program --rules no-such-rules good
	fails 2 "no-such-rules: "
}

@test "filter-folded: a pattern that takes too long is an error" {
	echo 'app;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! 3' > slow
	try program --focus '(a+)+$' slow
	fails 1 "--focus: gave up matching"
	try program --rename 's/(a+)+$/x/' slow
	fails 1 "--rename: gave up matching"
}

@test "filter-folded: a deep stack is read whole" {
	{ echo -n app; for i in {1..20000}; do echo -n ";f$i"; done; echo " 1"; } > deep
	program --hide '7$' --reverse --min-percent 1 deep > out
	[ "$(wc -l < out)" -eq 1 ]
	[ "$(wc -c < out)" -gt 90000 ]
}
