#!/usr/bin/env bats
# The manners of report-folded, and what it shows only on a terminal or to programs.
# bats sets what a command left; grave accents are Markdown
# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load manners
load folded-text

export PROGRAM=report-folded NOTHING=1

on()
{
	program --limit 0 "$@"
}

@test "report-folded: --help" { check_help; }
@test "report-folded: --version" { check_version; }
@test "report-folded: bad option" { check_bad_option; }
@test "report-folded: option without its argument" { check_needs_argument --format --callers; }
@test "report-folded: argument to an option without one" { check_takes_no_argument --tree; }
@test "report-folded: ambiguous option" { check_ambiguous --call; }
@test "report-folded: -- ends the options" { check_end_of_options; }
@test "report-folded: - is standard input" { check_dash; }
@test "report-folded: standard input is the default" {
	plain
	default() { on < good; }
	same plain default
}
@test "report-folded: missing file" { check_missing_file; }
@test "report-folded: directory" { check_directory; }
@test "report-folded: file that cannot be read" { check_unreadable; }
@test "report-folded: binary input" { check_binary; }
@test "report-folded: perf.data" { check_perf_data; }
@test "report-folded: gzip input" { check_gzip; }
@test "report-folded: zstd input" { check_zstd; }
@test "report-folded: compressed input" { check_compressed; }
@test "report-folded: JSON, the output of perf report" { check_other_text; }
@test "report-folded: profiles that are to be collapsed" { check_foreign; }
@test "report-folded: text that is something else" { check_text; }
@test "report-folded: full disk" { check_full_disk; }
@test "report-folded: closed standard output" { check_closed_stdout; }
@test "report-folded: closed standard input" { check_closed_stdin; }
@test "report-folded: closed standard error" { check_closed_stderr; }
@test "report-folded: broken pipe" { check_broken_pipe; }
@test "report-folded: CRLF" { check_crlf; }
@test "report-folded: no last newline" { check_no_last_newline; }
@test "report-folded: NUL" { check_nul; }
@test "report-folded: line of 1 MB" { check_long_line; }
@test "report-folded: locales" { check_locales -fmarkdown --tree; }
@test "report-folded: same input, same bytes" { check_same_bytes; }
@test "report-folded: --output" { check_output; }
@test "report-folded: --output keeps permissions and links, and the file on failure" { check_output_kept; }
@test "report-folded: --output that cannot be written" { check_output_cannot_be_written; }
@test "report-folded: a signal leaves the file of --output alone" { check_output_killed; }
@test "report-folded: output that is the input" { check_output_is_input; }

@test "report-folded: several files are one profile" {
	input | sed 's/beta/delta/' > other
	cat good other > both
	on both > plain
	same plain on good other
}

@test "report-folded: spellings of options" {
	check_spellings '--format markdown' '-f markdown' -fmarkdown '--form=markdown' '-FORMAT markdown'
	check_spellings --tree --tr -tree --TREE
}

@test "report-folded: what the command line must not say" {
	local options
	while read -r options; do
		# shellcheck disable=SC2086
		try program $options good
		fails 2 --
	done <<-'END'
		--top --tree
		--callers x --callees x
		--top --format json
		--limit x
		--limit -1
		--depth 1.5
		--callers x --depth 101
		--min-percent x
		--min-percent -1
		--max-growth x
		--max-growth -3%
		--fail-over x
		--fail-over :5%
		--fail-over x:y
		--fail-over (:5%
		--callers (
		--self
		--relative
		--confidence 100
		--confidence 0
		--sample-weight x
		--sample-weight 0
		--sample-weight 1,0
	END
}

@test "report-folded: empty input, and counts that are all 0" {
	: > it
	try on it
	fails 1 "the input is empty"
	echo 'a;b 0' > it
	try on it
	fails 1 "all counts are 0"
	echo 'a;b 0 0' > it
	try on it
	fails 1 "all counts are 0"
}

@test "report-folded: nothing matches" {
	try program --callers no-such-function good
	fails 1 "no function matches 'no-such-function'"
	printf 'a;b 5 6\n' > two
	try program --fail-over 'no-such-function:1%' two
	now "$status" -eq 0
	says "no function matches"
}

@test "report-folded: lines that are ignored" {
	printf '%s\n' 'odd' 'app;main;alpha 1' 'odd too' > it
	try on it
	now "$status" -eq 0
	now "${#stderr_lines[@]}" -eq 1
	says "it:1: ignored 2 lines without a count" "'odd'"
	try on -v it
	says "it:1: " "it:3: " "'odd too'"
	try on -q it
	now "$status" -eq 0
	now -z "$stderr"
}

@test "report-folded: what needs two columns" {
	try program --movers good
	fails 1 "two counts"
	try program --max-growth 3% good
	fails 1 "two counts"
	printf 'a;b 0 6\n' > it
	try program --max-growth 3% it
	fails 1 "all counts before are 0"
	printf 'a;b 6 0\n' > it
	try program --max-growth 3% it
	fails 1 "all counts after are 0"
}

@test "report-folded: an SVG is a profile" {
	"$BIN/flamegraph" good > it.svg
	on good > plain
	same plain on it.svg
}

@test "report-folded: colours on a terminal only" {
	command -v script > /dev/null || skip "no script"
	script -qec true /dev/null > /dev/null 2>&1 < /dev/null || skip "no terminal here"
	program --tree good > plain
	run ! grep -q $'\e' plain
	# shellcheck disable=SC2094
	TERM=xterm script -qec "'$BIN/$PROGRAM' --tree good" /dev/null < /dev/null > shown
	grep -q $'\e\[31m' shown
	sed 's/\x1b\[[0-9]*m//g; s/\r$//' shown > stripped
	cmp plain stripped
	NO_COLOR=1 TERM=xterm script -qec "'$BIN/$PROGRAM' --tree good" /dev/null < /dev/null > shown
	run ! grep -q $'\e' shown
}

@test "report-folded: JSON is what its schema says" {
	command -v node > /dev/null || skip "no node"
	local top=$BATS_TEST_DIRNAME/../..
	valid() { node "$top/tests/tools/check-schema.mjs" "$top/docs/report-folded.schema.json"; }
	{ input; printf '"\\<\001\377\342\200\250| 5\n'; } > it
	sed 's/ [0-9.]*$/ 3&/' it > two
	for file in it two; do
		program -f json "$file" > it.json
		valid < it.json
		# a frame without its total, and a count that is none, are found
		sed 's/"value":/"val":/' it.json > bad
		run ! valid < bad
		sed 's/"self":[0-9]*/"self":-1/' it.json > bad
		run ! valid < bad
	done
	program -f json --callers main it | valid
	program -f json --callees main two | valid
}

@test "report-folded: JSON has all counts of the profile" {
	command -v jq > /dev/null || skip "no jq"
	big > many
	program -f json many > it.json
	[ "$(jq '[.. | objects | .self] | add' it.json)" -eq 199990000 ]
	[ "$(jq '[.. | objects | select(.self + ([.children // [] | .[].value] | add // 0) != .value)] | length' it.json)" -eq 0 ]
}

@test "report-folded: TSV has all functions, and their counts" {
	big > many
	program -f tsv many > it.tsv
	[ "$(wc -l < it.tsv)" -eq 20010 ]
	awk -F '\t' 'NR > 1 { self += $2 } NF != 5 { exit 1 } END { exit self != 199990000 }' it.tsv
}

# 200,000 frames on one stack, each with a name of its own, and then all the same.
@test "report-folded: a deep stack" {
	local options
	for name in 'f%d' f; do
		awk -v name="$name" 'BEGIN {
			for (i = 0; i < 200000; i++) printf name (i < 199999 ? ";" : " 7\n"), i
		}' > deep
		for options in --top --tree "--tree --format json" "--callers f" \
			"--callees f --depth 2"; do
			# shellcheck disable=SC2086
			program --limit 2 $options deep > out
			[ -s out ]
		done
	done
	[ "$(program --top deep | awk 'END { $1 = $1; print }')" = "7 100.00 7 100.00 f" ]
}

@test "report-folded: a tree of callees that is too large" {
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "f%d%s", i, i < 99999 ? ";" : " 7\n" }' > deep
	try program --callees . --depth 100 deep
	fails 1 "more than 4194304 frames"
}

@test "report-folded: memory does not grow with the lines" {
	big > many
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat many; done > lines
	within 16000 --limit 3 lines > out
	[ -s out ]
}

# The names are read back, by rules of their own, as what they were.
@test "report-folded: hostile names are one cell, one line, one string" {
	printf '%s\n' 'a|b`c<d>&amp 1' '<script>alert(1)</script> 2' '\| 3' ' a  4' \
		'@all #1 $x$ *y* _z_ 5' > it
	printf '\ttab\rcr\033[31mred\342\200\256\377 6\n' >> it
	program --limit 0 it > text
	run ! grep -q $'\e\|\r\|\xff\|\t' text
	[ "$(wc -l < text)" -eq 10 ]
	program --limit 0 -f tsv it > it.tsv
	awk -F '\t' 'NF != 5 { exit 1 }' it.tsv
	[ "$(wc -l < it.tsv)" -eq 7 ]
	program --limit 0 -f markdown it > md
	# bars that are no ends of cells are not there
	awk '/^\|/ && gsub(/\|/, "") != 6 { exit 1 }' md
	[ "$(grep -cF '<script>' md)" -eq 1 ]
	grep -qF '`<script>alert(1)</script>`' md
	grep -qF '<code>a&#124;b&#96;c&#60;d&#62;&#38;amp</code>' md
	command -v jq > /dev/null || return 0
	program -f json it > it.json
	[ "$(jq '[.children[].name] | length' it.json)" -eq 6 ]
	jq -e '[.children[].name] | index("a|b`c<d>&amp")' it.json
	run ! grep -F '<' it.json
}
