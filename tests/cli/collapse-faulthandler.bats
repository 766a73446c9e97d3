#!/usr/bin/env bats
# Tests of collapse-faulthandler at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-faulthandler NOTHING=1 LOCALES='--NO-LINES --threads'

# stack LINE... : prints the stack of a thread. Each LINE is FILE:LINE:FUNCTION.
stack()
{
	local file line function
	echo "Thread 0x00007f1234567700 [cook] (most recent call first):"
	while IFS=: read -r file line function; do
		printf '  File "%s", line %s in %s\n' "$file" "$line" "$function"
	done < <(printf '%s\n' "$@")
	echo
}

input()
{
	echo "Timeout (0:00:00.010000)!"
	stack app.py:3:alpha app.py:9:main
	stack app.py:5:beta app.py:9:main
	stack lib.py:7:gamma app.py:8:beta app.py:9:main
	stack app.py:3:alpha app.py:9:main
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "Thread 0x1 (most recent call first):\n" \
				"  File \"a.py\", line %d in f\n  File \"a.py\", line 1 in g\n", i
	}'
}

long()
{
	stack "app.py:3:f$(xs 1100000)" app.py:9:main
	input
}

on()
{
	program "$@"
}

@test "collapse-faulthandler: it behaves like every collapser" { manners --no-lines --threads; }

@test "collapse-faulthandler: options may be abbreviated, with one dash, in any case" {
	check_spellings --no-lines -no-lines --NO-L
	check_spellings --threads --THREADS -thr
}

@test "collapse-faulthandler: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did faulthandler write"
}

@test "collapse-faulthandler: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-faulthandler: a line that another thread has cut makes the sample incomplete" {
	{ stack app.py:3:alpha app.py:x:main; cat good; } > it
	try on it
	now "$status" -eq 0
	says "1 sample is incomplete" "it:3: 1 line was not understood"
	try on --strict it
	now "$status" -eq 1
	says "--strict"
}
