#!/usr/bin/env bats
# Tests of collapse-chrome at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-chrome NOTHING=1

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-chrome/basic/input"
}

# events N [LENGTH] : prints N stacks. One of the names has that length.
events()
{
	awk -v n="$1" -v length_of="${2:-1}" 'BEGIN {
		name = "x"
		while (length(name) < length_of) name = name name
		print "{\"traceEvents\":["
		for (i = 1; i <= n; i++)
			printf "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,\"name\":\"f%d%s\"}%s\n",
				i * 9, i, i == 3 ? name : "", i < n ? "," : "]}"
	}'
}

# Prints many different stacks.
big()
{
	events 20000
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	events 5 1100000
}

on()
{
	program "$@"
}

# check_two_files : checks that their counts are added up, even with a byte-order mark.
check_two_files()
{
	{ printf '\357\273\277'; cat good; } > marked
	on good | sed 's/[0-9]*$/& &/' | awk '{ n = $NF + $(NF - 1); sub(/ [0-9]+ [0-9]+$/, ""); print $0, n }' > twice
	same twice on good marked
}

@test "collapse-chrome: --help prints the usage in 80 columns" { check_help; }
@test "collapse-chrome: --version prints the program's name and version" { check_version; }
@test "collapse-chrome: an unknown option is an error" { check_bad_option; }
@test "collapse-chrome: an option without its argument is an error" { check_needs_argument --max-depth --keep --cat --detail; }
@test "collapse-chrome: an argument to a flag is an error" { check_takes_no_argument --srcline --strict --idle --gpu; }
@test "collapse-chrome: -- ends the options" { check_end_of_options; }
@test "collapse-chrome: - is standard input" { check_dash; }
@test "collapse-chrome: without a file, it reads standard input" { check_default_input; }
@test "collapse-chrome: a missing file is an error" { check_missing_file; }
@test "collapse-chrome: a directory is an error" { check_directory; }
@test "collapse-chrome: a file without read permission is an error" { check_unreadable; }
@test "collapse-chrome: binary data are refused" { check_binary; }
@test "collapse-chrome: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-chrome: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-chrome: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-chrome: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-chrome: text that is no profile gives a message" { check_text; }
@test "collapse-chrome: a full disk is an error" { check_full_disk; }
@test "collapse-chrome: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-chrome: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-chrome: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-chrome: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-chrome: lines may end in CRLF" { check_crlf; }
@test "collapse-chrome: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-chrome: a line of 1 MB is read" { check_long_line; }
@test "collapse-chrome: the locale changes nothing" { check_locales --HEADER --unit=ns; }
@test "collapse-chrome: several files" { check_two_files; }
@test "collapse-chrome: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-chrome: -o FILE writes to FILE" { check_output; }
@test "collapse-chrome: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-chrome: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-chrome: options may be abbreviated, with one dash, in any case" {
	check_spellings '--unit ns' -unit=ns --UNIT=ns '--uni ns'
}

@test "collapse-chrome: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-chrome: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	printf '[{"ph":"B","pid":1,"tid":1,"ts":0,"name":"f"},{"ph":"X","pid":1,"tid":1,"ts":0,"dur":5,"name":"g"}' > it
	try on --strict it
	now "$status" -eq 1
	now -n "$output"
	says "begin events without an end event (1)" "--strict"
}

@test "collapse-chrome: a list may lack its end, but not end inside an event" {
	printf '[{"ph":"X","ts":0,"dur":5,"name":"f"},\n' > list
	try on --strict list
	now "$status" -eq 0
	now "$output" = "f 5"
	printf '{"ph":"X","ts":10,"du' >> list
	try on list
	now "$status" -eq 0
	now "$output" = "f 5"
	says "list:2: the trace is cut short"
	try on --strict list
	now "$status" -eq 1
}

@test "collapse-chrome: invalid JSON is an error that names the place" {
	printf '[{"ph":"X","ts":0,"dur":NaN,"name":"f"}]' > it
	try on it
	fails 1 "it:1: column"
}

@test "collapse-chrome: events may be nested a hundred thousand deep" {
	awk 'BEGIN {
		print "["
		for (i = 0; i < 100000; i++)
			printf "{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":5,\"name\":\"f%d\"},\n", i % 3
		print "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":7,\"name\":\"g\"},"
		for (i = 0; i < 100000; i++)
			print "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":12},"
	}' > deep
	try on --max-depth 2 deep
	now "$status" -eq 0
	now "$output" = "f0;f1 7"
}

@test "collapse-chrome: --weight list prints the value; an unknown name is an error" {
	try on --weight list good
	now "$output" = "time us (default)"
	try on --unit ns --weight list good
	now "$output" = "time ns (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
}

@test "collapse-chrome: --gpu counts another value, and needs events" {
	gpu=$BATS_TEST_DIRNAME/../golden/collapse-chrome/gpu/input
	try on --gpu --weight list "$gpu"
	now "$output" = "gpu-time us (default)"
	try on --gpu --source events --weight gpu-time "$gpu"
	now "$status" -eq 0
	try on --gpu --source profile "$gpu"
	fails 2 "--gpu needs events, so it does not work with --source=profile"
}

@test "collapse-chrome: --gpu gives the same stacks if the events come in another order, or compressed" {
	gpu=$BATS_TEST_DIRNAME/../golden/collapse-chrome/gpu/input
	on --gpu "$gpu" > wanted 2> message
	{ echo '['; grep '"ph"' "$gpu" | sed 's/,$//' | tac | sed '$!s/$/,/'; } > turned
	on --gpu turned > it 2>> message
	cmp wanted it
	gzip -c "$gpu" | on --gpu > it 2>> message
	cmp wanted it
}

@test "collapse-chrome: --gpu joins many kernels, and adds up those of two files" {
	awk 'BEGIN {
		print "["
		for (i = 1; i <= 30000; i++) {
			printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":3,\"args\":{\"device\":0,\"correlation\":%d}},\n", i % 2, i * 9 + 40, i
			printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"l%d\",\"pid\":4,\"tid\":4,\"ts\":%d,\"dur\":5,\"args\":{\"correlation\":%d}},\n", i % 2, i * 9, i
		}
		print "{}]"
	}' > many
	on --gpu --strict many > out
	now "$(cat out)" = "l0;k0 45000
l1;k1 45000"
	on --gpu --strict many many > out
	now "$(cat out)" = "l0;k0 90000
l1;k1 90000"
}

@test "collapse-chrome: a chain of nested intervals is bounded" {
	awk 'BEGIN {
		print "["
		for (i = 1; i <= 12000; i++)
			printf "{\"ph\":\"X\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"f\"},\n", i, 30000 - 2 * i
		print "{}]"
	}' > chain
	on chain > folded 2> message
	grep -q "^collapse-chrome: stacks with too many frames (" message
	now "$(wc -l < folded)" -eq $((12000 - $(sed -n 's/.*too many frames (\([0-9]*\))/\1/p' message)))
}
