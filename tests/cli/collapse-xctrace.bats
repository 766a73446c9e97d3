#!/usr/bin/env bats
# Tests of collapse-xctrace at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners

export PROGRAM=collapse-xctrace NOTHING=1 LACKS='dash concatenation' LOCALES='--WEIGHT --threads'

# rows : prints a table with the rows on standard input.
rows()
{
	echo '<?xml version="1.0"?>'
	echo '<trace-query-result><node><schema name="time-profile"/>'
	cat
	echo '</node></trace-query-result>'
}

input()
{
	rows <<-'END'
		<row><weight id="1">5</weight><thread id="2" fmt="main  0x1 (app, pid: 7)"/><backtrace id="3"><frame id="4" name="alpha(int)"><binary id="5" name="app"/></frame><frame id="6" name="main"/></backtrace></row>
		<row><weight ref="1"/><thread ref="2"/><tagged-backtrace><backtrace id="7"><frame id="8" name="beta"/><frame ref="6"/></backtrace></tagged-backtrace></row>
		<row><weight>11</weight><thread ref="2"/><backtrace id="9"><frame name="gamma &amp; co"/><frame ref="6"/></backtrace></row>
	END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "<row><backtrace id=\"%d\"><frame name=\"f%d\"/><frame name=\"main\"/></backtrace></row>\n", i, i
	}' | rows
}

long()
{
	rows <<-END
		<row><backtrace><frame name="$(xs 1100000)"/></backtrace></row>
		<row><backtrace><frame name="f"/></backtrace></row>
	END
}

on()
{
	program "$@"
}

@test "collapse-xctrace: it behaves like every collapser" { manners --weight; }

@test "collapse-xctrace: options may be abbreviated, with one dash, in any case" {
	check_spellings --modules -modules --MOD
	check_spellings --threads -threads --THR
	check_spellings --weight -weight
}

# The test of manners.bash joins files with cat, which XML does not allow.
@test "collapse-xctrace: several files are read as one" {
	cp good other
	on good | sed 's/ 1$/ 2/' > both
	same both program good other
	dash() { program good - < other; }
	same both dash
	try program good no-such-file
	now "$status" -eq 1
	says no-such-file
}

@test "collapse-xctrace: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "did xctrace export fail"
}

@test "collapse-xctrace: other XML is refused by name" {
	echo '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>' > it
	check_not_understood SVG
}

@test "collapse-xctrace: other collapsers name it when they get its input" {
	"$BIN/collapse-perf" good 2> err && return 1
	grep -q "use collapse-xctrace" err
	"$BIN/collapse-recursive" good 2> err && return 1
	grep -q "use collapse-xctrace" err
}

@test "collapse-xctrace: programs that do not read XML do not load libxml2" {
	command -v ldd > /dev/null || skip "no ldd"
	ldd "$BIN/flamepipe-svg" | grep -q libxml2 || skip "linked in another way"
	ldd "$BIN/collapse-perf" "$BIN/flamegraph" "$BIN/report-folded" > libraries
	run ! grep libxml2 libraries
}

@test "collapse-xctrace: by the older program's name it does the same" {
	plain
	ln -s "$BIN/collapse-xctrace" inferno-collapse-xctrace
	same plain ./inferno-collapse-xctrace good
	same plain ./inferno-collapse-xctrace -q -vv good
}

@test "collapse-xctrace: with --strict, a malformed or incomplete line is an error" {
	on --strict good > out
	head -n 4 good > part
	try on --strict part
	now "$status" -eq 1
	now -n "$output"
	says "ends early" "--strict"
}

# Entities, depth and attributes could take much time or memory.
@test "collapse-xctrace: hostile XML gives a message at once, in little memory" {
	{
		echo '<!DOCTYPE a [<!ENTITY b "bbbbbbbb">'
		for i in {1..20}; do echo "<!ENTITY b$i '&b;&b;&b;'>"; done
		echo ']><trace-query-result>&b20;</trace-query-result>'
	} > it
	try on it
	fails 1 "XML entity"
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "<row>" }' > it
	try on it
	fails 1 "256 deep"
	awk 'BEGIN { printf "<row "; for (i = 0; i < 100000; i++) printf "a%d=\"\" ", i }' > it
	try on it
	fails 1 "1000 attributes"
}

# Equal rows take no memory, even if all are in one line.
@test "collapse-xctrace: memory does not grow with the input" {
	{
		echo '<trace-query-result><row><backtrace id="1"><frame name="f"/></backtrace></row>'
		for i in {1..12}; do
			awk 'BEGIN { for (i = 0; i < 100000; i++) printf "<row><backtrace ref=\"1\"/></row>" }'
		done
		echo '</trace-query-result>'
	} > it
	within 20000 it > out
	[ "$(cat out)" = "f 1200001" ]
}

@test "collapse-xctrace: long names of binaries are bounded" {
	{
		echo '<trace-query-result><row><backtrace><frame name="f0"><binary id="1" name="'
		xs 60000
		echo '"/></frame>'
		for i in {1..1199}; do echo "<frame name=\"f$i\"><binary ref=\"1\"/></frame>"; done
		echo '</backtrace></row></trace-query-result>'
	} > wide
	within 100000 --modules wide 2> messages | tr -d x | tr ';' '\n' > found
	[ "$(grep -c '`f' found)" -eq 1118 ]
	[ "$(grep -c '^f' found)" -eq 82 ]
	grep "binaries not shown, because names get too long (82)$" messages
}
