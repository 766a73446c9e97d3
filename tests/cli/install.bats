#!/usr/bin/env bats
# Installing below a folder with a space in its name, and the names of older tools
# there.
bats_require_minimum_version 1.5.0

setup_file()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	export TOP=$PWD ROOT="$BATS_FILE_TMPDIR/a b"
	export OLD="$ROOT/usr/old bin"
	installs install-compat
}

installs()
{
	make -C "$TOP" -s "$@" DESTDIR="$ROOT" PREFIX=/usr BINDIR="/usr/old bin" > /dev/null
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	printf 'a;b 500\n' > profile
	"$OLD/flamegraph" --compat=perl profile > drawn
	"$OLD/diff-folded" profile profile > differences
}

# draws COMMAND... : checks that it writes what the program writes.
draws()
{
	"$@" profile > out
	cmp drawn out
}

@test "install: programs, manuals, completions and older names are installed" {
	local file
	for file in flamegraph diff-folded report-folded collapse-perf flame cargo-flame flamepipe-svg flamegraph.pl difffolded.pl \
		stackcollapse-perf.pl inferno-flamegraph inferno-diff-folded \
		inferno-collapse-perf cargo-flamegraph; do
		[ -x "$OLD/$file" ]
	done
	[ -e "$ROOT/usr/share/man/man1/flamegraph.1" ]
	[ -e "$ROOT/usr/share/man/man1/flame.1" ]
	grep -q -e --call-graph "$ROOT/usr/share/bash-completion/completions/flame"
	"$OLD/flame" --version
	[ "$("$OLD/cargo-flamegraph" flamegraph --version)" = "$("$OLD/cargo-flame" --version)" ]
	[ -e "$ROOT/usr/share/man/man5/folded.5" ]
	grep -q -e --width "$ROOT/usr/share/bash-completion/completions/flamegraph"
}

@test "install: an installed program reads an SVG without PATH" {
	printf 'a;b 300\n' | "$OLD/flamegraph" > drawn.svg
	[ "$(PATH=/nowhere "$OLD/flamegraph" --extract drawn.svg)" = 'a;b 300' ]
	ln -s "$OLD/flamegraph" linked
	[ "$(PATH=/nowhere ./linked --extract drawn.svg)" = 'a;b 300' ]
}

@test "install: it prints one line for each folder" {
	run -0 make -C "$TOP" --no-print-directory install-compat DESTDIR="$BATS_TEST_TMPDIR/c d" \
		PREFIX=/usr MAKEFLAGS= V=
	local lines
	lines=$(grep -v -e '^  CC' -e '^  LD' -e '^  AR' -e '^  JOIN' <<< "$output")
	[ "$(wc -l <<< "$lines")" -eq 7 ]
	[[ $lines == *" programs in $BATS_TEST_TMPDIR/c d/usr/bin"* ]]
}

@test "install: a completion has the long options of the manual" {
	local page program
	for page in "$TOP"/build/man/*.1; do
		program=${page##*/} program=${program%.1}
		sed -n "s/.*options='\(.*\)'/\1/p" "$ROOT/usr/share/bash-completion/completions/$program" |
			tr ' ' '\n' | sort > completed
		[ -s "$ROOT/usr/share/zsh/site-functions/_$program" ]
		[ -s "$ROOT/usr/share/fish/vendor_completions.d/$program.fish" ]
		# the options that collapsers share are in a manual of their own
		pages=$page
		[[ $program != collapse-* ]] || pages+=" $TOP/build/man/collapse-options.7"
		# shellcheck disable=SC2086
		grep -h '^\.It Fl' $pages | grep -o -e 'Fl -[a-z-]*' | sed 's/^Fl -/--/' |
			sort -u | comm -13 - completed > lacking
		diff /dev/null lacking
		grep '^\.It Fl' "$page" | grep -o -e 'Fl -[a-z-]*' | sed 's/^Fl -/--/' |
			sort -u | comm -23 - completed | diff /dev/null -
	done
}

@test "install: a script's name runs our program" {
	draws "$OLD/flamegraph.pl"
	draws sh "$OLD/flamegraph.pl"
	draws env -i "$OLD/flamegraph.pl"
	(PATH="$OLD:$PATH" draws flamegraph.pl)
	"$OLD/difffolded.pl" profile profile | cmp - differences
}

@test "install: a script's name works from its own folder" {
	cp profile drawn "$OLD"
	cd "$OLD"
	draws ./flamegraph.pl
	draws sh flamegraph.pl
	! command -v perl > /dev/null || draws perl flamegraph.pl
	rm profile drawn out
}

@test "install: a script's name works through links" {
	mkdir -p "c d/e"
	ln -s "$OLD/flamegraph.pl" "c d/absolute"
	ln -s ../absolute "c d/e/relative.pl"
	draws "c d/absolute"
	draws "c d/e/relative.pl"
	draws env -i sh "c d/e/relative.pl"
	ln -s "c d/e/relative.pl" here
	draws sh here
}

@test "install: perl with a script's name runs our program" {
	command -v perl > /dev/null || skip "no perl"
	draws perl "$OLD/flamegraph.pl"
	draws env -i "$(command -v perl)" "$OLD/flamegraph.pl"
	ln -s "$OLD/flamegraph.pl" link
	draws perl link
	perl "$OLD/difffolded.pl" profile profile | cmp - differences
}

@test "install: a script that was copied elsewhere finds its program in PATH" {
	cp "$OLD/flamegraph.pl" copied
	PATH="$OLD:$PATH" draws ./copied
	run -127 env PATH=/nowhere ./copied profile
	[[ $output == *flamegraph*"not found"* ]]
}

# awk_stub AT : makes the awk script for programs that end up in the folder AT.
awk_stub()
{
	AT=$1 "$TOP/tools/install-compat" "$OLD" . stackcollapse-sample.awk=collapse-sample
}

@test "install: awk with a script's name runs our program" {
	local awk
	cp "$TOP/tests/golden/collapse-sample/children-weigh-more/input" "it's one"
	"$OLD/collapse-sample" "it's one" > folded
	"$OLD/collapse-sample" --no-modules "it's one" > bare
	awk_stub "$OLD"
	for awk in awk mawk gawk; do
		command -v "$awk" > /dev/null || continue
		"$awk" -f ./stackcollapse-sample.awk "it's one" | cmp - folded
		"$awk" -f ./stackcollapse-sample.awk < "it's one" | cmp - folded
		"$awk" -v MODULES=0 -f ./stackcollapse-sample.awk "it's one" | cmp - bare
		"$awk" -f ./stackcollapse-sample.awk MODULES=0 "it's one" | cmp - bare
	done
	./stackcollapse-sample.awk "it's one" | cmp - folded
	run -1 ./stackcollapse-sample.awk nowhere
	[[ $output == *"collapse-sample: nowhere: "* ]]
}

@test "install: awk with a script's name finds programs that have moved" {
	cp "$TOP/tests/golden/collapse-sample/children-weigh-more/input" one
	"$OLD/collapse-sample" one > folded
	# Below DESTDIR the script is made for the folder that it will be in, so here it
	# needs PATH.
	PATH="$OLD:$PATH" "$OLD/stackcollapse-sample.awk" one | cmp - folded
	run -127 env PATH=/nowhere "$OLD/stackcollapse-sample.awk" one
	mkdir -p "it's \"\\\"b"
	cp "$OLD/collapse-sample" "it's \"\\\"b"
	awk_stub "$PWD/it's \"\\\"b"
	./stackcollapse-sample.awk one | cmp - folded
}

# Somebody else's folder has a program, and input files whose names point to it.
@test "install: awk with a script's name never runs a program from the folder of its input" {
	mkdir theirs
	awk_stub "$OLD"
	printf '#!/bin/sh\necho theirs >> ../ran\n' > theirs/collapse-sample
	chmod +x theirs/collapse-sample
	cd theirs
	cp "$TOP/tests/golden/collapse-sample/children-weigh-more/input" input
	# shellcheck disable=SC2016 # these are names
	for name in 'cpu -f stackcollapse-sample.awk' '-f stackcollapse-sample.awk' '-f ' \
		'$(echo theirs > ran)' "'; echo theirs > ran; '" '`echo theirs > ran`' \
		$'line\necho theirs > ran' 'program=collapse-sample'; do
		cp input "./$name"
	done
	PATH="$OLD:$PATH"
	# shellcheck disable=SC2035 # names with dashes are what is tried
	../stackcollapse-sample.awk ./* *f\ * > out || true
	awk -f ../stackcollapse-sample.awk -- * > out || true
	[ ! -e ran ]
	[ ! -e ../ran ]
}

@test "install: a script's name sets the script's defaults" {
	printf 'a 1 1.000001: 5 cycles:u: \n\t1 f(int)+0x1 (/x)\n\n' > text
	"$OLD/collapse-perf" --compat=perl text > folded
	"$OLD/stackcollapse-perf.pl" text | cmp - folded
	grep -q -e --compat=perl "$OLD/flamegraph.pl"
}

@test "install: a program that does not run here gets no script's name" {
	mkdir built bin
	printf '\177ELF of another machine' > built/flamegraph
	chmod +x built/flamegraph
	run -1 "$TOP/tools/install-compat" built bin flamegraph.pl=flamegraph
	[[ $output == *"flamegraph does not run here"* ]]
	[ ! -e bin/flamegraph.pl ]
}

@test "install: arguments reach the program unchanged" {
	"$OLD/flamegraph.pl" --title 'a  "b" \ *' profile > out
	grep -qF '>a  &quot;b&quot; \ *<' out
}

@test "install: uninstall removes everything" {
	installs uninstall
	[ -z "$(find "$ROOT" ! -type d)" ]
	installs install-compat
}

@test "install: the programs are hardened as far as compiler and linker can" {
	local cc
	command -v readelf > /dev/null || skip "no readelf"
	cc=$(cut -d ' ' -f 1 "$TOP/build/rel/flags")
	case $(cat "$TOP/build/rel/flags") in
	*-fstack-protector*-Wl,-z,now*) ;;
	*) skip "$cc does not" ;;
	esac
	for program in "$OLD"/* "$ROOT"/usr/lib/libflamepipe.so.*.*; do
		readelf -h "$program" > header 2> /dev/null || continue # of the shell
		echo "$program"
		grep -q 'Type: *DYN' header
		readelf -Wd "$program" > dynamic
		grep -q 'BIND_NOW' dynamic
		readelf -Wl "$program" > segments
		grep -q GNU_RELRO segments
		grep 'GNU_STACK' segments | grep -q 'RW '
		readelf -W --dyn-syms "$program" > symbols
		grep -q __stack_chk_fail symbols
		case $(cat "$TOP/build/rel/flags") in
		*_FORTIFY_SOURCE=2*) grep -q '__[a-z]*_chk' symbols ;;
		esac
	done
	grep -q BIND_NOW dynamic # of one at least
}

# A program is marked only if the C library's own objects are, too.
@test "install: every object has control flow protection" {
	command -v readelf > /dev/null || skip "no readelf"
	case "$(uname -m) $(cat "$TOP/build/rel/flags")" in
	x86_64*-fcf-protection*) ;;
	*) skip "the compiler has none for this machine" ;;
	esac
	find "$TOP/build/rel" -name '*.o' > objects
	tr '\n' '\0' < objects | xargs -0 readelf -nW | grep -c 'IBT, SHSTK' > marked
	[ "$(cat marked)" -eq "$(wc -l < objects)" ]
}

@test "install: the user's flags win over those of hardening, without a warning" {
	local hardening="$TOP/tools/hardening"
	run "$hardening" compile '-D_FORTIFY_SOURCE=1' cc
	[[ $output != *FORTIFY* ]]
	run "$hardening" link '-no-pie' cc
	[[ $output != *-pie* ]]
	run "$hardening" compile '' false
	[ -z "$output" ]
}

@test "install: a script's name may imply an option" {
	printf '@[\n    alpha+1\n    main+2\n]: 7\n' > map
	[ "$("$OLD/stackcollapse-bpftrace.pl" map)" = "main+2;alpha+1 7" ]
	printf '%s\n' 'Function Stack,Allocation Size:Self,Allocations:Self' 'main,4096,2' > memory
	[ "$("$OLD/stackcollapse-vtune-mc.pl" memory)" = "main 2" ]
	[ "$("$OLD/stackcollapse-vtune-mc.pl" --size memory)" = "main 4096" ]
}
