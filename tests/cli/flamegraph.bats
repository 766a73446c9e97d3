#!/usr/bin/env bats
# The manners of flamegraph.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=flamegraph NOTHING=2

input()
{
	printf '%s\n' 'app;main;alpha 400' 'app;main;beta 600.5' 'app;main;other;gamma 700'
}

big()
{
	awk 'BEGIN { for (i = 0; i < 1000; i++) print "app;main;f" i ";g" i % 7 " 100" }'
}

long()
{
	echo "app;main;$(xs 1100000) 300"
	input
}

on()
{
	program "$@"
}

# shows FILE TEXT... : the picture has each TEXT.
shows()
{
	local file=$1 text
	shift
	for text; do
		grep -qF -e "$text" "$file" || { echo "not in $file: $text"; return 1; }
	done
}

@test "flamegraph: --help" { check_help; }
@test "flamegraph: --version" { check_version; }
@test "flamegraph: bad option" { check_bad_option; }
@test "flamegraph: argument that is missing" { check_needs_argument --title --width --colors; }
@test "flamegraph: argument that is not taken" { check_takes_no_argument --hash --inverted; }
@test "flamegraph: -- ends the options" { check_end_of_options; }
@test "flamegraph: - is standard input" { check_dash; }
@test "flamegraph: no file is standard input" { check_default_input; }
@test "flamegraph: missing file" { check_missing_file; }
@test "flamegraph: directory" { check_directory; }
@test "flamegraph: file that cannot be read" { check_unreadable; }
@test "flamegraph: binary input" { check_binary; }
@test "flamegraph: perf.data" { check_perf_data; }
@test "flamegraph: compressed input" { check_compressed; }
@test "flamegraph: text that is something else" { check_text; }
@test "flamegraph: full disk" { check_full_disk; }
@test "flamegraph: closed standard output" { check_closed_stdout; }
@test "flamegraph: closed standard input" { check_closed_stdin; }
@test "flamegraph: closed standard error" { check_closed_stderr; }
@test "flamegraph: broken pipe" { check_broken_pipe; }
@test "flamegraph: CRLF" { check_crlf; }
@test "flamegraph: no last newline" { check_no_last_newline; }
@test "flamegraph: NUL" { check_nul; }
@test "flamegraph: line of 1 MB" { check_long_line; }
@test "flamegraph: locales" { check_locales --INVERTED --factor=1.5 --fontsize=10.5 --minwidth=0.5; }
@test "flamegraph: several files" { check_concatenation; }
@test "flamegraph: same input, same bytes" { check_same_bytes; }

@test "flamegraph: spellings of options" {
	check_spellings --inverted -i -inverted --inv --INVERTED
	check_spellings --reverse -reverse --rev
	check_spellings --hash -hash --ha
	check_spellings '-i --reverse' '--inverted -reverse'
}

@test "flamegraph: spellings of options with an argument" {
	check_spellings '--title Mine' --title=Mine '-title Mine' -title=Mine '--tit Mine' '--TITLE Mine'
	check_spellings '--width 800' --width=800 '-width 800' '--wid=800'
	check_spellings '--colors mem' --colors=mem '-c mem' -cmem '--color mem' '-colors mem'
	check_spellings '--minwidth 40%' --minwidth=40%
}


@test "flamegraph: values that are no good" {
	try on --width=wide good
	fails 2 --width wide
	try on --width=-5 good
	fails 2 --width
	try on --fontsize=big good
	fails 2 --fontsize big
	try on --minwidth=5x good
	fails 2 --minwidth 5x
	try on --colors=plaid good
	fails 2 --colors plaid hot
	try on --bgcolors=plaid good
	fails 2 --bgcolors plaid
	try on --search='a(' good
	fails 2 --search
}

@test "flamegraph: no counts make an SVG that says so, and exit status 2" {
	: > empty
	for file in empty /dev/null; do
		on $file > out 2> err && status=0 || status=$?
		[ "$status" -eq 2 ]
		shows out '<svg' '</svg>'
		[ -s err ]
	done
	echo "no count here" > it
	on it > out 2> err && status=0 || status=$?
	[ "$status" -eq 2 ]
	shows out '<svg' '</svg>'
}

@test "flamegraph: raw perf script" {
	printf 'app 7 [000] 12.345678: 250000 cycles:u: \n\t 55d0c0ffee00 main+0x2b (/usr/bin/app)\n\n' > it
	check_not_understood it collapse-perf
}

@test "flamegraph: the frames are there" {
	on good > out
	shows out '<svg' '</svg>' 'id="frames"' 'alpha (400 samples, 23.52%)' \
		'all (1,700 samples, 100%)' 'Flame Graph'
	on --inverted good > out
	shows out 'Icicle Graph'
	on --flamechart good > out
	shows out 'Flame Chart'
}

@test "flamegraph: what users write cannot break the XML" {
	printf '%s\n' 'a<b;c&d;"e" 500' "f'g;h>i;]]> 500" > it
	on --title '<&">' --subtitle '<&">' --notes '--><x' --countname '<&">' it > out
	shows out '&lt;&amp;'
	xmllint --noout --nonet out
}

@test "flamegraph: bytes that are not UTF-8" {
	printf 'a;b\377\376 500\na;c\001 500\n' > it
	on it > out
	iconv -f UTF-8 -t UTF-8 out > /dev/null
	xmllint --noout --nonet out
}

@test "flamegraph: count that is too large" {
	printf '%s\n' 'a;b 5' 'a;c 18446744073709551616' > it
	try on it
	now "$status" -eq 1
	says it:2
	printf '%s\n' 'a;b 5' 'a;c 18446744073709551615' > it
	try on it
	now "$status" -eq 1
	says it:2
}

@test "flamegraph: lines that are ignored" {
	printf '%s\n' 'odd' 'app;main;alpha 1000' 'odd too' > it
	try on it
	now "$status" -eq 0
	now "${#stderr_lines[@]}" -eq 1
	says odd
	on -q it > out 2> err
	[ ! -s err ]
}

@test "flamegraph: a differential" {
	printf '%s\n' 'app;main;alpha 100 400' 'app;main;beta 600 600' > it
	on it > out
	shows out '"#f00"' '"#fff"'
	on --negate it > out
	shows out '"#00f"'
}

@test "flamegraph: --cp keeps colours in palette.map" {
	on --cp good > first
	[ "$(grep -c '^alpha->rgb(' palette.map)" -eq 1 ]
	sed 's/^alpha->.*/alpha->rgb(1,2,3)/' palette.map > new
	mv new palette.map
	on --cp good > second
	shows second '"#010203"'
	on good > third
	run ! grep -F '#010203' third
}

@test "flamegraph: --cp with standard output closed leaves palette.map whole" {
	on --cp good > first
	cp palette.map map
	closed() { on --cp good >&-; }
	try closed
	now "$status" -eq 1
	cmp palette.map map
}

@test "flamegraph: --nameattr that is not there" {
	try on --nameattr no-such-file good
	now "$status" -eq 1
	says no-such-file
}

@test "flamegraph: a deep stack" {
	{ echo -n app; for i in {1..20000}; do echo -n ";f$i"; done; echo " 100"; } > deep
	on deep > out
	[ "$(grep -c '<rect' out)" -gt 20000 ]
}

@test "flamegraph: narrow frames are not drawn" {
	big > many
	{ cat many; echo 'app;main;wide 100000000'; } > it
	on it > out
	run ! grep 'f999' out
	on --minwidth=0 it > out
	grep -q 'f999' out
}

# hash_of NAME N : the hash of the content of the Nth element of that name in out, as
# policies have it.
hash_of()
{
	local content hex
	content=$(xmllint --nonet --xpath "string((//*[local-name()='$1'])[$2])" out; echo .)
	hex=$(printf %s "${content%$'\n'.}" | sha256sum | cut -c1-64 | sed 's/../\\x&/g')
	printf "'sha256-%s'" "$(printf %b "$hex" | base64)"
}

@test "flamegraph: --csp prints the hashes of what is in the picture" {
	on good > out
	on --csp > policy
	echo "script-src $(hash_of script 1); style-src $(hash_of style 1) $(hash_of style 2)" > want
	diff -u want policy
}

@test "flamegraph: --csp reads nothing" {
	try on --csp no-such-file
	now "$status" -eq 0
}
