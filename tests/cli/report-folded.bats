#!/usr/bin/env bats
# Tests of report-folded at the command line (see manners.bash), on a terminal and for programs.
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

@test "report-folded: --help prints the usage in 80 columns" { check_help; }
@test "report-folded: --version prints the program's name and version" { check_version; }
@test "report-folded: an unknown option is an error" { check_bad_option; }
@test "report-folded: an option without its argument is an error" { check_needs_argument --format --callers; }
@test "report-folded: an argument to a flag is an error" { check_takes_no_argument --tree; }
@test "report-folded: an ambiguous abbreviation is an error" { check_ambiguous --call; }
@test "report-folded: -- ends the options" { check_end_of_options; }
@test "report-folded: - is standard input" { check_dash; }
@test "report-folded: standard input is the default" {
	plain
	default() { on < good; }
	same plain default
}
@test "report-folded: a missing file is an error" { check_missing_file; }
@test "report-folded: a directory is an error" { check_directory; }
@test "report-folded: a file without read permission is an error" { check_unreadable; }
@test "report-folded: binary data are refused" { check_binary; }
@test "report-folded: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "report-folded: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "report-folded: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "report-folded: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "report-folded: JSON and the output of perf report are refused" { check_other_text; }
@test "report-folded: profiles of other formats are refused, with the program to use" { check_foreign; }
@test "report-folded: text that is no profile gives a message" { check_text; }
@test "report-folded: a full disk is an error" { check_full_disk; }
@test "report-folded: a closed standard output is an error" { check_closed_stdout; }
@test "report-folded: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "report-folded: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "report-folded: a reader that stops early gets no message" { check_broken_pipe; }
@test "report-folded: lines may end in CRLF" { check_crlf; }
@test "report-folded: a last line without a newline is read, with a warning" { check_cut_count; }
@test "report-folded: a NUL is a byte like any other" { check_nul; }
@test "report-folded: a line of 1 MB is read" { check_long_line; }
@test "report-folded: the locale changes nothing" { check_locales -fmarkdown --tree; }
@test "report-folded: the same input gives the same bytes" { check_same_bytes; }
@test "report-folded: -o FILE writes to FILE" { check_output; }
@test "report-folded: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "report-folded: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }
@test "report-folded: a signal leaves the file of -o alone" { check_output_killed; }
@test "report-folded: output that is also the input is an error" { check_output_is_input; }

@test "report-folded: several files are one profile" {
	input | sed 's/beta/delta/' > other
	cat good other > both
	on both > plain
	same plain on good other
}

@test "report-folded: options may be abbreviated, with one dash, in any case" {
	check_spellings '--format markdown' '-f markdown' -fmarkdown '--form=markdown' '-FORMAT markdown'
	check_spellings --tree --tr -tree --TREE
}

@test "report-folded: options that exclude each other, and bad values, are errors" {
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
		--format pprof --top
		--format pprof --max-growth 3%
		--format pprof --limit 3
		--format pprof --split
		--format speedscope --root-label thread
		--format firefox --callers x
		--format speedscope --depth 3
		--time-order
		--event-frame
		--weight cycles
		--unit ns
	END
}

@test "report-folded: empty input, or counts that are all 0, are an error" {
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

@test "report-folded: a pattern of --callers that matches nothing is an error" {
	try program --callers no-such-function good
	fails 1 "no function matches 'no-such-function'"
	printf 'a;b 5 6\n' > two
	try program --fail-over 'no-such-function:1%' two
	now "$status" -eq 0
	says "no function matches"
}

@test "report-folded: lines without a count are ignored, with one warning" {
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

@test "report-folded: options that compare need two columns with counts" {
	try program --movers good
	fails 1 "two counts"
	try program --max-growth 3% good
	fails 1 "two counts"
	printf 'a;b 0 6\n' > it
	try program --max-growth 3% it
	fails 1 "all counts in the first column are 0"
	printf 'a;b 6 0\n' > it
	try program --max-growth 3% it
	fails 1 "all counts in the second column are 0"
}

@test "report-folded: an SVG is read like its folded stacks" {
	"$BIN/flamegraph" good > it.svg
	on good > plain
	same plain on it.svg
}

@test "report-folded: only a terminal gets colours" {
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

@test "report-folded: JSON follows its schema" {
	command -v node > /dev/null || skip "no node"
	local top=$BATS_TEST_DIRNAME/../..
	valid() { node "$top/tests/tools/check-schema.mjs" "$top/docs/report-folded.schema.json"; }
	{ input; printf '"\\<\001\377\342\200\250| 5\n'; } > it
	sed 's/ [0-9.]*$/ 3&/' it > two
	for file in it two; do
		program -f json "$file" > it.json
		valid < it.json
		# the check finds a frame without its total, and a count that is not a
		# number
		sed 's/"value":/"val":/' it.json > bad
		run ! valid < bad
		sed 's/"self":[0-9]*/"self":-1/' it.json > bad
		run ! valid < bad
	done
	program -f json --callers main it | valid
	program -f json --callees main two | valid
}

@test "report-folded: the counts in JSON add up to those of the profile" {
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

# The stack has 200,000 frames: first with different names, then with the same name.
@test "report-folded: a deep stack is read whole" {
	local options
	for name in 'f%d' f; do
		awk -v name="$name" 'BEGIN {
			for (i = 0; i < 200000; i++) printf name (i < 199999 ? ";" : " 7\n"), i
		}' > deep
		for options in --top --tree --digest "--digest -f json" "--tree --format json" "--callers f" \
			"--callees f --depth 2"; do
			# shellcheck disable=SC2086
			program --limit 2 $options deep > out
			[ -s out ]
		done
	done
	[ "$(program --top deep | awk 'END { $1 = $1; print }')" = "7 100.00 7 100.00 f" ]
}

@test "report-folded: a tree of callees that is too large is an error" {
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

# The names are read back by the rules of each format.
@test "report-folded: a hostile name stays in its cell, line or string" {
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
	# no unescaped bar is inside a cell
	awk '/^\|/ && gsub(/\|/, "") != 6 { exit 1 }' md
	[ "$(grep -cF '<script>' md)" -eq 1 ]
	grep -qF '`<script>alert(1)</script>`' md
	grep -qF '<code>a&#124;b&#96;c&#60;d&#62;&#38;amp</code>' md
	command -v jq > /dev/null || skip "no jq"
	program -f json it > it.json
	[ "$(jq '[.children[].name] | length' it.json)" -eq 6 ]
	jq -e '[.children[].name] | index("a|b`c<d>&amp")' it.json
	run ! grep -F '<' it.json
}

@test "report-folded: pprof is not written to a terminal" {
	command -v script > /dev/null || skip "no script"
	script -qec true /dev/null > /dev/null 2>&1 < /dev/null || skip "no terminal here"
	TERM=xterm script -qec "'$BIN/$PROGRAM' -f pprof good; echo status \$?" /dev/null \
		< /dev/null > shown
	grep -q 'binary, and the output is a terminal' shown
	grep -q 'status 1' shown
	TERM=xterm script -qec "'$BIN/$PROGRAM' -q -f pprof -o good.pb.gz good" /dev/null \
		< /dev/null > shown
	[ ! -s shown ]
	program -f pprof good | cmp - good.pb.gz
}

@test "report-folded: pprof is gzip, with the same bytes on every run" {
	program -f pprof good > one
	gzip -t < one
	program -f pprof good | cmp - one
}

@test "report-folded: for other viewers, empty input is an error and writes no file" {
	: > it
	for format in pprof speedscope firefox collapsed-json; do
		try program -f "$format" it
		fails 1 "the input is empty"
		try program -f "$format" -o out it
		[ ! -e out ]
	done
	echo 'a;b 0' > it
	try program -f pprof it
	fails 1 "all counts are 0"
}

@test "report-folded: for other viewers, JSON is valid" {
	command -v jq > /dev/null || skip "no jq"
	{ input; printf '"\\<\001\377\342\200\250| 5\n'; printf 'x\xc3;\xf0\x9f y 7.25\n'; } > it
	sed 's/ [0-9.]*$/ 3&/' it > two
	for file in it two; do
		for format in speedscope firefox collapsed-json; do
			program -f "$format" "$file" > it.json
			jq -e . it.json > /dev/null
		done
	done
	program -f speedscope --split it | jq -e '.profiles | length > 1' > /dev/null
	program -f firefox it | jq -e '[.threads[] | .samples.length == (.samples.stack | length)] | all' > /dev/null
}

@test "report-folded: for other viewers, no count is lost" {
	command -v jq > /dev/null || skip "no jq"
	big > many
	[ "$(program -f collapsed-json many | jq '[.profiles[].stacks[].count] | add')" -eq 199990000 ]
	[ "$(program -f speedscope many | jq '[.profiles[].weights[]] | add')" -eq 199990000 ]
	[ "$(program -f firefox many | jq '[.threads[].samples.weight[]] | add')" -eq 199990000 ]
}

@test "report-folded: for other viewers, numbers are exact" {
	printf 'a 9007199254740993\n' > it
	for format in speedscope firefox collapsed-json; do
		program -f "$format" it > it.json
		grep -q '[:[]9007199254740993[],}]' it.json
	done
	printf 'a 9223372036854775808\n' > it
	try program -f pprof it
	fails 1 "exceeds 2^63-1"
	program -f speedscope it > it.json
	grep -q 9223372036854775808 it.json
}

@test "report-folded: for Firefox Profiler, more than 500 threads become one" {
	command -v jq > /dev/null || skip "no jq"
	for ((i = 0; i < 501; i++)); do echo "thread-$i;main 1"; done > it
	[ "$(program -f firefox it | jq '[.threads[].samples.weight | add] | tojson')" = '"[501]"' ]
	head -n 500 it > fewer
	[ "$(program -f firefox fewer | jq '.threads | length')" -eq 500 ]
}

@test "report-folded: for other viewers, --weight and --unit name what is counted" {
	command -v jq > /dev/null || skip "no jq"
	try program -f speedscope --weight wall --unit us good
	[ "$(jq -r '.profiles[0] | .name, .unit' <<< "$output" | paste -sd ' ')" = "wall microseconds" ]
	printf '# event: a\nx 1\n# event: b\nx 2\n' > two
	try program -f speedscope --weight wall two
	fails 1 "--weight names one event, but the input has 2"
	printf 'x 1 2\n' > two
	try program -f speedscope --time-order two
	fails 1 "--time-order needs lines with one count"
}

# and_back FORMAT : checks on one golden in seven that a profile written for
# another viewer reads back the same. It leaves out what collapsers change: empty names,
# spaces at an end or before a number, addresses, names that are not ASCII, stacks that
# count 0 or a fraction, and counts of more than 18 digits.
and_back()
{
	local collapse=collapse-$1 file n=0 checked=0
	[ -x "$BIN/$collapse" ] || skip "no $collapse"
	for file in "$BATS_TEST_DIRNAME"/../golden/collapse-*/*/expected; do
		[ $((n++ % 7)) -eq 0 ] || continue
		"$BIN/filter-folded" -q "$file" > before 2> /dev/null || continue
		LC_ALL=C grep -q -e '[^ -~]' -e '; ' -e ' ;' -e '^ ' -e ' [0-9.]*[; ].* ' -e '  ' \
			-e '0x[0-9A-Fa-f]*[; ]' -e ';;' -e '[.][0-9]*$' -e ' 0$' -e '#' -e '[\\]' -e '[0-9]\{19\}$' before && continue
		[ -s before ] || continue
		program -q -f "$1" before | "$BIN/$collapse" -q --lines > after
		cmp before after || return 1
		checked=$((checked + 1))
	done
	[ "$checked" -gt 10 ]
}

@test "report-folded: source lines of functions, files and annotations read back" {
	printf 'main;run:src/a.c:%s 5\n' '3;leaf:src/b.c:7_[k]' '3;leaf:src/b.c:9' '4;leaf' \
		'4;leaf:/lib/c.h:7' > lines
	for format in pprof speedscope firefox; do
		[ -x "$BIN/collapse-$format" ] || continue
		program -f "$format" lines | "$BIN/collapse-$format" --lines > back
		sort lines | cmp - back
		program -f "$format" lines | "$BIN/collapse-$format" > functions
		[ "$(cut -d ' ' -f 1 functions)" = $'main;run;leaf\nmain;run;leaf_[k]' ]
	done
}

@test "report-folded: pprof reads back as the same stacks" { and_back pprof; }
@test "report-folded: speedscope reads back as the same stacks" { and_back speedscope; }
@test "report-folded: Firefox Profiler reads back as the same stacks" { and_back firefox; }
