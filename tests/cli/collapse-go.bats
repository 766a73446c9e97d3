#!/usr/bin/env bats
# Tests of collapse-go at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-go NOTHING=1 \
	NEEDS_ARGUMENT=--sample-type LOCALES='--SAMPLE-TYPE=cpu --max-depth=1'

input()
{
	cat <<'END'
PeriodType: cpu nanoseconds
Period: 10000000
Samples:
samples/count cpu/nanoseconds
          3   30000000: 1 2 
                loaf:[rye bread]
          2   20000000: 3 2 
          1   10000000: 2 
Locations
     1: 0x4a0773 M=1 main.alpha /srv/m.go:6:0 s=5
     2: 0x4a0800 M=1 main.main /srv/m.go:9:0 s=8
     3: 0x4a0900 M=1 main.beta /srv/m.go:12:0 s=11
             main.gamma /srv/m.go:14:0 s=13
Mappings
1: 0x400000/0x4e1000/0x0 /srv/demo  [FN]
END
}

big()
{
	awk 'BEGIN {
		print "Samples:\nsamples/count cpu/nanoseconds"
		for (i = 1; i <= 20000; i++) printf "%11d %10d: %d \n", i, i, i
		print "Locations"
		for (i = 1; i <= 20000; i++) printf "%6d: 0x1 f%d /f.c:1:0 s=1\n", i, i
		print "Mappings"
	}'
}

long()
{
	printf 'Samples:\na/count\n 7: 1\nLocations\n 1: 0x1 f%s /f.c:1 s=1\nMappings\n' \
		"$(xs 1100000)"
	input
}

on()
{
	program "$@"
}

@test "collapse-go: it behaves like every collapser" { manners; }

@test "collapse-go: options may be abbreviated, with one dash, in any case" {
	check_spellings '--sample-type cpu' --sample=cpu '-sample-type cpu' --sample-type=1
}

@test "collapse-go: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did pprof fail"
}

@test "collapse-go: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-go: an unknown --sample-type is an error that lists the values" {
	try on --sample-type wall good
	fails 1 good:4 "no value 'wall'" "samples/count cpu/nanoseconds"
}

@test "collapse-go: a profile without its functions is cut short" {
	head -n 8 good > it
	try on it
	fails 1 it "cut short"
	{ cat good; head -n 8 good; } > it
	try on --strict it
	now "$status" -eq 1
	says incomplete "--strict"
}

@test "collapse-go: a stack that repeats a long location has too many frames" {
	awk 'BEGIN {
		printf "Samples:\nsamples/count\n 2: 1\n 3:"
		for (i = 0; i < 100000; i++) printf " 1"
		print "\nLocations\n 1: 0x1 f /f.c:1:0 s=1"
		for (i = 0; i < 1000; i++) print "   f /f.c:1:0 s=1"
		print "Mappings"
	}' > it
	"$BIN/collapse-go" -v --max-depth 1 it > stacks 2> said
	now "$(cat stacks)" = 'f 2'
	grep -q 'stacks with too many frames (1)' said
}

@test "collapse-go: inlined functions of a shared location are bounded" {
	awk 'BEGIN {
		print "PeriodType: cpu nanoseconds\nPeriod: 1\nSamples:\nsamples/count cpu/nanoseconds"
		for (i = 2; i <= 12001; i++)
			print "          1   1: 1 " i " "
		print "Locations\n     1: 0x49 M=1 f a.go:1:0 s=1"
		for (i = 0; i < 12000; i++)
			print "             g a.go:1:0 s=1"
		for (i = 2; i <= 12001; i++)
			printf "     %d: 0x49 M=1 h%d a.go:1:0 s=1\n", i, i
		print "Mappings\n1: 0x1/0x2/0x0 /a [FN]"
	}' > inlined
	on inlined > folded 2> message
	now "$(cat message)" = "collapse-go: stacks with too many frames (8180)"
	now "$(wc -l < folded)" -eq $((12000 - 8180))
}
