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
@test "flamegraph: missing argument" { check_needs_argument --title --width --colors; }
@test "flamegraph: argument to an option without one" { check_takes_no_argument --hash --inverted; }
@test "flamegraph: -- ends the options" { check_end_of_options; }
@test "flamegraph: - is standard input" { check_dash; }
@test "flamegraph: no file is standard input" { check_default_input; }
@test "flamegraph: missing file" { check_missing_file; }
@test "flamegraph: directory" { check_directory; }
@test "flamegraph: file that cannot be read" { check_unreadable; }
@test "flamegraph: binary input" { check_binary; }
@test "flamegraph: perf.data" { check_perf_data; }
@test "flamegraph: gzip input" { check_gzip; }
@test "flamegraph: zstd input" { check_zstd; }
@test "flamegraph: compressed input" { check_compressed; }
@test "flamegraph: JSON, the output of perf report" { check_other_text; }
@test "flamegraph: profiles that are to be collapsed" { check_foreign; }
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
@test "flamegraph: --output" { check_output; }
@test "flamegraph: --output keeps permissions and links, and the file on failure" { check_output_kept; }
@test "flamegraph: --output that cannot be written" { check_output_cannot_be_written; }
@test "flamegraph: a signal leaves the file of --output alone" { check_output_killed; }
@test "flamegraph: output that is the input" { check_output_is_input; }

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


@test "flamegraph: bad values of options" {
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

@test "flamegraph: called by the name of the script" {
	ln -s "$BIN/flamegraph" flamegraph.pl
	echo 'app;main(int, std::vector<int> const&);and_so_on_and_so_on 1000' > profile
	./flamegraph.pl --width 200 profile > older.svg
	on --compat=perl --width 200 profile | cmp - older.svg
	on --shorten=none --width 200 profile | cmp - older.svg
	on --width 200 profile > ours.svg
	run ! cmp -s ours.svg older.svg
	on --shorten=auto --compat=perl --width 200 profile | cmp - ours.svg
}

@test "flamegraph: --compat=perl draws an unknown palette in hot" {
	on --compat=perl good > hot
	on --colors gpu --compat=perl good > drawn 2> err
	cmp hot drawn
	grep -q "flamegraph: .*'gpu'" err
	try on --colors gpu --compat=inferno good
	fails 2 --colors gpu
}

@test "flamegraph: --compat=perl declares the encoding" {
	on --compat=perl --encoding ISO-8859-1 good > out
	[ "$(head -n 1 out)" = '<?xml version="1.0" encoding="ISO-8859-1" standalone="no"?>' ]
	xmllint --noout --nonet out
	on --encoding ISO-8859-1 good > out 2> err
	[ "$(head -n 1 out)" = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>' ]
	grep -q -e '--encoding ISO-8859-1 is ignored' err
	try on --compat=perl --encoding '"?>' good
	fails 2 --encoding
}

@test "flamegraph: called by the name of inferno's program" {
	ln -s "$BIN/flamegraph" inferno-flamegraph
	input > profile
	./inferno-flamegraph -q --minwidth 40 --no-javascript profile > older.svg
	on -q --compat=inferno --minwidth 40% --no-script profile | cmp - older.svg
	shows older.svg 'gamma (700' 'monospace'
	[ "$(grep -c 'beta (600' older.svg)" -eq 0 ]
	try on --compat=inferno /dev/null
	now "$status" -eq 1
}

@test "flamegraph: raw perf script" {
	printf 'app 7 [000] 12.345678: 250000 cycles:u: \n\t 55d0c0ffee00 main+0x2b (/usr/bin/app)\n\n' > it
	check_not_understood it collapse-perf
}

@test "flamegraph: the picture has frames and a heading" {
	on good > out
	shows out '<svg' '</svg>' 'id="frames"' 'alpha (400 samples, 23.52%)' \
		'all (1,700 samples, 100%)' 'Flame Graph'
	on --inverted good > out
	shows out 'Icicle Graph'
	on --flamechart good > out
	shows out 'Flame Chart'
}

@test "flamegraph: texts of users cannot break the XML" {
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

@test "flamegraph: a differential flame graph" {
	printf '%s\n' 'app;main;alpha 100 400' 'app;main;beta 600 600' > it
	on it > out
	shows out '"#d55e00"' '"#f0f0f0"'
	on --negate it > out
	shows out '"#0072b2"'
	on --compat=perl it > out
	shows out '"#f00"' '"#fff"'
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

@test "flamegraph: --cp keeps the permissions of palette.map, and a link" {
	mkdir shared
	echo 'alpha->rgb(1,2,3)' > shared/map
	chmod 600 shared/map
	ln -s shared/map palette.map
	on --cp good > out
	now -L palette.map
	now "$(stat -c %a shared/map)" = 600
	grep -q '^beta->' shared/map
	now "$(ls -A shared)" = map
}

@test "flamegraph: --cp without a palette.map that can be written draws nothing" {
	echo 'alpha->rgb(1,2,3)' > palette.map
	cp palette.map map
	chmod 444 palette.map
	try on --cp good
	fails 1 palette.map "cannot write"
	cmp map palette.map
	chmod 644 palette.map
	on --cp good > out
	chmod 444 palette.map # which has all names now
	same out on --cp good
}

@test "flamegraph: --cp does not wait for a palette.map that is a FIFO" {
	mkfifo palette.map
	try on --cp good
	fails 1 palette.map "not a regular file"
}

@test "flamegraph: --nameattr with a missing file" {
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

# comes_back FILE : the picture of the sorted stacks in FILE gives them back.
comes_back()
{
	on --quiet --no-script "$1" > drawn.svg || return 0 # it has no counts
	on --extract drawn.svg > back || return 1
	cmp "$1" back
}

@test "flamegraph: --extract gives what collapse-perf and diff-folded wrote" {
	local file count=0 golden="$BATS_TEST_DIRNAME/../golden"
	while read -r file; do
		# A chart has another order; empty frames at the leaf and a byte-order mark go.
		case $file in *time*order* | */input/bom/*) continue ;; esac
		grep -q '; ' "$file" && continue
		# Of several events and units none is known.
		[ "$(grep -c '^# unit: ' "$file")" -lt 2 ] || continue
		comes_back "$file" 2> err || return 1
		count=$((count + 1))
	done < <(find "$golden/collapse-perf" "$golden/diff-folded" -name 'expected*')
	[ "$count" -gt 100 ]
}

@test "flamegraph: --extract gives the same stacks again, however they were drawn" {
	local file count=0
	while read -r file; do
		for order in --colors=hot --flamechart; do
			on -q "$order" "$file" > it.svg 2> err || continue
			on --extract it.svg > once
			on -q "$order" once > again.svg
			on --extract again.svg > twice
			cmp once twice
			count=$((count + 1))
		done
	done < <(find "$BATS_TEST_DIRNAME/../golden/flamegraph" -name 'input*' ! -name '*.svg')
	[ "$count" -gt 80 ]
}

@test "flamegraph: an SVG wherever folded stacks are read" {
	on good > good.svg
	on --extract < good.svg | cmp - good
	on --extract - < good.svg | cmp - good
	# shellcheck disable=SC2002
	cat good.svg | on --extract | cmp - good
	for options in "" --inverted --reverse "--base=main --colors=io"; do
		# shellcheck disable=SC2086
		on $options good > one
		# shellcheck disable=SC2086
		on $options good.svg | cmp - one
	done
	on good good.svg good > one
	on good good good > two
	cmp one two
}

@test "flamegraph: --extract without data warns and reads the picture" {
	on --data none --minwidth 200 good > it.svg
	try on --extract it.svg
	now "$status" -eq 0
	says "has no data"
	on --data none --minwidth 0 good > it.svg
	try on --extract it.svg
	now "$output" = "$(cat good)"
	now "$stderr" = ""
}

@test "flamegraph: --data-limit leaves out the smallest frames but keeps their counts" {
	awk 'BEGIN { for (i = 1; i <= 5000; i++) print "app;f" i % 97 ";g" i " " i }' > many
	on --data-limit 8k --minwidth 1 many > it.svg
	awk 'match($0, /<fg:data[^>]*>/) { $0 = substr($0, RSTART + RLENGTH); inside = 1 }
		inside { sub(/<\/fg:data>.*/, ""); bytes += length($0) + 1 }
		/^<\/metadata>/ { exit } END { exit !(bytes > 2000 && bytes <= 8192) }' it.svg
	shows it.svg 'min="' 'left out (--data-limit)'
	try on --extract it.svg
	now "$status" -eq 0
	says "left out of this SVG's data"
	[ "$(awk '{ sum += $NF } END { print sum }' <<< "$output")" -eq 12502500 ]
	on --data-limit 0 many > it.svg
	on --extract it.svg | LC_ALL=C sort > back
	LC_ALL=C sort many | cmp - back
}

@test "flamegraph: --extract of a deep stack" {
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "f;"; print "g 300" }' > deep
	on deep > deep.svg
	on --extract deep.svg | cmp - deep
}

@test "flamegraph: --extract says what is not a flame graph" {
	try on --extract good
	fails 1 "this is not an SVG file"
	try on --extract not-there.svg
	fails 1 "cannot open"
	on good > good.svg
	head -c 700 good.svg > cut.svg
	try on --extract cut.svg
	fails 1 "cut.svg"
	printf '<svg>\n</svg>\n' > none.svg
	try on none.svg
	fails 1 "not a flame graph"
}

@test "flamegraph: a stack 200,000 deep is drawn in 45 MB" {
	awk 'BEGIN {
		for (i = 0; i < 199999; i++)
			printf "fn_%d;", i
		print "fn 1"
	}' > deep
	within 45000 -q deep > deep.svg
	grep -q '</svg>' deep.svg
}

@test "flamegraph: a name of over 10 MB is read back, and its annotation is said to be lost" {
	echo "a;$(xs 12000000)_[k] 500" > long
	try on --data none long
	[ "$status" -eq 0 ]
	[[ $stderr == *'its annotation'* ]]
	on -q --data none long > long.svg
	on -q --extract long.svg > back
	sed 's/_\[k] / /' long | cmp - back
}

@test "flamegraph: --minwidth that draws more than a browser likes is mentioned" {
	awk 'BEGIN { for (i = 0; i < 20010; i++) print "f" i " 5" }' > many
	try on --minwidth 0 many
	now "$status" -eq 0
	says "20011 frames are drawn, which browsers open slowly: without --minwidth"
	for args in "" "--minwidth 0 --no-script" "--minwidth 0 --data none" \
		"--minwidth 0 --quiet"; do
		# shellcheck disable=SC2086
		try on $args many
		now -z "$stderr"
	done
}

@test "flamegraph: --compat=inferno filters lines whose count comes first" {
	printf '500 a;b;c\n200 x;y\n' > counts-first
	on --compat=inferno --hide b counts-first > out
	shows out 'a (500 samples, 71.43%)' 'c (500 samples, 71.43%)' \
		'y (200 samples, 28.57%)'
	[ "$(grep -c '>b (' out)" -eq 0 ]
}
