#!/usr/bin/env bats
# The manners of collapse-vtune.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-vtune NOTHING=1

input()
{
	cat <<-'END'
		war: Column filter is ON.
		Function Stack,CPU Time:Self,Instructions:Self,Module
		Total,0,0,[Unknown]
		 main,0.5,7,app
		  "alpha(int, int)",0.25,5,libapp.so
		  beta,0.125,3,libapp.so
	END
}

big()
{
	awk 'BEGIN {
		print "Function Stack,CPU Time:Self"
		for (i = 0; i < 20000; i++) printf "f%d,%d\n", i, i + 1
	}'
}

long()
{
	echo "Function Stack,CPU Time:Self"
	echo "f$(xs 1100000),7"
	echo "beta,7"
}

on()
{
	program "$@"
}

@test "collapse-vtune: --help" { check_help; }
@test "collapse-vtune: --version" { check_version; }
@test "collapse-vtune: bad option" { check_bad_option; }
@test "collapse-vtune: missing argument" { check_needs_argument --column --keep; }
@test "collapse-vtune: argument to an option without one" { check_takes_no_argument --us --strict; }
@test "collapse-vtune: -- ends the options" { check_end_of_options; }
@test "collapse-vtune: - is standard input" { check_dash; }
@test "collapse-vtune: no file is standard input" { check_default_input; }
@test "collapse-vtune: missing file" { check_missing_file; }
@test "collapse-vtune: directory" { check_directory; }
@test "collapse-vtune: file that cannot be read" { check_unreadable; }
@test "collapse-vtune: binary input" { check_binary; }
@test "collapse-vtune: perf.data" { check_perf_data; }
@test "collapse-vtune: compressed input" { check_compressed; }
@test "collapse-vtune: text that is something else" { check_text; }
@test "collapse-vtune: full disk" { check_full_disk; }
@test "collapse-vtune: closed standard output" { check_closed_stdout; }
@test "collapse-vtune: closed standard input" { check_closed_stdin; }
@test "collapse-vtune: closed standard error" { check_closed_stderr; }
@test "collapse-vtune: broken pipe" { check_broken_pipe; }
@test "collapse-vtune: CRLF" { check_crlf; }
@test "collapse-vtune: NUL" { check_nul; }
@test "collapse-vtune: line of 1 MB" { check_long_line; }
@test "collapse-vtune: locales" { check_locales --US --no-modules; }
@test "collapse-vtune: several files" { check_concatenation; }
@test "collapse-vtune: same input, same bytes" { check_same_bytes; }

@test "collapse-vtune: spellings of options" {
	check_spellings '--column Instructions:Self' --column=Instructions:Self '-column Instructions:Self'
	check_spellings --us -us --US
	check_spellings --no-modules -no-modules --no-mod
}

@test "collapse-vtune: the older names" {
	plain
	ln -s "$BIN/collapse-vtune" stackcollapse-vtune.pl
	ln -s "$BIN/collapse-vtune" inferno-collapse-vtune
	same plain ./stackcollapse-vtune.pl good
	on --no-modules good > names
	same names ./inferno-collapse-vtune --no-modules good
}

@test "collapse-vtune: the older name for memory" {
	ln -s "$BIN/collapse-vtune" stackcollapse-vtune-mc.pl
	printf '%s\n' 'Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module' \
		'main,4096,0,2,app' > memory
	[ "$(./stackcollapse-vtune-mc.pl memory)" = 'app`main 2' ]
	[ "$(./stackcollapse-vtune-mc.pl --size memory)" = 'app`main 4096' ]
	[ "$(on memory)" = 'app`main 4096' ]
}

@test "collapse-vtune: empty input" {
	: > empty
	try on empty
	fails 1 empty "did vtune fail"
}

@test "collapse-vtune: the other programs name it" {
	local other
	for other in bpftrace xctrace; do
		"$BIN/collapse-$other" good 2> err && return 1
		grep -q "use collapse-vtune" err
	done
}

@test "collapse-vtune: --strict" {
	on --strict good > out
	echo "gamma" >> good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}
