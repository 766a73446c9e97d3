#!/usr/bin/env bats
# The manners of collapse-jfr.
# shellcheck disable=SC2154,SC2317 # bats sets what a command left; `same` calls functions
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-jfr NOTHING=1

input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-jfr/hand/good/input"
}

# As JSON, a stack for each method that standard input names.
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

@test "collapse-jfr: --help" { check_help; }
@test "collapse-jfr: --version" { check_version; }
@test "collapse-jfr: bad option" { check_bad_option; }
@test "collapse-jfr: missing argument" { check_needs_argument --event --weight --root --thread --max-size --keep; }
@test "collapse-jfr: argument to an option without one" { check_takes_no_argument --srcline --time-order --strict; }
@test "collapse-jfr: -- ends the options" { check_end_of_options; }
@test "collapse-jfr: - is standard input" { check_dash; }
@test "collapse-jfr: no file is standard input" { check_default_input; }
@test "collapse-jfr: missing file" { check_missing_file; }
@test "collapse-jfr: directory" { check_directory; }
@test "collapse-jfr: file that cannot be read" { check_unreadable; }
@test "collapse-jfr: binary input" { check_binary; }
@test "collapse-jfr: perf.data" { check_perf_data; }
@test "collapse-jfr: compressed input" { check_compressed; }
@test "collapse-jfr: full disk" { check_full_disk; }
@test "collapse-jfr: closed standard output" { check_closed_stdout; }
@test "collapse-jfr: closed standard input" { check_closed_stdin; }
@test "collapse-jfr: closed standard error" { check_closed_stderr; }
@test "collapse-jfr: broken pipe" { check_broken_pipe; }
@test "collapse-jfr: name of 1 MB" { check_long_line; }
@test "collapse-jfr: locales" { check_locales --SRCLINE --max-depth=1; }
@test "collapse-jfr: -o FILE" { check_output; }
@test "collapse-jfr: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-jfr: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-jfr: spellings of options" {
	check_spellings --srcline -srcline --SRC
	check_spellings "--root thread" "-root thread" --root=thread
}

@test "collapse-jfr: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-jfr: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-jfr: JSON of others" {
	echo '{ "profiles": [ { "name": "end", "5": 5 } ] }' > it
	check_not_understood JSON
}

@test "collapse-jfr: blocks end anywhere" {
	plain
	for at in 3 67 69 500 1500; do
		slowly() { { head -c "$at" good; sleep 0.05; tail -c +$((at + 1)) good; } | on; }
		same plain slowly
	done
}

@test "collapse-jfr: gzip and zstd, as files and in pipes" {
	plain
	gzip -c good > good.gz
	same plain on good.gz
	piped() { on - < good.gz; }
	same plain piped
	command -v zstd > /dev/null || skip "no zstd"
	zstd -qc good > good.zst
	same plain on good.zst
}

@test "collapse-jfr: recordings add up, in files or in one" {
	cat good good > both
	on both > plain
	same plain on good good
	now "$(head -n 1 plain)" != "$(on good | head -n 1)"
}

@test "collapse-jfr: a recording that is cut anywhere does no harm" {
	size=$(wc -c < good)
	for ((at = 1; at < size; at += 97)); do
		head -c "$at" good > part
		try on part
		now "$status" -le 1
	done
}

@test "collapse-jfr: collapse-guess and the folded programs know it" {
	plain
	same plain "$BIN/collapse-guess" good
	"$BIN/flamegraph" good > direct.svg
	program --header good | "$BIN/flamegraph" | cmp - direct.svg
}

# Types of a stack come twice in it, so that its 8 stacks are other ones, which overlap.
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

@test "collapse-jfr: stacks that overlap are not read without end" {
	other_types > other
	try on other
	now "$status" -eq 0
	[[ $stderr == *'stacks with more frames than are read (4)'* ]]
}
