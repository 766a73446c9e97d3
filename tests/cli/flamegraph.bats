#!/usr/bin/env bats
# Tests of flamegraph at the command line; see manners.bash.
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

# shows FILE TEXT... : checks that the picture contains each TEXT.
shows()
{
	local file=$1 text
	shift
	for text; do
		grep -qF -e "$text" "$file" || { echo "not in $file: $text"; return 1; }
	done
}

@test "flamegraph: --help prints the usage in 80 columns" { check_help; }
@test "flamegraph: --version prints the program's name and version" { check_version; }
@test "flamegraph: an unknown option is an error" { check_bad_option; }
@test "flamegraph: an option without its argument is an error" { check_needs_argument --title --width --colors; }
@test "flamegraph: an argument to a flag is an error" { check_takes_no_argument --hash --inverted; }
@test "flamegraph: -- ends the options" { check_end_of_options; }
@test "flamegraph: - is standard input" { check_dash; }
@test "flamegraph: without a file, it reads standard input" { check_default_input; }
@test "flamegraph: a missing file is an error" { check_missing_file; }
@test "flamegraph: a directory is an error" { check_directory; }
@test "flamegraph: a file without read permission is an error" { check_unreadable; }
@test "flamegraph: binary data are refused" { check_binary; }
@test "flamegraph: a recording of perf is refused, with the program to use" { check_perf_data; }
@test "flamegraph: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "flamegraph: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "flamegraph: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "flamegraph: JSON and the output of perf report are refused" { check_other_text; }
@test "flamegraph: profiles of other formats are refused, with the program to use" { check_foreign; }
@test "flamegraph: text that is no profile gives a message" { check_text; }
@test "flamegraph: a full disk is an error" { check_full_disk; }
@test "flamegraph: a closed standard output is an error" { check_closed_stdout; }
@test "flamegraph: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "flamegraph: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "flamegraph: a reader that stops early gets no message" { check_broken_pipe; }
@test "flamegraph: lines may end in CRLF" { check_crlf; }
@test "flamegraph: a last line without a newline is read, with a warning" { check_cut_count; }
@test "flamegraph: a NUL is a byte like any other" { check_nul; }
@test "flamegraph: a line of 1 MB is read" { check_long_line; }
@test "flamegraph: the locale changes nothing" { check_locales --INVERTED --factor=1.5 --fontsize=10.5 --minwidth=0.5; }
@test "flamegraph: several files are read as one" { check_concatenation; }
@test "flamegraph: the same input gives the same bytes" { check_same_bytes; }
@test "flamegraph: -o FILE writes to FILE" { check_output; }
@test "flamegraph: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "flamegraph: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }
@test "flamegraph: a signal leaves the file of -o alone" { check_output_killed; }
@test "flamegraph: output that is also the input is an error" { check_output_is_input; }

@test "flamegraph: options may be abbreviated, with one dash, in any case" {
	check_spellings --inverted -i -inverted --inv --INVERTED
	check_spellings --reverse -reverse --rev
	check_spellings --hash -hash --ha
	check_spellings '-i --reverse' '--inverted -reverse'
}

@test "flamegraph: an option's argument may follow a space or =" {
	check_spellings '--title Mine' --title=Mine '-title Mine' -title=Mine '--tit Mine' '--TITLE Mine'
	check_spellings '--width 800' --width=800 '-width 800' '--wid=800'
	check_spellings '--colors mem' --colors=mem '-c mem' -cmem '--color mem' '-colors mem'
	check_spellings '--minwidth 40%' --minwidth=40%
}


@test "flamegraph: a bad value of an option is an error that names it" {
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

# alike : prints a picture with one line per frame, and without colours, because the
# script's name writes them in another notation. Also leaves out what 100 % is and the place
# of the title above that, because the script's pictures do not say it.
alike()
{
	sed -zE 's,<g>\n<title>,<g><title>,g; s,(/>|</text>)\n(<text x|</g>),\1\2,g' "$@" |
		sed 's/ fill="[^"]*"//g; s/ fg:counts=.samples.//
			/class="fg-whole"/d; s/\(id="title" x="[0-9]*"\) y="[0-9]*"/\1/'
}

@test "flamegraph: by the Perl script's name it draws what --compat=perl draws" {
	ln -s "$BIN/flamegraph" flamegraph.pl
	echo 'app;main(int, std::vector<int> const&);and_so_on_and_so_on 1000' > profile
	./flamegraph.pl --width 200 profile > older.svg
	on --compat=perl --width 200 profile | cmp - older.svg
	[[ $(cat older.svg) == *$'<g>\n<title>all (1,000 samples, 100%)</title><rect '*' fill="rgb('*$'"/>\n</g>'* ]]
	alike older.svg > older
	on --shorten=none --theme=classic --width 200 profile | alike | cmp - older
	on --theme=classic --width 200 profile | alike > ours
	run ! cmp -s ours older
	on --shorten=auto --compat=perl --width 200 profile | alike | cmp - ours
}

@test "flamegraph: titles say samples if the counts are, or in the older looks" {
	titles() {
		on --quiet "$@" | grep -o '<title>[^<]*' | cut -d '>' -f 2
	}

	printf 'main;a 123456789\nmain;b 987654321\n' > unknown
	printf '%s\n' 'all (1,111,111,110, 100%)' 'main (1,111,111,110, 100.00%)' \
		'a (123,456,789, 11.11%)' 'b (987,654,321, 88.89%)' > plain
	sed 's/, \([18][.0-9]*%)\)/ samples, \1/' plain > older
	titles unknown | diff plain -
	for way in --theme=classic --colors=hot --hash --compat=perl --compat=inferno; do
		titles "$way" unknown | diff older -
	done
	titles --countname samples unknown | diff older -
	sed 's/ samples/ ns/' older > ns
	titles --unit ns unknown | diff ns -

	echo 'a 123456789 987654321' > both
	titles both | grep -Fx 'a (123,456,789 → 987,654,321 (+864,197,532, ×8.0), 100.00% → 100.00%)'
	printf 'a 1\nb 2\n' | titles - | grep -Fx 'b (2 samples, 66.67%)'

	# Without data, the titles are the only record of the counts.
	on --data=none unknown > picture.svg
	on --extract picture.svg 2> said | diff unknown -
}

@test "flamegraph: two pictures are added up, with a hint at diff-folded" {
	cp good one
	cp good two
	on one > one.svg 2> err
	cp one.svg two.svg
	try on one.svg two.svg
	now "$status" -eq 0
	says 'the profiles of 2 files are added up; to compare two: diff-folded -n one.svg two.svg | flamegraph'
	try on --diff one two
	says 'to compare two: diff-folded -n one two | flamegraph'
	on one one 2> err > both.svg # parts of a profile
	run ! grep 'added up' err
	on --extract one.svg two.svg 2> err > both
	run ! grep 'added up' err
}

# frames_of : prints the attributes of the frames except for their colours, and their
# titles and labels. It drops the word "samples" that the older look puts into titles
# even if the unit is unknown, and the label of the root and the shares, which the older
# look does not have.
frames_of()
{
	alike "$1" | grep '^<g><title>' | sed 's/ samples\(, [0-9.]*%)<\)/\1/
		s/<text[^>]*>all<.text>//
		s/<text[^>]*text-anchor="end">[^<]*<.text>//'
}

@test "flamegraph: themes and palettes move no frame" {
	# the older look computes shares from rounded counts
	sed 's/\.5$//' good > whole
	on whole > today.svg 2> err
	shows today.svg 'fg:palette="kind"' 'class="flamepipe fg-neutral fg-text"' 'system-ui'
	for options in --theme=classic --colors=hot --hash --random --compat=perl --theme=dark; do
		# shellcheck disable=SC2086
		on $options whole > other.svg 2> err
		frames_of other.svg > other
		frames_of today.svg | cmp - other
	done
	on --colors=hot good > hot.svg 2> err
	on --theme=classic good 2> err | cmp - hot.svg
	on --theme=classic --colors=kind good > mixed.svg 2> err
	shows mixed.svg 'fg:palette="kind"' 'class="flamepipe fg-yellow fg-text"' Verdana
	run ! grep -q 'fg:palette' hot.svg
	ln -s "$BIN/flamegraph" inferno-flamegraph
	./inferno-flamegraph good > older.svg 2> err
	run ! grep -q 'fg:palette' older.svg
	shows older.svg fg-yellow monospace
	try on --colors=kind --cp good
	fails 2 --cp kind
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

@test "flamegraph: by inferno's name it draws what --compat=inferno draws" {
	ln -s "$BIN/flamegraph" inferno-flamegraph
	input > profile
	./inferno-flamegraph -q --minwidth 40 --no-javascript profile > older.svg
	on -q --compat=inferno --minwidth 40% --no-script profile | cmp - older.svg
	shows older.svg 'gamma (700' 'monospace'
	[ "$(grep -c 'beta (600' older.svg)" -eq 0 ]
	try on --compat=inferno /dev/null
	now "$status" -eq 1
}

@test "flamegraph: the output of perf script is refused, with the program to use" {
	printf 'app 7 [000] 12.345678: 250000 cycles:u: \n\t 55d0c0ffee00 main+0x2b (/usr/bin/app)\n\n' > it
	check_not_understood it collapse-perf
}

@test "flamegraph: the picture has frames and a heading" {
	on good > out
	shows out '<svg' '</svg>' 'id="frames"' 'alpha (400, 23.52%)' \
		'all (1,700, 100%)' 'Flame Graph'
	on --inverted good > out
	shows out 'Icicle Graph'
	on --flamechart good > out
	shows out 'Flame Chart'
}

@test "flamegraph: names and options cannot break the XML" {
	printf '%s\n' 'a<b;c&d;"e" 500' "f'g;h>i;]]> 500" > it
	on --title '<&">' --subtitle '<&">' --notes '--><x' --countname '<&">' it > out
	shows out '&lt;&amp;'
	xmllint --noout --nonet out
}

@test "flamegraph: bytes that are not UTF-8 cannot break the XML" {
	printf 'a;b\377\376 500\na;c\001 500\n' > it
	on it > out
	iconv -f UTF-8 -t UTF-8 out > /dev/null
	xmllint --noout --nonet out
}

@test "flamegraph: a count that is too large is an error that names its line" {
	printf '%s\n' 'a;b 5' 'a;c 18446744073709551616' > it
	try on it
	now "$status" -eq 1
	says it:2
	printf '%s\n' 'a;b 5' 'a;c 18446744073709551615' > it
	try on it
	now "$status" -eq 1
	says it:2
}

@test "flamegraph: lines without a count are ignored, with one warning" {
	printf '%s\n' 'odd' 'app;main;alpha 1000' 'odd too' > it
	try on it
	now "$status" -eq 0
	now "${#stderr_lines[@]}" -eq 1
	says odd
	on -q it > out 2> err
	[ ! -s err ]
}

@test "flamegraph: two counts are drawn as a differential flame graph" {
	printf '%s\n' 'app;main;alpha 100 400' 'app;main;beta 600 600' > it
	on it > out
	shows out '"#d55e00"' '"#f0f0f0"'
	on --negate it > out
	shows out '"#007bbd"'
	on --compat=perl it > out
	shows out '"rgb(255,0,0)"' '"rgb(255,255,255)"'
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

@test "flamegraph: --cp draws nothing if palette.map cannot be written" {
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

@test "flamegraph: --cp does not draw into palette.map" {
	redirected() { on --cp good > palette.map; }
	try on --cp -o palette.map good
	fails 1 palette.map "so it cannot be the output"
	now ! -e palette.map
	echo 'alpha->rgb(1,2,3)' | tee map > palette.map
	ln -s palette.map link
	for file in palette.map link; do
		try on --cp -o "$file" good
		fails 1 palette.map "so it cannot be the output"
		cmp map palette.map
	done
	try redirected
	fails 1 palette.map "so it cannot be the output"
}

@test "flamegraph: --cp does not wait for a palette.map that is a FIFO" {
	mkfifo palette.map
	try on --cp good
	fails 1 palette.map "not a regular file"
}

@test "flamegraph: a missing file of --nameattr is an error" {
	try on --nameattr no-such-file good
	now "$status" -eq 1
	says no-such-file
}

@test "flamegraph: a deep stack is read whole" {
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

# hash_of NAME N : prints the hash of the content of the Nth element of that name in
# `out`, in the notation of a Content-Security-Policy.
hash_of()
{
	local content hex
	content=$(xmllint --nonet --xpath "string((//*[local-name()='$1'])[$2])" out; echo .)
	hex=$(printf %s "${content%$'\n'.}" | sha256sum | cut -c1-64 | sed 's/../\\x&/g')
	printf "'sha256-%s'" "$(printf %b "$hex" | base64)"
}

@test "flamegraph: --csp prints the hashes of all scripts and styles" {
	printf '# event: a\nx 100\n# event: b\ny 100\n' > two
	on two > out
	viewer=$(hash_of script 2) profiles=$(hash_of script 1)
	theme=$(hash_of style 1) style=$(hash_of style 2)
	echo 'x 100' | on > out
	small=$(hash_of script 1) small_style=$(hash_of style 2)
	printf '# slice: 20ms\n@00000.000;a 100\n@00000.020;b 100\n' | on > out
	heat=$(hash_of script 1)
	echo 'x 100' | on --flamechart > out
	chart=$(hash_of script 1)
	echo 'a 100 200' | on > out
	dark=$(hash_of style 2)
	on --csp > policy
	scripts="$viewer $small $profiles $heat $chart"
	echo "script-src $scripts; style-src $theme $style $small_style $dark" > want
	diff -u want policy
}

@test "flamegraph: a small picture has only the parts of the viewer that it uses" {
	for case in 'a 100 200:' 'a 100:--flamechart' 'a 100:--reverse' "$(seq -f 'f%g 100' 60):"; do
		echo "${case%:*}" > in
		# shellcheck disable=SC2086
		on ${case##*:} in > out
		grep -q 'Change of self' out && echo all || echo small
	done > counts
	printf '%s\n' all all small all | diff -u - counts
}

@test "flamegraph: files of several events are several profiles in one picture" {
	printf '# event: cpu\n# unit: ns\na;b 30000000\n' > cpu.folded
	printf '# event: heap\n# unit: bytes\na;c 2048\n' > heap.folded
	on cpu.folded heap.folded > out
	shows out 'fg:event="cpu"' '<fg:profile ' 'fg:event="heap"' \
		'cpu; also in this file: heap (bytes)' '<title>b (30,000,000 ns, 100.00%)'
	run ! grep -q '<title>c' out
	on --extract out > again
	cat cpu.folded heap.folded | diff - again
	on out | cmp - out
	cat cpu.folded heap.folded | on | cmp - out
	# files of the same event and unit are one profile
	on cpu.folded cpu.folded > out
	shows out '<title>b (60,000,000 ns, 100.00%)'
	run ! grep -q 'fg:profile ' out
	on --compat=perl cpu.folded heap.folded > out
	shows out '<title>b (30,000,000 samples, 99.99%)'
	run ! grep -q 'fg:profile ' out
}

@test "flamegraph: a picture with one profile has no switch" {
	on good > one
	printf '# event: a\nx 100\n# event: b\ny 100\n' | on > two
	[ "$(grep -c '<script' one)" -eq 1 ]
	[ "$(grep -c '<script' two)" -eq 2 ]
}

@test "flamegraph: several profiles share the limit of the data" {
	{
		echo '# event: a'
		seq 20000 | awk '{ print "main;f" $1 " " 1 }'
		echo 'large 100000000'
		echo '# event: b'
		seq 20000 | awk '{ print "main;g" $1 " " 1 }'
		echo 'large 100000000'
	} > it
	on --data-limit 20k it > out
	run ! grep -q 'min="0"' out
	[ "$(sed '/<defs>/,$d' out | wc -c)" -lt 22000 ]
	on --data-limit 0 it > out
	[ "$(sed '/<defs>/,$d' out | wc -c)" -gt 22000 ]
}

@test "flamegraph: --csp reads nothing" {
	try on --csp no-such-file
	now "$status" -eq 0
}

# comes_back FILE : checks that the picture of the sorted stacks in FILE returns them.
comes_back()
{
	on --quiet --no-script "$1" > drawn.svg || return 0 # it has no counts
	on --extract drawn.svg | cmp - "$1"
}

@test "flamegraph: --extract returns what collapse-perf and diff-folded wrote" {
	local file count=0 golden="$BATS_TEST_DIRNAME/../golden"
	while read -r file; do
		# A chart has another order. Empty frames at the leaf and a byte-order
		# mark are dropped, and a control character becomes visible, which
		# --compat=perl writes unchanged.
		case $file in *time*order* | */input/bom/* | */input/nul/*.perl) continue ;; esac
		grep -q '; ' "$file" && continue
		# Slices of time are added up here.
		! grep -q '^# slice: ' "$file" || continue
		# If there are several events and units, --extract knows neither.
		[ "$(grep -c '^# unit: ' "$file")" -lt 2 ] || continue
		comes_back "$file" 2> err || return 1
		count=$((count + 1))
	done < <(find "$golden/collapse-perf" "$golden/diff-folded" -name 'expected*' | some_of 10)
	[ "$count" -gt 20 ]
}

@test "flamegraph: --extract returns the same stacks, however they were drawn" {
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
	done < <(find "$BATS_TEST_DIRNAME/../golden/flamegraph" -name 'input*' ! -name '*.svg' | some_of 3)
	[ "$count" -gt 30 ]
}

@test "flamegraph: an SVG is read wherever folded stacks are" {
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

@test "flamegraph: without data a picture is no larger" {
	on good > with.svg
	on --data none good > without.svg
	[ "$(wc -c < without.svg)" -le "$(wc -c < with.svg)" ]
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
	says "not in this SVG's data"
	[ "$(awk '{ sum += $NF } END { print sum }' <<< "$output")" -eq 12502500 ]
	on --data-limit 0 many > it.svg
	on --extract it.svg | LC_ALL=C sort > back
	LC_ALL=C sort many | cmp - back
}

@test "flamegraph: --extract returns a deep stack" {
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "f;"; print "g 300" }' > deep
	on deep > deep.svg
	on --extract deep.svg | cmp - deep
}

@test "flamegraph: --extract refuses files that are not a flame graph" {
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

@test "flamegraph: a name of over 10 MB is read back, with a warning about its annotation" {
	echo "a;$(xs 12000000)_[k] 500" > long
	try on --data none long
	[ "$status" -eq 0 ]
	[[ $stderr == *'the annotation of a frame was left out'* ]]
	on -q --data none long > long.svg
	on -q --extract long.svg > back
	sed 's/_\[k] / /' long | cmp - back
}

@test "flamegraph: a --minwidth that draws too many frames for browsers gives a hint" {
	awk 'BEGIN { for (i = 0; i < 20010; i++) print "f" i " 5" }' > many
	try on --minwidth 0 many
	now "$status" -eq 0
	says "20011 frames are drawn, so browsers open the picture slowly: without --minwidth"
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

@test "flamegraph: a program as input gives a hint at flame" {
	local words
	printf '#!/bin/sh\nsleep 1\nexit 1\n' > script
	chmod +x script
	for words in '-- ./script' '-o x.svg -- ./script 5' '-- /bin/sh'; do
		# shellcheck disable=SC2086
		try program $words
		now "$status" -eq 1
		says 'this is a program, not its profile: flame -- PROGRAM records one'
		[ ! -e x.svg ]
	done
	for words in '-- no-such-program' '-o x.svg -- no-such --zoom' '--root -- true' '-p 12' '--pid=12' \
		'--bin it' '-F 99 -- ./script' '--perfdata perf.data'; do
		# shellcheck disable=SC2086
		try program $words
		now "$status" -ne 0
		says 'flamegraph draws folded stacks and records nothing; to record and draw: flame -- COMMAND'
		[ ! -e x.svg ]
	done
	try program no-such
	[[ $stderr != *'flame --'* ]] || now no = hint
}

@test "flamegraph: without flamepipe-svg an SVG is an error that says so" {
	input > good
	on good > good.svg
	mkdir alone
	cp "$BIN/flamegraph" alone
	run -1 --separate-stderr env PATH=/nowhere alone/flamegraph --extract good.svg
	[ "$stderr" = "flamegraph: good.svg: this SVG cannot be read: the program flamepipe-svg\
 is neither beside this program nor on PATH" ]
	PATH=$BIN:$PATH alone/flamegraph --extract good.svg > back
	sort good | diff - back
	: > alone/flamepipe-svg
	chmod +x alone/flamepipe-svg
	for output in 'exit 1' 'echo l 900; echo a 1' 'echo nonsense; exit 1' 'kill -9 $$'; do
		printf '#!/bin/sh\n%s\n' "$output" > alone/flamepipe-svg
		run -1 --separate-stderr alone/flamegraph --extract good.svg
		[ "$stderr" = "flamegraph: good.svg: this SVG cannot be read: flamepipe-svg ended early" ]
	done
	printf '#!/bin/sh\ncat > /dev/null; echo l 4; echo a 9; echo w 4; printf oops\n' > alone/flamepipe-svg
	run -0 --separate-stderr alone/flamegraph --extract good.svg
	[ "$output $stderr" = 'a 9 oops' ]
	run -2 --separate-stderr "$BIN/flamepipe-svg"
	[[ $stderr == flamepipe-svg* ]]
	run -1 "$BIN/flamepipe-svg" 0.0.0 flamegraph good.svg
}

@test "flamegraph: only flamepipe-svg is linked with libxml2" {
	command -v ldd > /dev/null || skip "no ldd"
	ldd "$BIN/flamepipe-svg" | grep -q libxml2 || skip "linked in another way"
	for program in flamegraph diff-folded filter-folded report-folded; do
		ldd "$BIN/$program" > libraries
		run ! grep libxml2 libraries
	done
}

@test "flamegraph: the manual names each palette of --help" {
	local palettes
	palettes=$("$BIN/flamegraph" --help | awk '/^Palettes:/ { on = 1 } on { print } /\.$/ { on = 0 }' |
		tr -d . | sed 's/Palettes://')
	now "$(wc -w <<< "$palettes")" -ge 19
	for palette in $palettes; do
		grep -q -e "^\.Cm $palette\b" -e "^\.It Cm $palette\b" "$BATS_TEST_DIRNAME/../../man/flamegraph.1"
	done
}

@test "flamegraph: a colour does not depend on the source line" {
	fills() { grep -o '<title>main[^<]*</title><rect[^>]*fill="[^"]*"' | grep -o 'fill="[^"]*"' | sort -u | wc -l; }
	printf 'app;main:a.c:%s 5\n' 1 2 3 > lines
	for colours in kind library hot java; do
		now "$("$BIN/flamegraph" --hash --colors "$colours" lines | fills)" -eq 1
	done
	# the older programs hash the whole name
	now "$("$BIN/flamegraph" --hash --colors hot --compat=perl lines | fills)" -gt 1
}

@test "flamegraph: --no-lines merges the lines of a function" {
	printf 'app;main:a.c:%s 5\n' 1 2 3 > lines
	echo 'app;main 15' > merged
	"$BIN/flamegraph" --no-lines lines > svg
	"$BIN/flamegraph" merged | diff - svg
}
