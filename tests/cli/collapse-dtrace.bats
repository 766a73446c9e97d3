#!/usr/bin/env bats
# The manners of collapse-dtrace.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-dtrace NOTHING=1

input()
{
	cat <<'END'
CPU     ID                    FUNCTION:NAME
  0  41212                        :tick-10s

               41
              app`alpha(int)+0x30
              app`main+0x43
                5
               42
              app`beta+0x30
              app`main+0x43
                7

              app`gamma+0x31
              app`main+0x43
               11
END
}

big()
{
	echo
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "app`f%d+0x1\napp`main+0x43\n%d\n", i, i + 1
	}'
}

long()
{
	printf '\napp`f%s+0x43\n7\n' "$(xs 1100000)"
	input | tail -n +3
}

on()
{
	program "$@"
}

@test "collapse-dtrace: --help" { check_help; }
@test "collapse-dtrace: --version" { check_version; }
@test "collapse-dtrace: bad option" { check_bad_option; }
@test "collapse-dtrace: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-dtrace: argument to an option without one" { check_takes_no_argument --offsets --includeoffset; }
@test "collapse-dtrace: -- ends the options" { check_end_of_options; }
@test "collapse-dtrace: - is standard input" { check_dash; }
@test "collapse-dtrace: no file is standard input" { check_default_input; }
@test "collapse-dtrace: missing file" { check_missing_file; }
@test "collapse-dtrace: directory" { check_directory; }
@test "collapse-dtrace: file that cannot be read" { check_unreadable; }
@test "collapse-dtrace: binary input" { check_binary; }
@test "collapse-dtrace: perf.data" { check_perf_data; }
@test "collapse-dtrace: compressed input" { check_compressed; }
@test "collapse-dtrace: text that is something else" { check_text; }
@test "collapse-dtrace: full disk" { check_full_disk; }
@test "collapse-dtrace: closed standard output" { check_closed_stdout; }
@test "collapse-dtrace: closed standard input" { check_closed_stdin; }
@test "collapse-dtrace: closed standard error" { check_closed_stderr; }
@test "collapse-dtrace: broken pipe" { check_broken_pipe; }
@test "collapse-dtrace: CRLF" { check_crlf; }
@test "collapse-dtrace: NUL" { check_nul; }
@test "collapse-dtrace: line of 1 MB" { check_long_line; }
@test "collapse-dtrace: locales" { check_locales --OFFSETS --max-depth=1; }
@test "collapse-dtrace: several files" { check_concatenation; }
@test "collapse-dtrace: same input, same bytes" { check_same_bytes; }

@test "collapse-dtrace: spellings of options" {
	check_spellings --offsets -offsets --OFF --includeoffset
}

@test "collapse-dtrace: called as the older programs" {
	local name
	on --offsets good > offsets
	for name in stackcollapse.pl inferno-collapse-dtrace; do
		ln -s "$BIN/collapse-dtrace" $name
		same offsets ./$name --includeoffset good
	done
	same offsets ./inferno-collapse-dtrace --nthreads 2 --includeoffset good
}

@test "collapse-dtrace: empty input" {
	: > empty
	try on empty
	fails 1 empty "did dtrace fail"
}

@test "collapse-dtrace: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-dtrace: --strict" {
	on --strict good > out
	printf 'app`alpha+0x1\n' >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says incomplete "--strict"
}
