#!/usr/bin/env bats
# The manners of collapse-cpuprofile.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-cpuprofile NOTHING=1

# nodes N : a chain below the root, each with samples.
nodes()
{
	awk -v n="$1" 'BEGIN {
		print "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2]},"
		for (i = 2; i <= n; i++)
			printf "{\"id\":%d,\"callFrame\":{\"functionName\":\"f%d\",\"url\":\"a.js\",\"lineNumber\":%d},\"children\":[%s]}%s\n",
				i, i, i, i % 9 ? i + 1 : "", i < n ? "," : "],"
		print "\"startTime\":0,\"endTime\":999999,\"samples\":["
		for (i = 2; i <= n; i++) printf "%d,\n", i
		print "2],\"timeDeltas\":["
		for (i = 2; i <= n; i++) printf "%d,\n", i % 7
		print "1]}"
	}'
}

input()
{
	nodes 8
}

big()
{
	awk 'BEGIN {
		print "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}},"
		for (i = 2; i <= 20001; i++)
			printf "{\"id\":%d,\"parent\":1,\"callFrame\":{\"functionName\":\"f%d\"},\"hitCount\":3}%s\n",
				i, i, i < 20001 ? "," : "]}"
	}'
}

long()
{
	printf '{"nodes":[{"id":1,"callFrame":{"functionName":"%s"}},\n' "$(xs 1100000)"
	printf '{"id":2,"parent":1,"callFrame":{"functionName":"%s"},"hitCount":2}]}\n' "$(xs 1100000)"
}

on()
{
	program "$@"
}

# check_two_files : their counts are added up, one with a byte-order mark, too.
check_two_files()
{
	{ printf '\357\273\277'; cat good; } > marked
	on good | sed 's/[0-9]*$/& &/' | awk '{ n = $NF + $(NF - 1); sub(/ [0-9]+ [0-9]+$/, ""); print $0, n }' > twice
	same twice on good marked
}

@test "collapse-cpuprofile: --help" { check_help; }
@test "collapse-cpuprofile: --version" { check_version; }
@test "collapse-cpuprofile: bad option" { check_bad_option; }
@test "collapse-cpuprofile: missing argument" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-cpuprofile: argument to an option without one" { check_takes_no_argument --srcline --strict --idle; }
@test "collapse-cpuprofile: -- ends the options" { check_end_of_options; }
@test "collapse-cpuprofile: - is standard input" { check_dash; }
@test "collapse-cpuprofile: no file is standard input" { check_default_input; }
@test "collapse-cpuprofile: missing file" { check_missing_file; }
@test "collapse-cpuprofile: directory" { check_directory; }
@test "collapse-cpuprofile: file that cannot be read" { check_unreadable; }
@test "collapse-cpuprofile: binary input" { check_binary; }
@test "collapse-cpuprofile: perf.data" { check_perf_data; }
@test "collapse-cpuprofile: gzip" { check_gzip; }
@test "collapse-cpuprofile: zstd" { check_zstd; }
@test "collapse-cpuprofile: compressed input" { check_compressed; }
@test "collapse-cpuprofile: text that is something else" { check_text; }
@test "collapse-cpuprofile: full disk" { check_full_disk; }
@test "collapse-cpuprofile: closed standard output" { check_closed_stdout; }
@test "collapse-cpuprofile: closed standard input" { check_closed_stdin; }
@test "collapse-cpuprofile: closed standard error" { check_closed_stderr; }
@test "collapse-cpuprofile: broken pipe" { check_broken_pipe; }
@test "collapse-cpuprofile: CRLF" { check_crlf; }
@test "collapse-cpuprofile: no last newline" { check_no_last_newline; }
@test "collapse-cpuprofile: line of 1 MB" { check_long_line; }
@test "collapse-cpuprofile: locales" { check_locales --HEADER --weight=samples; }
@test "collapse-cpuprofile: several files" { check_two_files; }
@test "collapse-cpuprofile: same input, same bytes" { check_same_bytes; }
@test "collapse-cpuprofile: -o FILE" { check_output; }
@test "collapse-cpuprofile: -o FILE is replaced when all is well" { check_output_kept; }
@test "collapse-cpuprofile: -o FILE cannot be written" { check_output_cannot_be_written; }

@test "collapse-cpuprofile: spellings of options" {
	check_spellings '--weight samples' -weight=samples --WEIGHT=samples '--weigh samples'
}

@test "collapse-cpuprofile: empty input" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-cpuprofile: the output of perf script" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-cpuprofile: --weight list, and a name that is not there" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[1]}" = "time ns (default)"
	try on --weight nothing good
	fails 1 "no value is named 'nothing'"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-cpuprofile: a tree of any depth" {
	awk 'BEGIN {
		printf "{\"head\":"
		for (i = 1; i <= 200000; i++)
			printf "{\"id\":%d,\"callFrame\":{\"functionName\":\"f\"},\"selfSize\":0,\"children\":[", i
		printf "{\"id\":0,\"callFrame\":{\"functionName\":\"g\"},\"selfSize\":8}"
		for (i = 1; i <= 200000; i++) printf "]}"
		print "}"
	}' > deep
	try on --max-depth 1 deep
	now "$status" -eq 0
	now "$output" = "f 8"
}

@test "collapse-cpuprofile: a heap snapshot" {
	printf '{"snapshot":{"meta":{"node_fields":["type"]}},"nodes":[9,1,1]}' > it
	try on it
	fails 1 "heap snapshot"
}

@test "collapse-cpuprofile: a chain of which each function has hits is not unfolded without end" {
	awk 'BEGIN {
		printf "{\"nodes\":["
		for (i = 1; i <= 12000; i++)
			printf "{\"id\":%d,\"callFrame\":{\"functionName\":\"f\"},\"hitCount\":1,\"parent\":%d},", i, i - 1
		print "{\"id\":0,\"callFrame\":{\"functionName\":\"f\"}}],\"startTime\":1,\"endTime\":2}"
	}' > chain
	on chain > folded 2> message
	now "$(cat message)" = "collapse-cpuprofile: stacks with more frames than are read (2722)"
	now "$(wc -l < folded)" -eq $((12000 - 2722))
}
