#!/usr/bin/env bats
# Tests of collapse-cpuprofile at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-cpuprofile NOTHING=1

# nodes N : prints a chain of N nodes below the root, each with samples.
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

# check_two_files : checks that their counts are added up, even with a byte-order mark.
check_two_files()
{
	{ printf '\357\273\277'; cat good; } > marked
	on good | sed 's/[0-9]*$/& &/' | awk '{ n = $NF + $(NF - 1); sub(/ [0-9]+ [0-9]+$/, ""); print $0, n }' > twice
	same twice on good marked
}

@test "collapse-cpuprofile: --help prints the usage in 80 columns" { check_help; }
@test "collapse-cpuprofile: --version prints the program's name and version" { check_version; }
@test "collapse-cpuprofile: an unknown option is an error" { check_bad_option; }
@test "collapse-cpuprofile: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-cpuprofile: an argument to a flag is an error" { check_takes_no_argument --srcline --strict --idle; }
@test "collapse-cpuprofile: -- ends the options" { check_end_of_options; }
@test "collapse-cpuprofile: - is standard input" { check_dash; }
@test "collapse-cpuprofile: without a file, it reads standard input" { check_default_input; }
@test "collapse-cpuprofile: a missing file is an error" { check_missing_file; }
@test "collapse-cpuprofile: a directory is an error" { check_directory; }
@test "collapse-cpuprofile: a file without read permission is an error" { check_unreadable; }
@test "collapse-cpuprofile: binary data are refused" { check_binary; }
@test "collapse-cpuprofile: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-cpuprofile: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-cpuprofile: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-cpuprofile: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-cpuprofile: text that is no profile gives a message" { check_text; }
@test "collapse-cpuprofile: a full disk is an error" { check_full_disk; }
@test "collapse-cpuprofile: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-cpuprofile: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-cpuprofile: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-cpuprofile: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-cpuprofile: lines may end in CRLF" { check_crlf; }
@test "collapse-cpuprofile: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-cpuprofile: a line of 1 MB is read" { check_long_line; }
@test "collapse-cpuprofile: the locale changes nothing" { check_locales --HEADER --weight=samples; }
@test "collapse-cpuprofile: several files" { check_two_files; }
@test "collapse-cpuprofile: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-cpuprofile: -o FILE writes to FILE" { check_output; }
@test "collapse-cpuprofile: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-cpuprofile: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-cpuprofile: options may be abbreviated, with one dash, in any case" {
	check_spellings '--weight samples' -weight=samples --WEIGHT=samples '--weigh samples'
}

@test "collapse-cpuprofile: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-cpuprofile: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-cpuprofile: --weight list prints the values; an unknown name is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[1]}" = "time ns (default)"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-cpuprofile: a tree 200,000 deep is read" {
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

@test "collapse-cpuprofile: a heap snapshot is refused by name" {
	printf '{"snapshot":{"meta":{"node_fields":["type"]}},"nodes":[9,1,1]}' > it
	try on it
	fails 1 "heap snapshot"
}

@test "collapse-cpuprofile: a chain in which each function has hits is bounded" {
	awk 'BEGIN {
		printf "{\"nodes\":["
		for (i = 1; i <= 12000; i++)
			printf "{\"id\":%d,\"callFrame\":{\"functionName\":\"f\"},\"hitCount\":1,\"parent\":%d},", i, i - 1
		print "{\"id\":0,\"callFrame\":{\"functionName\":\"f\"}}],\"startTime\":1,\"endTime\":2}"
	}' > chain
	on chain > folded 2> message
	now "$(cat message)" = "collapse-cpuprofile: stacks with too many frames (2722)"
	now "$(wc -l < folded)" -eq $((12000 - 2722))
}
