#!/usr/bin/env bats
# report-folded --list: the counts of lines, and which source files it reads, like flamegraph --source.
# The paths come from the profile, so the tests try to read files that the user did not mean.
# shellcheck disable=SC2016
bats_require_minimum_version 1.5.0

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	PATH=$BIN:$PATH
	export LC_ALL=C
	mkdir -p "$BATS_TEST_TMPDIR/project/src" && cd "$BATS_TEST_TMPDIR/project" || return 1
	printf 'int good;\n' > src/good.c
	printf 'SECRET\n' | tee ../secret.c > src/own.h
}

# list PATH [OPTION]... : lists a function at line 1 of PATH, within five seconds, into `out` and `err`.
list()
{
	local path=$1
	shift
	printf 'main:src/good.c:1;victim:%s:1 7\n' "$path" > it.folded
	timeout 5 report-folded --list . "$@" it.folded > out 2> err
}

# draw [OPTION]... : draws the profile of list() with the source, into `svg` and `drawn`.
draw()
{
	timeout 5 flamegraph --source "$@" it.folded > svg 2> drawn
}

# hidden PATH [OPTION]... : PATH is not read by either program, which a warning says, and good.c is.
hidden()
{
	list "$@"
	draw
	run ! grep -q SECRET svg
	grep -qF '<fg:line at="src/good.c:1">int good;</fg:line>' svg
	grep -F 'no source of' err > told
	[ "$(sed -n 's/^report-folded: //p' told)" = "$(sed -n 's/^flamegraph: \(no source of\)/\1/p' drawn)" ]
	run ! grep -q SECRET out
	grep -q '^   \.      7     1  int good;$' out
	grep -qF "$1 (source not found)" out
	grep -qF "no source of '$1' (--source-dir names its folder): tried " err
}

@test "list: .. does not lead out of the folder" {
	list src/own.h
	draw
	grep -q SECRET out # the tests see it if a file is read
	grep -q SECRET svg
	hidden ../secret.c
	hidden src/../../secret.c
	hidden ./../secret.c
	hidden "src/../..//secret.c"
}

@test "list: an absolute path is looked for below the folder" {
	hidden "$BATS_TEST_TMPDIR/secret.c"
	grep -qF "'./secret.c'" err
	list "/build/project/src/own.h"
	grep -q SECRET out
	grep -qx 'src/own.h' out
}

@test "list: no link is followed, neither of a file nor of a folder" {
	ln -s ../../secret.c src/link.c
	hidden src/link.c
	grep -q "'src/link.c': there is a link on the way, which is not followed" err
	ln -s ../.. src/up
	hidden src/up/secret.c
	ln -s own.h src/inside.h
	hidden src/inside.h
	ln -s src/own.h /tmp/list-$$.h 2> /dev/null
	hidden /tmp/list-$$.h
	rm -f /tmp/list-$$.h
}

@test "list: a fifo is not opened, so nothing waits for it" {
	mkfifo src/fifo.c
	hidden src/fifo.c
	grep -q "'src/fifo.c': it is not a regular file" err
}

@test "list: devices and files of the kernel are not read" {
	[ -e /proc/self/environ ] || skip "no /proc"
	export HIDDEN=SECRET
	printf 'main:%s:1;victim:/proc/self/environ:1 7\n' "$PWD/src/good.c" > it.folded
	timeout 5 report-folded --list . --source-dir / it.folded > out 2> err
	grep -q 'int good;' out
	run ! grep -qa SECRET out
	grep -q "'proc/self/environ': there is a link on the way" err
	draw --source-dir /
	grep -q 'int good;' svg
	run ! grep -qa SECRET svg
	grep -q "'proc/self/environ': there is a link on the way" drawn
	printf 'main;victim:/proc/1/environ:1 7\n' > it.folded
	timeout 5 report-folded --list . --source-dir / it.folded > out 2> err
	grep -q "'proc/1/environ': it is a file of the kernel" err
	draw --source-dir /
	grep -q "'proc/1/environ': it is a file of the kernel" drawn
	printf 'main;victim:/dev/zero:1 7\n' > it.folded
	timeout 5 report-folded --list . --source-dir / it.folded > out 2> err
	grep -q "'dev/zero': it is not a regular file" err
	draw --source-dir /
	grep -q "'dev/zero': it is not a regular file" drawn
}

@test "list: a folder, a large file and a file without permission are not read" {
	mkdir src/folder.c
	hidden src/folder.c
	truncate -s 17M src/large.c
	hidden src/large.c
	grep -q "'src/large.c': it is larger than 16 MiB" err
	if [ "$(id -u)" -ne 0 ]; then
		printf 'SECRET\n' > src/closed.c
		chmod 0 src/closed.c
		hidden src/closed.c
	fi
}

@test "list: a missing source is reported once, and not more than ten of them" {
	printf 'main;f:lost/gone.c:1;g:lost/gone.c:2 5\n' > it.folded
	report-folded --list . it.folded > out 2> err
	[ "$(grep -c 'no source of' err)" -eq 1 ]
	grep -q "tried './lost/gone.c', './gone.c'\$" err
	for i in $(seq 1 30); do echo "f$i:lost/f$i.c:1 5"; done > it.folded
	report-folded --list . -n 0 it.folded > out 2> err
	[ "$(grep -c "no source of '" err)" -eq 10 ]
	grep -q 'no source of 20 more files' err
	draw
	[ "$(grep -c "no source of '" drawn)" -eq 10 ]
	grep -q 'no source of 20 more files' drawn
}

@test "list: a picture has at most 256 KiB of source, that of the hottest lines" {
	awk 'BEGIN { for (i = 1; i <= 5000; i++) printf "line %d of a file %080d\n", i, i }' > src/many.c
	for i in $(seq 1 5000); do echo "f$((i / 2)):src/many.c:$i $i"; done > it.folded
	draw
	grep '^<fg:line' svg > lines
	[ "$(sed 's/<fg:line at="\(.*\)">\(.*\)<.fg:line>/\1\2/' lines | tr -d '\n' | wc -c)" -le 262144 ]
	[ "$(wc -l < lines)" -gt 2000 ]
	grep -q "the source of $((5000 - $(wc -l < lines))) lines is left out" drawn
	grep -q 'at="src/many.c:5000"' lines
	run ! grep -q 'at="src/many.c:1"' lines
}

@test "list: the source cannot move the cursor or start a line of its own" {
	printf 'a\033[2J\rb\n' > src/evil.c
	list src/evil.c
	run ! grep -q "$(printf '\033')" out
	grep -qF 'a\x1b[2J\x0db' out
	draw
	run ! grep -q "$(printf '\033')" svg
	grep -qF '>a\x1b[2J\x0db</fg:line>' svg
	list src/evil.c --format markdown
	grep -qF '       7      7     1  a\x1b[2J\x0db' out
}

@test "list: the counts of lines add up to the row of the function" {
	awk 'BEGIN {
		srand(3)
		for (i = 0; i < 400; i++) {
			stack = "main:src/m.c:3"
			for (d = int(rand() * 6); d >= 0; d--)
				stack = stack ";f" int(rand() * 4) ":src/f.c:" 1 + int(rand() * 5)
			print stack, 1 + int(rand() * 9)
		}
	}' > it.folded
	sed 's/:[a-z/]*\.c:[0-9]*//g' it.folded | report-folded --top -n 0 -f tsv - > functions
	report-folded --list . -n 0 it.folded 2> err | sed -n 's/^\([a-z0-9]*\): self \([0-9]*\) .*; total \([0-9]*\) .*/\1 \2 \3/p' |
		sort > heads
	awk 'NR > 1 { print $1, $2, $3 }' functions | sort > rows
	cmp rows heads
	report-folded --list . -n 0 -f tsv it.folded | awk -F '\t' 'NR > 1 { self[$1] += $4 }
		END { for (name in self) print name, self[name] }' | sort > lines
	awk '{ print $1, $2 }' rows | cmp - lines
}
