#!/usr/bin/env bats
# Tests of collapse-otlp at the command line; see manners.bash.
# shellcheck disable=SC2154,SC2317 # bats sets what a command left; `same` calls functions
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-otlp NOTHING=1

# proto : makes a message from its source on standard input.
proto()
{
	"$BATS_TEST_DIRNAME/../data/proto"
}

# A profile: samples, and functions, each of a location and a string of its own.
input()
{
	proto <<'END'
1 { 2 { 2 { 1 { 1 1 2 2 } 2 { 1 1 4 [20000000] 2 [1] } 2 { 1 2 4 10000000 2 [2] } } } }
2 {
2 { } 2 { 3 { 1 1 2 3 } } 2 { 3 { 1 2 2 4 } } 2 { 3 { 1 3 2 5 } }
3 { } 3 { 1 3 3 9 } 3 { 1 4 3 9 } 3 { 1 5 2 10 3 9 }
5 "" 5 "cpu" 5 "nanoseconds" 5 "main" 5 "alpha" 5 "beta" 5 "thread.name" 5 "one" 5 "two" 5 "main.go" 5 "_Z4betav"
6 { } 6 { 1 6 2 { 8 7 } } 6 { 1 6 2 { 8 8 } }
7 { } 7 { 1 [3 2 1] } 7 { 1 [2 1] }
}
END
}

many()
{
	awk -v name="$1" -v count="$2" 'BEGIN {
		print "2 { 5 \"\" 5 \"cpu\" 5 \"ns\" 2 { } 3 { } 7 { }"
		for (i = 1; i <= count; i++) {
			print "2 { 3 { 1 " i " } } 3 { 1 " i + 2 " } 7 { 1 " i " } 5 \"" name i "\""
			samples = samples " 2 { 1 " i " 4 1 }"
		}
		print "} 1 { 2 { 2 { 1 { 1 1 2 2 }" samples "} } }"
	}' | proto
}

big() { many "$(xs 1000)" 1000; }

on()
{
	program "$@"
}

@test "collapse-otlp: --help prints the usage in 80 columns" { check_help; }
@test "collapse-otlp: --version prints the program's name and version" { check_version; }
@test "collapse-otlp: an unknown option is an error" { check_bad_option; }
@test "collapse-otlp: an option without its argument is an error" { check_needs_argument --weight --root --thread --max-size --keep; }
@test "collapse-otlp: an argument to a flag is an error" { check_takes_no_argument --srcline --system-names --strict; }
@test "collapse-otlp: -- ends the options" { check_end_of_options; }
@test "collapse-otlp: - is standard input" { check_dash; }
@test "collapse-otlp: without a file, it reads standard input" { check_default_input; }
@test "collapse-otlp: a missing file is an error" { check_missing_file; }
@test "collapse-otlp: a directory is an error" { check_directory; }
@test "collapse-otlp: a file without read permission is an error" { check_unreadable; }
@test "collapse-otlp: binary data are refused" { check_binary; }
@test "collapse-otlp: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-otlp: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-otlp: JSON that is not OpenTelemetry's is refused" {
	echo '{ "profiles": [ { "name": "end", "5": 5 } ] }' > it
	check_not_understood JSON
}

@test "collapse-otlp: a full disk is an error" { check_full_disk; }
@test "collapse-otlp: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-otlp: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-otlp: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-otlp: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-otlp: the locale changes nothing" { check_locales --SRCLINE --max-depth=1; }
@test "collapse-otlp: -o FILE writes to FILE" { check_output; }
@test "collapse-otlp: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-otlp: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-otlp: options may be abbreviated, with one dash, in any case" {
	check_spellings --system-names -system-names --SYS
}

# same_packed COMMAND... : checks that input which that command compressed reads like the
# original.
same_packed()
{
	plain
	"$@" < good > it
	same plain on it
	piped() { on - < it; }
	same plain piped
	slowly() { { head -c 15 it; sleep 0.1; tail -c +16 it; } | on; }
	same plain slowly
}

@test "collapse-otlp: gzip input is read" { same_packed gzip -c; }

@test "collapse-otlp: zstd input is read" {
	command -v zstd > /dev/null || skip "no zstd"
	same_packed zstd -qc
}

@test "collapse-otlp: gzip may have several members" {
	same_packed sh -c 'cat > all; head -c 30 all | gzip -c; tail -c +31 all | gzip -c'
}

@test "collapse-otlp: gzip that is cut short is an error" {
	many f 2000 > it
	gzip -c it > whole.gz
	head -c "$(($(wc -c < whole.gz) - 50))" whole.gz > part.gz
	try on part.gz
	fails 1 "cut short"
}

@test "collapse-otlp: several files add up; two profiles in one file are an error" {
	try on good good
	now "$output" = $'main;alpha 20000000\nmain;alpha;beta 40000000'
	cat good good > both
	try on both
	fails 1 "two profiles"
}

@test "collapse-otlp: --weight list prints the value; an unknown name is an error" {
	try on --weight list good
	now "$output" = 'cpu ns (default)'
	now "$status" -eq 0
	try on --weight none good
	fails 1 "'cpu'"
}

@test "collapse-otlp: a profile larger than --max-size is an error" {
	gzip -c good > it
	try on --max-size 100 it
	fails 1 "--max-size allows"
	try on --max-size 1K it
	now "$status" -eq 0
}

@test "collapse-otlp: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-otlp: input of another collapser is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-otlp: collapse-guess recognizes it, in a pipe and in a file" {
	plain
	guessed() { "$BIN/collapse-guess" "$@"; }
	same plain guessed good
	piped() { gzip -c good | "$BIN/collapse-guess"; }
	same plain piped
	try "$BIN/collapse-guess" good -- --root label:thread.name
	now "$output" = $'thread.name=one;main;alpha;beta 20000000\nthread.name=two;main;alpha 10000000'
}

@test "collapse-otlp: other collapsers name it when they get its input" {
	for program in collapse-perf collapse-go; do
		run "$BIN/$program" good
		[ "$status" -eq 1 ]
		[[ $output == *"good: this is a profile of OpenTelemetry: use collapse-otlp" ]]
	done
}

# Whatever is cut or changed, the exit status is 0 or 1.
@test "collapse-otlp: damaged input never crashes it" {
	local at size
	size=$(wc -c < good)
	for ((at = 1; at < size; at += 3)); do
		head -c "$at" good > part
		run "$BIN/$PROGRAM" part
		[ "$status" -le 1 ]
		{ head -c "$at" good; printf '\377\377'; tail -c "+$((at + 3))" good; } > part
		run "$BIN/$PROGRAM" --srcline --root thread part
		[ "$status" -le 1 ]
	done
}
