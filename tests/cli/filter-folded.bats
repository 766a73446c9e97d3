#!/usr/bin/env bats
# The manners of filter-folded.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners
load folded-text

export PROGRAM=filter-folded NOTHING=1

on()
{
	program "$@"
}

@test "filter-folded: --help" { check_help; }
@test "filter-folded: --version" { check_version; }
@test "filter-folded: bad option" { check_bad_option; }
@test "filter-folded: missing argument" { check_needs_argument --focus --rules --top --min-percent --from --to --slice; }
@test "filter-folded: argument to an option without one" { check_takes_no_argument --reverse --strip-addresses --no-slice; }
@test "filter-folded: ambiguous option" { check_ambiguous --re; }
@test "filter-folded: -- ends the options" { check_end_of_options; }
@test "filter-folded: - is standard input" { check_dash; }
@test "filter-folded: no file is standard input" { check_default_input; }
@test "filter-folded: missing file" { check_missing_file; }
@test "filter-folded: directory" { check_directory; }
@test "filter-folded: file that cannot be read" { check_unreadable; }
@test "filter-folded: binary input" { check_binary; }
@test "filter-folded: perf.data" { check_perf_data; }
@test "filter-folded: gzip input" { check_gzip; }
@test "filter-folded: zstd input" { check_zstd; }
@test "filter-folded: compressed input" { check_compressed; }
@test "filter-folded: JSON, the output of perf report" { check_other_text; }
@test "filter-folded: profiles that are to be collapsed" { check_foreign; }
@test "filter-folded: text that is something else" { check_text; }
@test "filter-folded: full disk" { check_full_disk; }
@test "filter-folded: closed standard output" { check_closed_stdout; }
@test "filter-folded: closed standard input" { check_closed_stdin; }
@test "filter-folded: closed standard error" { check_closed_stderr; }
@test "filter-folded: broken pipe" { check_broken_pipe; }
@test "filter-folded: CRLF" { check_crlf; }
@test "filter-folded: no last newline" { check_cut_count; }
@test "filter-folded: NUL" { check_nul; }
@test "filter-folded: line of 1 MB" { check_long_line; }
@test "filter-folded: locales" { check_locales --HIDE=ma.n --Rename=s/beta/alpha/; }
@test "filter-folded: several files" { check_concatenation; }
@test "filter-folded: same input, same bytes" { check_same_bytes; }
@test "filter-folded: --output" { check_output; }
@test "filter-folded: --output keeps permissions and links, and the file on failure" { check_output_kept; }
@test "filter-folded: --output that cannot be written" { check_output_cannot_be_written; }
@test "filter-folded: a signal leaves the file of --output alone" { check_output_killed; }
@test "filter-folded: output that is the input" { check_output_is_input; }

@test "filter-folded: spellings of options" {
	check_spellings '--focus beta' --focus=beta '-focus beta' '--foc beta' --FOCUS=beta
	check_spellings '--skip-root 1' --skip-root=1 --skip=1 -sk=1
	check_spellings --strip-addresses --strip -STRIP-addresses
}

@test "filter-folded: empty input" {
	: > empty
	try on empty
	fails 1 "is empty"
	try on empty good
	now "$status" -eq 0
	now "${#lines[@]}" -eq 3
}

@test "filter-folded: nothing is left" {
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

@test "filter-folded: counts in, counts out" {
	big > many
	for options in '' --hide=main '--hide .' --show=g3 --skip-root=2 --skip-root=9 --trim-below=main \
		--max-depth=1 --recursion=cycles --min-percent=1 --top=3 '--rename s/g.//' --reverse; do
		# shellcheck disable=SC2086
		[ "$(on -q $options many | sum)" -eq 199990000 ] || { echo "$options"; return 1; }
	done
	[ "$(on --focus '^g3$' many | sum)" -eq "$(grep ';g3 ' many | sum)" ]
	[ "$(on --ignore '^g3$' many | sum)" -eq "$(grep -v ';g3 ' many | sum)" ]
}

@test "filter-folded: the options of the collapsers and of flamegraph mean the same" {
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

@test "filter-folded: a differential profile" {
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

@test "filter-folded: the output of perf report -g folded,count" {
	printf '# Overhead  Command\n# ...\n#\n   71.43%%  app\n5 main;alpha\n   28.57%%  app\n2 main;b c\n' > report
	try program report
	now "$status" -eq 0
	now "${lines[0]}" = "main;alpha 5"
	now "${lines[1]}" = "main;b c 2"
	now "${#stderr_lines[@]}" -eq 1
	says "report:5: counts come first"
}

@test "filter-folded: a thousand files" {
	mkdir many
	for i in {1..1000}; do echo "app;main;f$((i % 10)) 2" > many/"$i"; done
	program many/* > out
	[ "$(wc -l < out)" -eq 10 ]
	[ "$(sum < out)" -eq 2000 ]
}

@test "filter-folded: --rules" {
	printf '# names\ns/alpha/beta/\n' > rules
	program --rules rules good > out
	grep -q '^app;main;beta 100.5$' out
	echo 's/(/x/' >> rules
	try program --rules rules good
	fails 2 "rules:3: bad regular expression '('"
	try program --rules no-such-rules good
	fails 2 "no-such-rules: "
}

@test "filter-folded: a pattern that takes too long" {
	echo 'app;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! 3' > slow
	try program --focus '(a+)+$' slow
	fails 1 "--focus: gave up matching"
	try program --rename 's/(a+)+$/x/' slow
	fails 1 "--rename: gave up matching"
}

@test "filter-folded: a deep stack" {
	{ echo -n app; for i in {1..20000}; do echo -n ";f$i"; done; echo " 1"; } > deep
	program --hide '7$' --reverse --min-percent 1 deep > out
	[ "$(wc -l < out)" -eq 1 ]
	[ "$(wc -c < out)" -gt 90000 ]
}
