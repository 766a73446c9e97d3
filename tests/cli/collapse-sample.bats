#!/usr/bin/env bats
# The manners of collapse-sample.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-sample NOTHING=1

# report : a report with the rows on standard input as its call graph.
report()
{
	echo 'Analysis of sampling app (pid 41) every 1 millisecond'
	echo 'Call graph:'
	cat
	echo
	echo 'Total number in stack (recursive counted multiple, when >=5):'
}

input()
{
	report <<-'END'
		    23 Thread_7   DispatchQueue_1: com.apple.main-thread  (serial)
		    + 23 main  (in app) + 43  [0x1000]
		    +   5 alpha(int)  (in libapp.dylib) + 30  [0x2000]
		    +   7 beta  (in libapp.dylib) + 31  [0x3000]
		    +   11 read  (in libsystem_kernel.dylib) + 10  [0x4000]
	END
}

big()
{
	awk 'BEGIN {
		print "    20000 Thread_7"
		for (i = 0; i < 20000; i++) printf "      1 f%d  (in app) + 4  [0x1]\n", i
	}' | report
}

long()
{
	report <<-END
		    7 Thread_7
		      3 f$(xs 1100000)  (in app) + 4  [0x1]
		      4 beta  (in app) + 4  [0x1]
	END
}

on()
{
	program "$@"
}

@test "collapse-sample: --help" { check_help; }
@test "collapse-sample: --version" { check_version; }
@test "collapse-sample: bad option" { check_bad_option; }
@test "collapse-sample: missing argument" { check_needs_argument --max-depth --keep; }
@test "collapse-sample: argument to an option without one" { check_takes_no_argument --idle --strict; }
@test "collapse-sample: -- ends the options" { check_end_of_options; }
@test "collapse-sample: - is standard input" { check_dash; }
@test "collapse-sample: no file is standard input" { check_default_input; }
@test "collapse-sample: missing file" { check_missing_file; }
@test "collapse-sample: directory" { check_directory; }
@test "collapse-sample: file that cannot be read" { check_unreadable; }
@test "collapse-sample: binary input" { check_binary; }
@test "collapse-sample: perf.data" { check_perf_data; }
@test "collapse-sample: compressed input" { check_compressed; }
@test "collapse-sample: text that is something else" { check_text; }
@test "collapse-sample: full disk" { check_full_disk; }
@test "collapse-sample: closed standard output" { check_closed_stdout; }
@test "collapse-sample: closed standard input" { check_closed_stdin; }
@test "collapse-sample: closed standard error" { check_closed_stderr; }
@test "collapse-sample: broken pipe" { check_broken_pipe; }
@test "collapse-sample: CRLF" { check_crlf; }
@test "collapse-sample: NUL" { check_nul; }
@test "collapse-sample: line of 1 MB" { check_long_line; }
@test "collapse-sample: locales" { check_locales --IDLE --no-modules; }
@test "collapse-sample: several files" { check_concatenation; }
@test "collapse-sample: same input, same bytes" { check_same_bytes; }

@test "collapse-sample: spellings of options" {
	check_spellings --idle -idle --ID
	check_spellings --no-modules -no-modules --no-mod
}

@test "collapse-sample: threads that wait are told of" {
	try on good
	says "11 samples were set aside" "--idle"
	on -q good 2> err
	[ ! -s err ]
	on --idle good 2> err
	[ ! -s err ]
}

@test "collapse-sample: the older names" {
	local name
	plain
	for name in stackcollapse-sample.awk inferno-collapse-sample; do
		ln -s "$BIN/collapse-sample" $name
		same plain ./$name good
		on --no-modules good > names
		same names ./$name --no-modules good
	done
}

@test "collapse-sample: a report that is cut short" {
	head -n 4 good > part
	try on part
	now "$status" -eq 0
	says "part:4" "cut short"
}

@test "collapse-sample: empty input" {
	: > empty
	try on empty
	fails 1 empty "did sample fail"
}

@test "collapse-sample: the other programs name it" {
	local other
	for other in bpftrace xctrace; do
		"$BIN/collapse-$other" good 2> err && return 1
		grep -q "use collapse-sample" err
	done
}

@test "collapse-sample: --strict" {
	on --strict good > out
	sed 's/^    +   5/    +   five/' good > odd
	mv odd good
	try on --strict good
	now "$status" -eq 1
	now -n "$output"
	says "not understood" "--strict"
}

@test "collapse-sample: parentheses that are never closed take no time" {
	{
		printf '    7 Thread_7\n      7 f'
		awk 'BEGIN { for (i = 0; i < 200000; i++) printf "  (in " }'
		echo
	} | report > unclosed
	{
		printf '    7 Thread_7\n      7 f'
		awk 'BEGIN { for (i = 0; i < 100000; i++) printf "  (in "
			     for (i = 0; i < 100000; i++) printf ")" }'
		echo x
	} | report > nested
	for file in unclosed nested; do
		try bash -c 'ulimit -t 10; exec "$@"' - "$BIN/$PROGRAM" "$file"
		now "$status" -eq 0
	done
}
