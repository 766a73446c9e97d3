#!/usr/bin/env bats
# The manners of collapse-elfutils.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-elfutils NOTHING=1

input()
{
	cat <<'END'
PID 2112 - process
TID 2112:
#0  0x00007f44dd390342 alpha(int) - /usr/bin/my app
    /srv/app.cpp:21:108
#1  0x0000558d74b25835 - 1 main - /usr/bin/my app
TID 2113:
#0  0x00007f44dd390342 beta
#1  0x00007f44dd1a71f5 start_thread@@GLIBC_2.34
TID 2114:
#0  0x00007f44dd390342 gamma
#1  0x00007f44dd1a71f5 start_thread@@GLIBC_2.34
END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "#0  0x%x f%d\n#1  0x4f main\n", i, i
	}'
}

long()
{
	printf '#0  0x4f f%s\n\n' "$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-elfutils: --help" { check_help; }
@test "collapse-elfutils: --version" { check_version; }
@test "collapse-elfutils: bad option" { check_bad_option; }
@test "collapse-elfutils: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-elfutils: argument to an option without one" { check_takes_no_argument --pid --tid; }
@test "collapse-elfutils: -- ends the options" { check_end_of_options; }
@test "collapse-elfutils: - is standard input" { check_dash; }
@test "collapse-elfutils: no file is standard input" { check_default_input; }
@test "collapse-elfutils: missing file" { check_missing_file; }
@test "collapse-elfutils: directory" { check_directory; }
@test "collapse-elfutils: file that cannot be read" { check_unreadable; }
@test "collapse-elfutils: binary input" { check_binary; }
@test "collapse-elfutils: perf.data" { check_perf_data; }
@test "collapse-elfutils: compressed input" { check_compressed; }
@test "collapse-elfutils: text that is something else" { check_text; }
@test "collapse-elfutils: full disk" { check_full_disk; }
@test "collapse-elfutils: closed standard output" { check_closed_stdout; }
@test "collapse-elfutils: closed standard input" { check_closed_stdin; }
@test "collapse-elfutils: closed standard error" { check_closed_stderr; }
@test "collapse-elfutils: broken pipe" { check_broken_pipe; }
@test "collapse-elfutils: CRLF" { check_crlf; }
@test "collapse-elfutils: NUL" { check_nul; }
@test "collapse-elfutils: line of 1 MB" { check_long_line; }
@test "collapse-elfutils: locales" { check_locales --TID --max-depth=1; }
@test "collapse-elfutils: several files" { check_concatenation; }
@test "collapse-elfutils: same input, same bytes" { check_same_bytes; }

@test "collapse-elfutils: spellings of options" {
	check_spellings --pid -pid --PI
	check_spellings --tid -tid --TI
	check_spellings '--pid --tid' '-tid -pid'
}

@test "collapse-elfutils: called as the older program" {
	on --tid good > tid
	ln -s "$BIN/collapse-elfutils" stackcollapse-elfutils.pl
	same tid ./stackcollapse-elfutils.pl --tid good
}

@test "collapse-elfutils: empty input" {
	: > empty
	try on empty
	fails 1 empty "did eu-stack fail"
}

@test "collapse-elfutils: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}
