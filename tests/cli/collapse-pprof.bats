#!/usr/bin/env bats
# Tests of collapse-pprof at the command line; see manners.bash.
# shellcheck disable=SC2154,SC2317 # bats sets what a command left; `same` calls functions
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-pprof NOTHING=1

# proto : makes a message from its source on standard input.
proto()
{
	"$BATS_TEST_DIRNAME/../data/proto"
}

input()
{
	proto <<'END'
1 { 1 1 2 2 } 1 { 1 3 2 4 }
2 { 1 [3 2 1] 2 [2 20000000] 3 { 1 8 2 9 } }
2 { 1 [2 1] 2 [1 10000000] 3 { 1 8 2 10 } }
4 { 1 1 4 { 1 1 2 3 } }
4 { 1 2 4 { 1 2 2 4 } }
4 { 1 3 4 { 1 3 2 5 } }
5 { 1 1 2 5 4 11 }
5 { 1 2 2 6 4 11 }
5 { 1 3 2 7 3 12 4 11 }
6 "" 6 "samples" 6 "count" 6 "cpu" 6 "nanoseconds" 6 "main" 6 "alpha" 6 "beta"
6 "thread" 6 "one" 6 "two" 6 "main.go" 6 "_Z4betav"
END
}

# Prints a stack for each of many functions, whose names start with $1.
many()
{
	awk -v name="$1" -v count="$2" 'BEGIN {
		print "1 { 1 1 2 1 } 6 \"\" 6 \"samples\" 6 \"alpha\""
		for (i = 1; i <= count; i++) {
			print "2 { 1 [" i "] 2 [1] } 4 { 1 " i " 4 { 1 " i " } } 5 { 1 " i " 2 " i + 2 " }"
			print "6 \"" name i "\""
		}
	}' | proto
}

big() { many "$(xs 1000)" 1000; }

# The bytes of printf are a tag and the length of the name.
long()
{
	proto <<< '1 { 1 1 2 1 } 2 { 1 1 2 [7] } 4 { 1 1 4 { 1 1 } } 5 { 1 1 2 2 } 6 "" 6 "samples"'
	printf '\062\340\221\103'
	xs 1100000
}

on()
{
	program "$@"
}

@test "collapse-pprof: --help prints the usage in 80 columns" { check_help; }
@test "collapse-pprof: --version prints the program's name and version" { check_version; }
@test "collapse-pprof: an unknown option is an error" { check_bad_option; }
@test "collapse-pprof: an option without its argument is an error" { check_needs_argument --weight --root --thread --max-size --keep; }
@test "collapse-pprof: an argument to a flag is an error" { check_takes_no_argument --srcline --system-names --strict; }
@test "collapse-pprof: -- ends the options" { check_end_of_options; }
@test "collapse-pprof: - is standard input" { check_dash; }
@test "collapse-pprof: without a file, it reads standard input" { check_default_input; }
@test "collapse-pprof: a missing file is an error" { check_missing_file; }
@test "collapse-pprof: a directory is an error" { check_directory; }
@test "collapse-pprof: a file without read permission is an error" { check_unreadable; }
@test "collapse-pprof: binary data are refused" { check_binary; }
@test "collapse-pprof: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-pprof: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-pprof: JSON is refused" {
	echo '{ "profiles": [ { "name": "end", "5": 5 } ] }' > it
	check_not_understood JSON
}

@test "collapse-pprof: a full disk is an error" { check_full_disk; }
@test "collapse-pprof: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-pprof: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-pprof: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-pprof: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-pprof: a line of 1 MB is read" { check_long_line; }
@test "collapse-pprof: the locale changes nothing" { check_locales --SRCLINE --max-depth=1; }
@test "collapse-pprof: -o FILE writes to FILE" { check_output; }
@test "collapse-pprof: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-pprof: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-pprof: options may be abbreviated, with one dash, in any case" {
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

@test "collapse-pprof: gzip input is read" { same_packed gzip -c; }

@test "collapse-pprof: zstd input is read" {
	command -v zstd > /dev/null || skip "no zstd"
	same_packed zstd -qc
}

@test "collapse-pprof: gzip may have several members" {
	same_packed sh -c 'cat > all; head -c 30 all | gzip -c; tail -c +31 all | gzip -c'
}

@test "collapse-pprof: gzip that is cut short is read with a warning" {
	many f 2000 > it
	gzip -c it > whole.gz
	head -c "$(($(wc -c < whole.gz) - 50))" whole.gz > part.gz
	try on part.gz
	now "$status" -eq 0
	says "part.gz: " "cut short"
	try on --strict part.gz
	now "$status" -eq 1
	head -c 30 whole.gz > part.gz
	try on part.gz
	fails 1 "cut short"
}

@test "collapse-pprof: several files add up; two profiles in one file are an error" {
	try on good good
	now "$output" = $'main;alpha 20000000\nmain;alpha;beta 40000000'
	cat good good > both
	try on both
	fails 1 "two profiles"
	gzip -c good > one.gz
	cat one.gz one.gz > both.gz
	try on both.gz
	fails 1 "two profiles"
}

@test "collapse-pprof: files that count different things are an error" {
	proto > other <<< '1 { 1 1 2 2 } 2 { 2 7 } 6 "" 6 "heap" 6 "bytes"'
	try on good other
	fails 1 "other: this profile counts 'heap', but earlier profiles count 'cpu'"
	try on --weight cpu good other
	fails 1 "other: there is no value 'cpu' for --weight"
}

@test "collapse-pprof: --weight chooses a value; an unknown name is an error" {
	try on --weight list good
	now "$output" = $'samples count\ncpu ns (default)'
	now "$status" -eq 0
	try on --weight samples good
	now "$output" = $'main;alpha 1\nmain;alpha;beta 2'
	try on --weight none good
	fails 1 "'samples', 'cpu'"
}

@test "collapse-pprof: a profile larger than --max-size is an error" {
	gzip -c good > it
	try on --max-size 100 it
	fails 1 "--max-size allows"
	try on --max-size 1K it
	now "$status" -eq 0
}

@test "collapse-pprof: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-pprof: input of another collapser is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
	printf 'heap profile: 1: 2 [3: 4] @ heap/5\n' > it
	check_not_understood "use collapse-gperftools"
}

@test "collapse-pprof: collapse-guess recognizes it, in a pipe and in a file" {
	plain
	guessed() { "$BIN/collapse-guess" "$@"; }
	same plain guessed good
	piped() { gzip -c good | "$BIN/collapse-guess"; }
	same plain piped
	try "$BIN/collapse-guess" good -- --weight samples --root label:thread
	now "$output" = $'thread=one;main;alpha;beta 2\nthread=two;main;alpha 1'
}

@test "collapse-pprof: other collapsers name it when they get its input" {
	for program in collapse-perf collapse-go; do
		run "$BIN/$program" good
		[ "$status" -eq 1 ]
		[[ $output == *"good: this is a profile of pprof: use collapse-pprof" ]]
	done
}

# Prints one stack with 1200 lines of a function whose name has 60,000 bytes.
lines()
{
	local i
	{
		printf '1 { 1 1 2 1 } 2 { 1 ['
		printf '%s ' {1..1200}
		printf '] 2 [7] } 5 { 1 1 2 3 4 2 } 6 "" 6 "samples" 6 "a.go"\n'
		for i in {1..1200}; do echo "4 { 1 $i 4 { 1 1 2 5$i } }"; done
	} | proto
	printf '\062\340\324\003'
	xs 60000
}

@test "collapse-pprof: a long name that many frames share is in memory once" {
	lines > wide
	[ "$(within 40000 wide | tr -d 'x\n' | wc -c)" -eq 1201 ] # 1199 ';' and " 7"
}

@test "collapse-pprof: lines added to long names are bounded" {
	lines > wide
	within 150000 --srcline wide 2> messages | tr -d x | tr ';' '\n' > found
	[ "$(wc -l < found)" -eq 1200 ]
	[ "$(grep -c '^:a.go:5' found)" -eq 1118 ]
	grep "source lines not shown, because names get too long (82)$" messages
	run "$BIN/$PROGRAM" --srcline --strict -o none wide
	[ "$status" -eq 1 ]
}

# Whatever is cut or changed, the exit status is 0 or 1.
@test "collapse-pprof: damaged input never crashes it" {
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

@test "collapse-pprof: --lines and --srcline are two forms of one thing" {
	try on --lines --srcline good
	fails 2 '--lines and --srcline append lines in different forms: use only one'
}
