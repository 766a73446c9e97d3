#!/usr/bin/env bats
# Tests of collapse-firefox at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-firefox NOTHING=1

# profile N [LENGTH] : prints a profile of N functions that main calls, with a sample each.
# One of the names has that length.
profile()
{
	awk -v n="$1" -v length_of="${2:-1}" 'function list(first, start, step, i) {
		printf "[%s", first
		for (i = 1; i <= n; i++) printf ",\n%d", start + step * i
		printf "]"
	} BEGIN {
		printf "{\"meta\":{\"interval\":1},\"libs\":[],\"threads\":[{\"name\":\"app\",\n\"stackTable\":{\"frame\":"
		list(0, 0, 1); printf ",\"prefix\":"; list("null", 0, 0)
		printf "},\n\"frameTable\":{\"func\":"; list(0, 0, 1)
		printf "},\n\"funcTable\":{\"name\":"; list(0, 0, 1)
		printf "},\n\"samples\":{\"stack\":"; list(0, 0, 1); printf ",\"time\":"; list(0, 0, 1)
		printf "},\n\"stringArray\":[\"main\""
		name = "x"
		while (length(name) < length_of) name = name name
		for (i = 1; i <= n; i++) printf ",\n\"f%d%s\"", i, i == 3 ? name : ""
		print "]}]}"
	}'
}

input()
{
	profile 5
}

big()
{
	profile 20000
}

long()
{
	profile 5 1100000
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

@test "collapse-firefox: --help prints the usage in 80 columns" { check_help; }
@test "collapse-firefox: --version prints the program's name and version" { check_version; }
@test "collapse-firefox: an unknown option is an error" { check_bad_option; }
@test "collapse-firefox: an option without its argument is an error" { check_needs_argument --max-depth --keep --weight; }
@test "collapse-firefox: an argument to a flag is an error" { check_takes_no_argument --srcline --strict; }
@test "collapse-firefox: -- ends the options" { check_end_of_options; }
@test "collapse-firefox: - is standard input" { check_dash; }
@test "collapse-firefox: without a file, it reads standard input" { check_default_input; }
@test "collapse-firefox: a missing file is an error" { check_missing_file; }
@test "collapse-firefox: a directory is an error" { check_directory; }
@test "collapse-firefox: a file without read permission is an error" { check_unreadable; }
@test "collapse-firefox: binary data are refused" { check_binary; }
@test "collapse-firefox: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "collapse-firefox: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-firefox: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-firefox: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-firefox: text that is no profile gives a message" { check_text; }
@test "collapse-firefox: a full disk is an error" { check_full_disk; }
@test "collapse-firefox: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-firefox: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-firefox: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-firefox: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-firefox: lines may end in CRLF" { check_crlf; }
@test "collapse-firefox: the last line may lack its newline" { check_no_last_newline; }
@test "collapse-firefox: a line of 1 MB is read" { check_long_line; }
@test "collapse-firefox: the locale changes nothing" { check_locales --HEADER --weight=time; }
@test "collapse-firefox: several files" { check_two_files; }
@test "collapse-firefox: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-firefox: -o FILE writes to FILE" { check_output; }
@test "collapse-firefox: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-firefox: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }

@test "collapse-firefox: options may be abbreviated, with one dash, in any case" {
	check_spellings '--weight time' -weight=time --WEIGHT=time '--weigh time'
}

@test "collapse-firefox: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "empty"
}

@test "collapse-firefox: the output of perf script is refused, with the program to use" {
	printf 'app 1 [000] 1.000001: 7 cycles: \n\t    55d0c0ffee10 f+0x2b (/bin/app)\n\n' > it
	check_not_understood collapse-perf
}

@test "collapse-firefox: --weight list prints the values; an unknown name is an error" {
	try on --weight list good
	now "$status" -eq 0
	now "${lines[1]}" = "time ns"
	try on --weight nothing good
	fails 1 "there is no value 'nothing' for --weight"
	now "${#stderr_lines[@]}" -eq 1
}

@test "collapse-firefox: processes may be nested 50,000 deep" {
	awk 'BEGIN {
		for (i = 0; i < 50000; i++) printf "{\"meta\":{},\"threads\":[],\"processes\":["
		print "{\"meta\":{},\"threads\":[]}"
		for (i = 0; i < 50000; i++) printf "]}"
	}' > deep
	try on deep
	fails 1 "it has no stacks"
}

# addresses FILE ID ADDRESS ADDRESS : prints a profile of FILE with one stack without symbols.
addresses()
{
	printf '{"meta":{"interval":1},"libs":[{"name":"app","path":"%s","codeId":"%s"}],' "$1" "$2"
	printf '"threads":[{"name":"t","stackTable":{"frame":[0,1],"prefix":[null,0]},'
	printf '"frameTable":{"func":[0,1],"address":[%d,%d]},' "$3" "$4"
	printf '"funcTable":{"name":[0,1],"resource":[0,0]},"resourceTable":{"lib":[0]},'
	printf '"stringArray":["0x1","0x2"],"samples":{"stack":[1]}}]}\n'
}

# compiled OPTION... : compiles a program with an inlined function, and finds its addresses.
compiled()
{
	command -v gcc nm readelf > /dev/null || skip "no gcc, no binutils"
	cp "$BATS_TEST_DIRNAME/../data/live/inlined.c" app.c
	gcc -g -O1 "$@" -o app app.c
	id=$(readelf -n app | sed -n 's/.*Build ID: //p')
	base=$(readelf -lW app | awk '$1 == "LOAD" { print $3; exit }')
	outer=$(nm app | awk '$3 == "outer" { print "0x" $1 }')
	main=$(nm app | awk '$3 == "main" { print "0x" $1 }')
	[ "$id" ] || skip "no build ids"
}

@test "collapse-firefox: --symbols finds names in the recorded files" {
	local id base outer main
	for how in "-pie -fPIE" -no-pie; do
		# shellcheck disable=SC2086 # words
		compiled $how
		addresses "$PWD/app" "${id^^}" $((main - base + 4)) $((outer - base)) > named
		"$BIN/collapse-firefox" --symbols named > found
		[ "$(cat found)" = "t;main;outer;inner 1" ] || [ "$(cat found)" = "t;main;outer 1" ]
		"$BIN/collapse-firefox" --symbols --srcline named > found
		[[ $(cat found) == "t;main:app.c:4;outer:app.c:3"* ]]
		run --separate-stderr "$BIN/collapse-firefox" named
		[ "$output" = "t;[app];[app] 1" ]
		[[ $stderr == *"--symbols looks for them" ]]
	done
}

@test "collapse-firefox: --symbols ignores files with another build id, with a message" {
	local id base outer main
	compiled
	addresses "$PWD/app" "00${id:2}" 1 2 > other
	[ "$id" != "00${id:2}" ] || skip "the one build id of many"
	run --separate-stderr "$BIN/collapse-firefox" --symbols other
	[ "$output" = "t;[app];[app] 1" ]
	[[ $stderr == *"1 of 1 libraries are not those that were recorded"* ]]
	addresses "$PWD/nowhere" "$id" 1 2 > other
	run --separate-stderr "$BIN/collapse-firefox" --symbols other
	[ "$output" = "t;[app];[app] 1" ]
	[[ $stderr == *"1 of 1 libraries were not found"* ]]
	# shellcheck disable=SC2016 # not for this shell
	addresses '$(touch hit)' "$id" 1 2 > other
	"$BIN/collapse-firefox" -q --symbols other
	[ ! -e hit ]
}

# Prints one stack with 1200 lines of a function whose name has 60,000 bytes.
lines()
{
	seq -s , 0 1199 > rows
	printf '{"meta":{"interval":1},"libs":[],"threads":[{"name":"app",\n'
	printf '"frameTable":{"func":[0%s],"line":[%s]},\n' "$(printf ',0%.0s' {1..1199})" "$(cat rows)"
	printf '"funcTable":{"name":[0],"fileName":[1]},\n'
	printf '"stackTable":{"frame":[%s],"prefix":[null,%s]},\n' "$(cat rows)" "$(seq -s , 0 1198)"
	printf '"samples":{"stack":[1199],"time":[1]},\n"stringArray":["'
	xs 60000
	printf '","a.js"]}]}\n'
}

@test "collapse-firefox: lines added to long names are bounded" {
	lines > wide
	[ "$(within 40000 wide | tr -d 'x\n')" = "app$(printf ';%.0s' {1..1200}) 1" ]
	within 150000 --srcline wide 2> messages | tr -d x | tr ';' '\n' > found
	[ "$(grep -c '^:a.js' found)" -eq 1118 ]
	grep "source lines not shown, because names get too long (82)$" messages
}

@test "collapse-firefox: threads without samples take no memory" {
	{
		printf '{"meta":{"version":34,"interval":1},"libs":[],"threads":['
		awk 'BEGIN { for (i = 0; i < 100000; i++) printf "{}," }'
		printf '{"name":"a","samples":{"schema":{"stack":0},"data":[[0]]},'
		printf '"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0]]},'
		printf '"frameTable":{"schema":{"location":0},"data":[[0]]},"stringTable":["f"]}]}'
	} > threads
	[ "$(within 50000 threads)" = "a;f 1" ]
}
