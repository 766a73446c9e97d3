#!/usr/bin/env bats
# Tests of collapse-gperftools at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-gperftools NOTHING=1 LACKS='concatenation'

# Prints at least three stacks; beta is a name in one of them.
input()
{
	cat "$BATS_TEST_DIRNAME/../golden/collapse-gperftools/basic/input"
}

# Prints many different stacks.
big()
{
	awk 'BEGIN {
		print "--- symbol"
		for (i = 1; i <= 20000; i++) printf "0x%x f%d\n", i * 2, i
		print "---\n--- heap\nheap_v2/1"
		for (i = 1; i <= 20000; i++) printf "@ 0x%x\n  t*: 1: %d [0: 0]\n", i * 2 + 1, i
	}'
}

# Prints a stack with a name of more than a megabyte, and others.
long()
{
	echo "--- symbol"
	echo "0x0000000000402000 $(xs 1100000)"
	input | tail -n +2 | sed 's/@ 0x401061 0x401051/@ 0x402001/'
}

on()
{
	program "$@"
}

@test "collapse-gperftools: it behaves like every collapser" { manners; }

@test "collapse-gperftools: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did the program end"
}

@test "collapse-gperftools: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	sed 's/^@.*/@ 0xqq/' good > odd
	try on --strict odd
	now "$status" -eq 1
	says "not understood"
}

@test "collapse-gperftools: profiles that count different things give a warning" {
	cp "$BATS_TEST_DIRNAME/../golden/collapse-gperftools/cpu-symbols/input" cpu
	try on good cpu
	says "cpu"
	now "$status" -eq 0
}

@test "collapse-gperftools: collapse-guess and flamegraph recognize it" {
	plain
	guessed() { "$BIN/collapse-guess" "$@"; }
	same plain guessed good
	"$BIN/flamegraph" good > it.svg
	grep -q 'alpha (' it.svg
}

# compiled OPTION... : compiles a program with an inlined function, and sets the offset of
# its code and the addresses that its functions are linked at.
compiled()
{
	command -v gcc nm readelf > /dev/null || skip "no gcc, no binutils"
	cp "$BATS_TEST_DIRNAME/../data/live/inlined.c" app.c
	gcc -g -O1 "$@" -o app app.c
	# offset, address and size of the segment with the code
	read -r offset linked size <<< "$(readelf -lW app | awk '$1 == "LOAD" && /R E/ { print $2, $3, $5 }')"
	outer=$((0x$(nm app | awk '$3 == "outer" { print $1 }')))
	main=$((0x$(nm app | awk '$3 == "main" { print $1 }')))
}

# mapped PATH : prints the list of mapped files, where $moved was added to addresses.
mapped()
{
	printf '%x-%x r-xp %08x fe:00 7   %s\n' $((linked + moved)) $((linked + moved + size)) \
		"$offset" "$1"
}

# heap PATH : prints a heap profile of one stack, which returns into main and outer.
heap()
{
	printf 'heap_v2/1\n  t*: 1: 8 [0: 0]\n@ 0x%x 0x%x\n  t*: 1: 8 [0: 0]\n\nMAPPED_LIBRARIES:\n' \
		$((outer + moved + 1)) $((main + moved + 5))
	mapped "$1"
}

@test "collapse-gperftools: it finds functions, inlined ones and lines in mapped files" {
	local offset linked size outer main moved
	for how in "-pie -fPIE" -no-pie; do
		# shellcheck disable=SC2086 # words
		compiled $how
		for moved in 0 $((0x555500000000)); do
			heap "$PWD/app" > it
			try on it
			now -z "$stderr"
			[ "$output" = "main;outer;inner 8" ] || now "$output" = "main;outer 8"
			try on --srcline it
			[[ $output == "main:app.c:4;outer:app.c:3"* ]] || now "$output" = "lines"
			try on --lines it
			[[ $output == "main:app.c:4;outer:app.c:3"* ]] || now "$output" = "paths"
		done
	done
}

@test "collapse-gperftools: it finds functions of a CPU profile" {
	local offset linked size outer main moved=$((0x555500000000))
	compiled -pie -fPIE
	word() { printf %b "$(printf '\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) \
		$(($1 >> 24 & 255)) $(($1 >> 32 & 255)) $(($1 >> 40 & 255)) 0 0)"; }
	for number in 0 3 0 10000 0 5 2 $((outer + moved)) $((main + moved + 5)) 0 1 0; do
		word "$number"
	done > it
	mapped "$PWD/app" >> it
	try on it
	now -z "$stderr"
	[ "$output" = "main;outer;inner 5" ] || now "$output" = "main;outer 5"
}

@test "collapse-gperftools: files that are missing or no ELF files give one warning" {
	local offset linked size outer main moved=0
	compiled -no-pie
	heap /nowhere/app > it
	try on it
	now "$output" = "[app];[app] 8"
	says "/nowhere/app was not found or cannot be read"
	echo text > app
	heap "$PWD/app" > it
	try on it
	now "$output" = "[app];[app] 8"
	says "app was not found or cannot be read"
	mkfifo pipe
	heap "$PWD/pipe" > it
	try on it
	now "$output" = "[pipe];[pipe] 8"
	heap app > it
	try on it
	now "$output" = "[app];[app] 8"
	# shellcheck disable=SC2016 # not for this shell
	heap '/$(touch hit)' > it
	on -q it
	[ ! -e hit ]
}
