#!/usr/bin/env bats
# The manners of collapse-guess.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners
load perf-text

export PROGRAM=collapse-guess NOTHING=1

on()
{
	program "$@"
}

@test "collapse-guess: --help" { check_help; }
@test "collapse-guess: --version" { check_version; }
@test "collapse-guess: bad option" { check_bad_option; }
@test "collapse-guess: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-guess: argument to an option without one" { check_takes_no_argument --verbose --strict; }
@test "collapse-guess: - is standard input" { check_dash; }
@test "collapse-guess: no file is standard input" { check_default_input; }
@test "collapse-guess: missing file" { check_missing_file; }
@test "collapse-guess: directory" { check_directory; }
@test "collapse-guess: file that cannot be read" { check_unreadable; }
@test "collapse-guess: binary input" { check_binary; }
@test "collapse-guess: gzip input" { check_gzip; }
@test "collapse-guess: zstd input" { check_zstd; }
@test "collapse-guess: compressed input" { check_compressed; }
@test "collapse-guess: JSON, the output of perf report" { check_other_text; }
@test "collapse-guess: text that is something else" { check_text; }
@test "collapse-guess: full disk" { check_full_disk; }
@test "collapse-guess: closed standard output" { check_closed_stdout; }
@test "collapse-guess: closed standard input" { check_closed_stdin; }
@test "collapse-guess: closed standard error" { check_closed_stderr; }
@test "collapse-guess: broken pipe" { check_broken_pipe; }
@test "collapse-guess: CRLF" { check_crlf; }
@test "collapse-guess: NUL" { check_nul; }
@test "collapse-guess: line of 1 MB" { check_long_line; }
@test "collapse-guess: locales" { check_locales --RECURSION=cycles --drop=beta; }
@test "collapse-guess: several files" { check_concatenation; }
@test "collapse-guess: same input, same bytes" { check_same_bytes; }
@test "collapse-guess: --output" { check_output; }
@test "collapse-guess: --output keeps permissions and links, and the file on failure" { check_output_kept; }
@test "collapse-guess: --output that cannot be written" { check_output_cannot_be_written; }
@test "collapse-guess: a signal leaves the file of --output alone" { check_output_killed; }
@test "collapse-guess: output that is the input" { check_output_is_input; }

@test "collapse-guess: the options of the format come after --" {
	"$BIN/collapse-perf" --tid --all good > plain
	same plain on good -- --tid --all
	same plain program -q good -- --all --tid
	"$BIN/collapse-perf" --keep=beta --tid good > plain
	same plain on good --keep beta -- --tid
	try on good -- --no-such
	fails 2 "'--no-such'" "collapse-guess --help"
	try on good -- more
	fails 2 "'more' has to stand before --" collapse-perf
	try on good -- -o file
	fails 2 "'--output' has to stand before --"
	now ! -e file
	try on good -- --help
	now "$status" -eq 0
	[[ $output == *--skip-after* ]] || now "$output" = "the help of collapse-perf"
	try on --tid good
	fails 2 "'--tid'"
}

@test "collapse-guess: -v says what the input was taken for" {
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

@test "collapse-guess: a recording of perf" {
	data=$BATS_TEST_DIRNAME/../data/perfdata
	"$BIN/collapse-perf" "$data/frames.data" > plain 2> /dev/null || skip "built without libelf"
	same plain on "$data/frames.data"
	cat "$data/pipe.stream" > stream
	"$BIN/collapse-perf" stream > plain 2> /dev/null
	slow() { { head -c 5 stream; sleep 0.1; tail -c +6 stream; } | program; }
	same plain slow
}

@test "collapse-guess: input of no known format" {
	printf 'Some words.\nOthers.\n' > it
	try on it
	fails 1 "it: the input is none of perf, bpftrace, " "it starts with 'Some words.'"
	: > empty
	try on empty
	fails 1 "empty: the input is empty"
	{ yes '# a comment' | head -n 10000; cat good; } > late
	plain
	same plain on late
}
