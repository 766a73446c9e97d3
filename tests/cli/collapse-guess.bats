#!/usr/bin/env bats
# Tests of collapse-guess at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners
load libraries
load perf-text

export PROGRAM=collapse-guess NOTHING=1 LACKS='end_of_options perf_data'

on()
{
	program "$@"
}

@test "collapse-guess: it behaves like every collapser" { manners; }

@test "collapse-guess: the options of the format come after --" {
	"$BIN/collapse-perf" --tid --all good > plain
	same plain on good -- --tid --all
	same plain program -q good -- --all --tid
	"$BIN/collapse-perf" --keep=beta --tid good > plain
	same plain on good --keep beta -- --tid
	try on good -- --no-such
	fails 2 "'--no-such'" "collapse-guess --help"
	try on good -- more
	fails 2 "'more' must come before --"
	try on good -- -o file
	fails 2 "'--output' must come before --"
	now ! -e file
	try on good -- --help
	now "$status" -eq 0
	[[ $output == *--skip-after* ]] || now "$output" = "the help of collapse-perf"
	try on --tid good
	fails 2 "'--tid'"
}

@test "collapse-guess: -v says which format it found" {
	try on -v good
	now "$status" -eq 0
	says "good: this is the output of perf script"
	printf '@[\n    f+1\n    main+2\n]: 5\n' > it
	try on -v it
	now "$output" = "main;f 5"
	says "it: this is the output of bpftrace"
}

@test "collapse-guess: folded stacks are added up" {
	printf 'b;a 1\nmain;f;f 2\nmain;f;f 3\n' > it
	try on it
	now "$status" -eq 0
	now -z "$stderr"
	now "$output" = $'b;a 1\nmain;f;f 5'
}

@test "collapse-guess: a recording of perf is read, from a slow pipe too" {
	needs_library libelf
	data=$BATS_TEST_DIRNAME/../data/perfdata
	"$BIN/collapse-perf" "$data/frames.data" > plain 2> /dev/null
	same plain on "$data/frames.data"
	cat "$data/pipe.stream" > stream
	"$BIN/collapse-perf" stream > plain 2> /dev/null
	slow() { { head -c 5 stream; sleep 0.1; tail -c +6 stream; } | program; }
	same plain slow
}

@test "collapse-guess: input of no known format is an error that shows its start" {
	printf 'Some words.\nOthers.\n' > it
	try on it
	fails 1 "it: the input has none of the known formats (perf, bpftrace, " "it starts with 'Some words.'"
	: > empty
	try on empty
	fails 1 "empty: the input is empty"
	{ yes '# a comment' | head -n 10000; cat good; } > late
	plain
	same plain on late
}
