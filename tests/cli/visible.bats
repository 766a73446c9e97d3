#!/usr/bin/env bats
# Names from other programs end no line, forge no count and do nothing to a terminal.
load libraries

setup()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	export HOME=$BATS_TEST_TMPDIR
	data=tests/data/perfdata
}

# replace IN OUT SED : changes bytes of a binary file.
replace()
{
	LC_ALL=C sed "$3" "$1" > "$2"
}

# clean : checks that standard input is lines of names and counts without control
# characters.
clean()
{
	LC_ALL=C awk '/[\001-\010\013-\037\177]/ || !/ [0-9.]+$/ { print; bad = 1 } END { exit bad }'
}

@test "a comm, symbol or DSO cannot forge a line" {
	needs_library libelf
	local elf
	cp -RL "$data/cache" "$HOME/.debug"
	chmod -R u+w "$HOME/.debug"
	elf=$(grep -rl start_here "$HOME/.debug" | head -n 1)
	replace "$elf" "$elf.new" 's/start_here/st\n;9\x1b\r 12/'
	mv "$elf.new" "$elf"
	replace "$data/frames.data" "$HOME/forged.data" 's/\x00mill\x00/\x00m\n;9\x00/; s/\[vdso\]/[\n 9\x07]/'
	"$BIN/collapse-perf" --dso "$HOME/forged.data" > "$HOME/folded"
	clean < "$HOME/folded"
	grep -qF 'm\n:9;' "$HOME/folded"
	grep -qF 'st\n' "$HOME/folded"
	[ "$(awk '{ sum += $NF } END { print sum }' "$HOME/folded")" = \
		"$("$BIN/collapse-perf" -q "$data/frames.data" | awk '{ sum += $NF } END { print sum }')" ]
}

@test "a leaf that ends in a number is not taken for a count" {
	printf 'x 1 1.0: 7 c:\n\t1 f 1000000+0x1 (x)\n\n' > "$HOME/perf.txt"
	run "$BIN/collapse-perf" "$HOME/perf.txt"
	[ "$output" = 'x;f 1000000; 7' ]
	run "$BIN/report-folded" --limit 1 <<< "$output"
	[[ $output != *1000000\ * ]]
}

# hostile : prints folded stacks whose names have all kinds of control characters, and a
# literal \x1b.
hostile()
{
	printf '# event: e\033[31mv\n'
	printf 'a;\033[2J;b\r 3\na;\\x1b[2J;b\\x0d 4\na;\302\233x\302\205 1\na;\233x 1\n'
	printf 'a;\342\200\256x 1\na;\342\200\250x 1\na;n\0x\177\a 1\n\303\251t\303\251;\351 1\n'
}

shown()
{
	printf '%s\n' 'a;\x1b[2J;b\x0d 7' 'a;\x9bx 1' 'a;\xc2\x9bx\xc2\x85 1' \
		'a;\xe2\x80\xa8x 1' 'a;\xe2\x80\xaex 1' 'a;n\x00x\x7f\x07 1'
	printf '\303\251t\303\251;\351 1\n'
}

@test "filter-folded, diff-folded: control bytes in names become visible, once" {
	hostile > "$HOME/hostile"
	shown > "$HOME/shown"
	"$BIN/filter-folded" "$HOME/hostile" | sed 1d | diff - "$HOME/shown"
	"$BIN/filter-folded" "$HOME/hostile" | head -n 1 | grep -qxF '# event: e\x1b[31mv'
	"$BIN/diff-folded" "$HOME/hostile" "$HOME/shown" | sed 's/ \([0-9]*\) \1$/ \1/' | diff - "$HOME/shown"
	"$BIN/diff-folded" --root $'r\n\033' "$HOME/hostile" "$HOME/shown" | sed 's/ [0-9]* [0-9]*$/ 1/' |
		grep -qF 'r\n\x1b;a;\x9bx'
	"$BIN/collapse-recursive" <<< $'a;\033b 2' | grep -qxF 'a;\x1bb 2'
}

@test "flamegraph, report-folded: control bytes in names become visible" {
	local controls=$'[\001-\010\013-\037\177]'
	hostile > "$HOME/hostile"
	for options in --flamechart --no-sort --compat=inferno --reverse ''; do
		"$BIN/flamegraph" $options --title $'t\033\n' --subtitle $'s\233' "$HOME/hostile" > "$HOME/svg" 2> /dev/null
		if LC_ALL=C grep -a "$controls" "$HOME/svg"; then return 1; fi
		grep -qF 't\x1b\n</text>' "$HOME/svg"
		"$BIN/flamegraph" --extract "$HOME/svg" | sed /^#/d | clean
	done
	"$BIN/flamegraph" "$HOME/hostile" 2> /dev/null | "$BIN/flamegraph" --extract | sed '/^#/d; $d' |
		diff - <(sed '$d' "$HOME/shown" 2> /dev/null || shown | sed '$d')
	for format in text markdown tsv json; do
		"$BIN/report-folded" --format "$format" "$HOME/hostile" > "$HOME/report"
		if LC_ALL=C grep -a "$controls" "$HOME/report"; then return 1; fi
	done
}

@test "names made by --rename and --rules have no control bytes" {
	run "$BIN/filter-folded" --rename 's/b/x\n9 9;\x1b/' <<< 'a;b 1'
	[ "$output" = 'a;x\n9 9:\x1b 1' ]
}

@test "byte-order marks of joined files do not become part of a name" {
	local marked=$'\357\273\277# unit: ns\n\357\273\277a;b 1\n\357\273\277a;b 2\n'
	"$BIN/filter-folded" <<< "$marked" | grep -qxF 'a;b 3'
	"$BIN/collapse-recursive" <<< "$marked" | grep -qxF 'a;b 3'
	"$BIN/flamegraph" <<< "$marked" 2> /dev/null | "$BIN/flamegraph" --extract | grep -qxF 'a;b 3'
	"$BIN/diff-folded" <(printf %s "$marked") <(printf %s "$marked") | grep -qxF 'a;b 3 3'
	"$BIN/diff-folded" <(printf %s "$marked") <(printf %s "$marked") | grep -qxF '# unit: ns'
	"$BIN/report-folded" --format tsv <<< "$marked" | grep -q $'^b\t3\t3\t'
}

@test "messages have no control characters beyond ASCII, either" {
	run "$BIN/filter-folded" $'no\302\233such\342\200\256file\233'
	[ "$status" -eq 1 ]
	[[ $output == *'no\xc2\x9bsuch\xe2\x80\xaefile\x9b: '* ]]
}
