#!/usr/bin/env bats
# Tests what collapse-jfr does with options, files and broken input.
# shellcheck disable=SC2154,SC2317 # bats sets what a command left; `same` calls functions
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-jfr NOTHING=1

input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-jfr/hand/good/input"
}

# Writes JSON with a stack for each line of standard input, the name of a method.
json()
{
	echo '{"recording": {"events": ['
	sed -e 's/.*/{"type": "jdk.ExecutionSample", "values": {"stackTrace": {"frames": [{"method": {"name": "&"}}]}}},/' \
		-e '$ s/,$//'
	echo ']}}'
}

big()
{
	awk -v name="$(xs 1000)" 'BEGIN { for (i = 0; i < 1000; i++) print name i "f" }' | json
}

long() { { xs 1100000; echo; } | json; }

on()
{
	program "$@"
}

@test "collapse-jfr: --help prints the usage in 80 columns" { check_help; }
@test "collapse-jfr: --version prints the program's name and version" { check_version; }
@test "collapse-jfr: an unknown option is an error" { check_bad_option; }
@test "collapse-jfr: an option without its argument is an error" { check_needs_argument --event --weight --root --thread --max-size --keep; }
@test "collapse-jfr: an argument to a flag is an error" { check_takes_no_argument --srcline --time-order --strict; }
@test "collapse-jfr: -- ends the options" { check_end_of_options; }
@test "collapse-jfr: - is standard input" { check_dash; }
@test "collapse-jfr: without a file, it reads standard input" { check_default_input; }
@test "collapse-jfr: a missing file is an error" { check_missing_file; }
@test "collapse-jfr: a directory is an error" { check_directory; }
@test "collapse-jfr: a file without read permission is an error" { check_unreadable; }
@test "collapse-jfr: binary data are refused" { check_binary; }
@test "collapse-jfr: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-jfr: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-jfr: a full disk is an error" { check_full_disk; }
@test "collapse-jfr: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-jfr: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-jfr: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-jfr: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-jfr: a line of 1 MB is read" { check_long_line; }
@test "collapse-jfr: the locale changes nothing" { check_locales --SRCLINE --max-depth=1; }
@test "collapse-jfr: -o FILE writes to FILE" { check_output; }
@test "collapse-jfr: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-jfr: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-jfr: options may be abbreviated, with one dash, in any case" {
	check_spellings --srcline -srcline --SRC
	check_spellings "--root thread" "-root thread" --root=thread
}

@test "collapse-jfr: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-jfr: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-jfr: JSON of another program is refused" {
	echo '{ "profiles": [ { "name": "end", "5": 5 } ] }' > it
	check_not_understood JSON
}

@test "collapse-jfr: blocks may end anywhere" {
	plain
	for at in 3 67 69 500 1500; do
		slowly() { { head -c "$at" good; sleep 0.05; tail -c +$((at + 1)) good; } | on; }
		same plain slowly
	done
}

@test "collapse-jfr: gzip and zstd are read, as files and in pipes" {
	plain
	gzip -c good > good.gz
	same plain on good.gz
	piped() { on - < good.gz; }
	same plain piped
	command -v zstd > /dev/null || skip "no zstd"
	zstd -qc good > good.zst
	same plain on good.zst
}

@test "collapse-jfr: several recordings add up, in one file or in many" {
	cat good good > both
	on both > plain
	same plain on good good
	now "$(head -n 1 plain)" != "$(on good | head -n 1)"
}

@test "collapse-jfr: a recording that is cut anywhere does not crash it" {
	size=$(wc -c < good)
	for ((at = 1; at < size; at += 97)); do
		head -c "$at" good > part
		try on part
		now "$status" -le 1
	done
}

@test "collapse-jfr: collapse-guess and the folded programs recognise a recording" {
	plain
	same plain "$BIN/collapse-guess" good
	"$BIN/flamegraph" good > direct.svg
	program --header good | "$BIN/flamegraph" | cmp - direct.svg
}

# Prints a recording whose metadata comes twice and changes the type of a stack, so that
# its 8 stacks are read differently and overlap.
other_types()
{
	base64 -d << 'end'
H4sIAAAAAAACA5VS207bQBDds2M7jhOSJQkBAuFO4Ski0D71sSpPLaqa/IBJFjDxBdkbVL6Al35B
P6lf1R1ClEhVkbqWzvjM7MzO7fLLdyGkeD10L/7jfPz1mwWeIexXJXcUh0VBMhoT+uSkYaLJibP0
ltybSMdWG5Lsv6fW/XjSM08PuugNTDiaDPNwpK3lnNTC8lWbu2xMTp5lpiJISEhybKookQ9XksdZ
S5QpmLMJYLORNR9KKlKOcpWnSspX1VNAguDAhYcSfJQRoIIqVlBDHQqraKCJFtbQxjo2sIkOtrCN
Lnawiz3s4wCHOMIx3uEEp/jpcMXHb1QMLiZ8DHtxmN7aMvOIlRdEUWrm7fCKmVr2z5YrHzwl11lM
1VGWFiZMzbfMMsfkU+5Rn+qLsJ9eXnfY7R/t85KZDOIo1VfT5Frn9ubFXyO4zDl174ZFQeVxlOi0
iLL0jXn5nMcVu8n+h+Vih3e5DsdUtsnnZmgjUUU/6tS86oNiaebnZ9Tk6J9/6NHU2AcHYfIQ69nY
j0SwGLtrZzybPosKVVGWFAiXWZ2UXQQiUVmpMW9QU1q+KuqWLxvatM6GlmiwQdKaKLG6Q1vsvyHa
my9L1aUd5ttztwM6JHt71y6ZVe+J7izsvujYH7dlV4FBMhCDw+AyeAwlBv8PiCnJA2oDAAA=
end
}

@test "collapse-jfr: overlapping stacks are bounded" {
	other_types > other
	try on other
	now "$status" -eq 0
	[[ $stderr == *'stacks with too many frames (4)'* ]]
}
