#!/usr/bin/env bats
# Tests of collapse-sample at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-sample NOTHING=1 LOCALES='--IDLE --no-modules'

# report : prints a report whose call graph is the rows on standard input.
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

@test "collapse-sample: it behaves like every collapser" { manners --idle; }

@test "collapse-sample: options may be abbreviated, with one dash, in any case" {
	check_spellings --idle -idle --ID
	check_spellings --no-modules -no-modules --no-mod
}

@test "collapse-sample: waiting threads are skipped with a message" {
	try on good
	says "11 samples were skipped" "--idle"
	on -q good 2> err
	[ ! -s err ]
	on --idle good 2> err
	[ ! -s err ]
}

@test "collapse-sample: by an older program's name it does the same" {
	local name
	plain
	for name in stackcollapse-sample.awk inferno-collapse-sample; do
		ln -s "$BIN/collapse-sample" $name
		same plain ./$name good
		on --no-modules good > names
		same names ./$name --no-modules good
	done
}

@test "collapse-sample: a report that is cut short is read with a warning" {
	head -n 4 good > part
	try on part
	now "$status" -eq 0
	says "part:4" "cut short"
}

@test "collapse-sample: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did sample fail"
}

@test "collapse-sample: other collapsers name it when they get its input" {
	local other
	for other in bpftrace xctrace; do
		"$BIN/collapse-$other" good 2> err && return 1
		grep -q "use collapse-sample" err
	done
}

@test "collapse-sample: with --strict, a malformed or incomplete line is an error" {
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
