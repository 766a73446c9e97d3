#!/usr/bin/env bats
# Tests of diff-folded at the command line; see manners.bash. Its checks vary the first file,
# BEFORE.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners
load folded-text

export PROGRAM=diff-folded NOTHING=1 AFTER=good

on()
{
	[ -e other ] || printf '%s\n' 'app;main;alpha 80' 'app;main 1' > other
	program "$@" other
}

@test "diff-folded: --help prints the usage in 80 columns" { check_help; }
@test "diff-folded: --version prints the program's name and version" { check_version; }
@test "diff-folded: an unknown option is an error" { check_bad_option; }
@test "diff-folded: an argument to a flag is an error" { check_takes_no_argument --normalize; }
@test "diff-folded: -- ends the options" { check_end_of_options; }
@test "diff-folded: - is standard input" { check_dash; }
@test "diff-folded: a missing file is an error" { check_missing_file; }
@test "diff-folded: a directory is an error" { check_directory; }
@test "diff-folded: a file without read permission is an error" { check_unreadable; }
@test "diff-folded: binary data are refused" { check_binary; }
@test "diff-folded: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "diff-folded: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "diff-folded: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "diff-folded: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "diff-folded: JSON and the output of perf report are refused" { check_other_text; }
@test "diff-folded: profiles of other formats are refused, with the program to use" { check_foreign; }
@test "diff-folded: text that is no profile gives a message" { check_text; }
@test "diff-folded: a full disk is an error" { check_full_disk; }
@test "diff-folded: a closed standard output is an error" { check_closed_stdout; }
@test "diff-folded: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "diff-folded: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "diff-folded: a reader that stops early gets no message" { check_broken_pipe; }
@test "diff-folded: lines may end in CRLF" { check_crlf; }
@test "diff-folded: a last line without a newline is read, with a warning" { check_cut_count; }
@test "diff-folded: a NUL is a byte like any other" { check_nul; }
@test "diff-folded: a line of 1 MB is read" { check_long_line; }
@test "diff-folded: the locale changes nothing" { check_locales -n --STRIP-HEX; }
@test "diff-folded: the same input gives the same bytes" { check_same_bytes; }
@test "diff-folded: -o FILE writes to FILE" { check_output; }
@test "diff-folded: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "diff-folded: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }
@test "diff-folded: a signal leaves the file of -o alone" { check_output_killed; }
@test "diff-folded: output that is also the input is an error" { check_output_is_input; }

@test "diff-folded: options may be abbreviated, with one dash, in any case" {
	check_spellings --normalize -n -normalize --norm -norm --NORMALIZE
	check_spellings --strip-hex -s -strip-hex --strip -str --Strip-Hex
	check_spellings '-n -s' -ns -sn '--normalize --strip-hex'
}

@test "diff-folded: one file or three are an error" {
	try program
	fails 2 "not 0"
	try program good
	fails 2 "not 1"
	try program good good good
	fails 2 "not 3"
}

@test "diff-folded: standard input twice is an error" {
	twice() { program - - < good; }
	try twice
	fails 2 "standard input"
}

@test "diff-folded: a closed standard input as the second file is an error" {
	closed() { program good - <&-; }
	try closed
	fails 1 "standard input"
}

@test "diff-folded: either file may be standard input" {
	printf '%s\n' 'app;main;alpha 80' > other
	program good other > plain
	first() { program - other < good; }
	second() { program good - < other; }
	same plain first
	same plain second
}

@test "diff-folded: one empty input counts as zeros; two are an error" {
	: > empty
	try program empty good
	now "$status" -eq 0
	now "${lines[0]}" = "app;main;0x7fFf;gamma 0 7"
	says "empty: the input is empty"
	try program -q empty good
	now "$status" -eq 0
	now -z "$stderr"
	try program good empty
	now "${lines[0]}" = "app;main;0x7fFf;gamma 7 0"
	try program empty empty
	fails 1 "both inputs are empty"
	try program -q empty empty
	fails 1 "both inputs are empty"
	try program /dev/null good
	now "$status" -eq 0
}

@test "diff-folded: lines without a count are ignored, with one warning" {
	printf '%s\n' 'odd' 'app;main;alpha 1' 'odd too' > it
	try on it
	now "$status" -eq 0
	now "${#stderr_lines[@]}" -eq 1
	says "it:1: ignored 2 lines" "'odd'"
	try on -v it
	says "it:1: " "it:3: " "'odd too'"
	try on -q it
	now "$status" -eq 0
	now -z "$stderr"
}

@test "diff-folded: equal profiles have equal columns" {
	big > many
	program many many | awk '$(NF - 1) != $NF { exit 1 }'
	program -n -s many many | awk '$(NF - 1) != $NF { exit 1 }'
}

@test "diff-folded: sections are compared event by event" {
	printf '# event: cycles\n# unit: ns\na 10\nb 20\n# event: faults\na 1\nc 5\n' > before
	printf '# event: faults\na 2\nc 4\n# event: cycles\n# unit: ns\na 30\nd 3\n' > after
	printf '%s\n' '# event: cycles' '# unit: ns' 'a 10 30' 'b 20 0' 'd 0 3' \
		'# event: faults' 'a 1 2' 'c 5 4' > both
	program before after | diff both -
	"$BIN/flamegraph" -q both > both.svg
	"$BIN/flamegraph" --extract both.svg | diff both -

	# each event is scaled by its own totals, and averaged by itself
	program -n before after | grep '^a ' | diff <(printf '%s\n' 'a 11 30' 'a 1 2') -
	program --before before after --after after after | grep '^a ' |
		diff <(printf '%s\n' 'a 20 30' 'a 1.5 2') -

	# an event without a unit matches; events of only one input are left out
	printf '# event: misses\na 7\n# event: cycles\na 8\n' > others
	program before others > out 2> err
	printf '%s\n' '# event: cycles' 'a 10 8' 'b 20 0' | diff - out
	grep -F "before: left out the section of 'faults': the other input has none" err
	grep -F "others: left out the section of 'misses'" err
	printf '# event: cycles\n# unit: ns\na 6\n' > one
	program after one 2> err | diff <(printf '%s\n' '# event: cycles' '# unit: ns' 'a 30 6' 'd 3 0') -
	program one before 2> err | diff <(printf '%s\n' '# event: cycles' '# unit: ns' 'a 6 10' 'b 0 20') -

	# different events are not compared, unless each input has just one
	for pair in 'one after' 'before faulty' 'faulty before' 'before plain' 'plain before'; do
		printf '# event: page-faults\na 1\n' > faulty
		echo 'a 1' > plain
		# shellcheck disable=SC2086 # two files
		run -1 program $pair
		[[ $output == *"cannot match the sections of the inputs by their events: "*"with filter-folded --section NAME" ]]
	done
	[ "$(program one faulty)" = 'a 6 1' ]

	# an empty input has zeros for each event
	program before /dev/null 2> err | diff <(printf '%s\n' '# event: cycles' '# unit: ns' \
		'a 10 0' 'b 20 0' '# event: faults' 'a 1 0' 'c 5 0') -
	program --compat=perl before after | diff <(printf '%s\n' 'a 11 32' 'b 20 0' 'c 5 4' 'd 0 3') -
}

@test "diff-folded: the order of the lines does not matter" {
	big > many
	on many > plain
	LC_ALL=C sort -r many > turned
	same plain on turned
	LC_ALL=C sort plain > sorted
	cmp <(sed 's/ [^ ]* [^ ]*$//' plain) <(sed 's/ [^ ]* [^ ]*$//' plain | LC_ALL=C sort -u)
}

@test "diff-folded: sorted, unsorted and half sorted lines give the same" {
	big | LC_ALL=C sort > sorted
	awk 'NR % 3 { print; if (NR % 5 == 0) print }' sorted > other
	on sorted > plain
	{ head -n 9000 sorted; tail -n +9001 sorted | LC_ALL=C sort -r; } > half
	same plain on half
	cp other sorted-other
	LC_ALL=C sort -r sorted-other > other
	same plain on sorted
	{ head -n 9000 sorted-other; tail -n +9001 sorted-other | LC_ALL=C sort -r; } > other
	same plain on sorted
	same plain on half
	piped() { program <(cat sorted) <(cat other); }
	same plain piped
	on -n sorted > normalized
	LC_ALL=C sort -r sorted > turned
	same normalized on -n turned
}

@test "diff-folded: the recorded totals survive filters and pictures" {
	printf '%s\n' 'app;a 100' 'app;b 200' 'app;c 34' > before
	printf '%s\n' 'app;a 600' 'app;b 350' 'app;c 127' > after
	program -n before after > both
	[ "$(head -n 1 both)" = '# totals: before=334 after=1077' ]
	"$BIN/filter-folded" both | "$BIN/flamegraph" -q > both.svg
	grep -q '>Before → after: 334 → 1,077 (×3.2); shares are compared<' both.svg
	"$BIN/flamegraph" --extract both.svg | diff both -
	"$BIN/filter-folded" --drop b both | "$BIN/flamegraph" -q > part.svg
	"$BIN/report-folded" --max-growth 99 part.svg > said
	grep -q '334 → 1,077 (×3.2), of which 40.0% → 67.5% are here; shares are compared' said
}

# Other tools add up the lines of the older programs, and may take any last number for a
# count.
@test "diff-folded: by an older name it writes no header" {
	local name
	printf 'a;b 1\n' > before
	printf 'a;b 3\n' > after
	for name in difffolded.pl inferno-diff-folded; do
		ln -s "$BIN/diff-folded" "$name"
		[ "$("./$name" -n before after)" = 'a;b 3 3' ]
	done
	[ "$(program -n before after | awk '{ s += $NF } END { print s }')" -eq 3 ]
}

# Each has 5 MB, so that unsorted lines are merged several times.
@test "diff-folded: large unsorted profiles give the same as sorted ones" {
	awk -v name="$(xs 90)" 'BEGIN {
		for (i = 0; i < 50000; i++) {
			n = i * 7919 % 50000
			print "app;f" n % 100 ";" name n " " n (n % 1000 ? "" : ".25")
		}
	}' > mixed
	awk 'NR % 3' mixed > other
	on mixed > plain
	on -n mixed > normalized
	LC_ALL=C sort mixed > sorted
	LC_ALL=C sort other > sorted-other
	cp sorted-other other
	same plain on sorted
	same normalized on -n sorted
	[ "$(wc -l < plain)" -eq 50000 ]
}

@test "diff-folded: the sum of the counts stays the same" {
	big > many
	[ "$(on many | awk '{ s += $(NF - 1) } END { print s }')" -eq 199990000 ]
	[ "$(on many | awk '{ s += $NF } END { print s }')" -eq 81 ]
}

@test "diff-folded: a deep stack is read whole" {
	{ echo -n app; for i in {1..20000}; do echo -n ";f$i"; done; echo " 1"; } > deep
	on deep > out
	[ "$(wc -l < out)" -eq 3 ]
	[ "$(wc -c < out)" -gt 100000 ]
}
