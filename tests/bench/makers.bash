# Functions that make the inputs of tests/bench/shapes and tests/limits/run. Before you source
# this file, set `work`, a folder, `BIN`, and `bench`, this folder.
# shellcheck shell=bash
# shellcheck disable=SC2154

# Compiles the tools into the folder.
build_makers()
{
	local tool
	for tool in measure recordings messages jfr; do
		# shellcheck disable=SC2086 # CC may be several words
		${CC:-cc} -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE \
			-DLIMIT_S="${LIMIT_S:-120}" -o "$work/$tool" "$bench/$tool.c" || return
	done
}

# repeat N TEXT [BEFORE [AFTER]] : prints BEFORE, then TEXT once for each number from 1 to N
# in place of its @'s, then AFTER.
repeat()
{
	awk -v n="$1" -v text="$2" -v before="${3:-}" -v after="${4:-}" 'BEGIN {
		parts = split(text, part, "@")
		printf "%s", before
		for (i = 1; i <= n; i++) {
			printf "%s", part[1]
			for (j = 2; j <= parts; j++)
				printf "%d%s", i, part[j]
		}
		printf "%s", after
	}'
}

# The makers that `shape` calls: NAME N prints the input.

recording() { "$work/recordings" "$1" "$2"; }

message() { "$work/messages" "$1" "$2"; }

jfr() { "$work/jfr" "$1"; }

# A recording of JFR has chunks, each complete in itself.
chunks()
{
	local i
	for ((i = 0; i < $1; i++)); do cat "$bench/../golden/collapse-jfr/hand/good/input"; done
}

# A stack of Firefox: each frame is a row with its caller's number, and the last one is
# sampled. BEFORE comes first.
callers()
{
	repeat "$1" '[@,0],' \
		"$2\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0],[0,0],"
	printf '[%d,0]]},"samples":{"schema":{"stack":0,"time":1},"data":[[%d,1]]},%s' \
		"$1" "$(($1 + 2))" "$3"
}

# Frames of Firefox that share one text, which has more letters than there are frames.
# BEFORE comes first.
one_text()
{
	repeat "$1" '[0],' \
		"$2\"frameTable\":{\"schema\":{\"location\":0},\"data\":[" '[0]]},"stringTable":["'
	repeat "$1" 'abcdefgh' '' '"]}]}'
}

# Stacks of a thread of Firefox that has a long name.
thread_name()
{
	repeat "$1" 'abcdefgh' '{"meta":{"interval":1},"libs":[],"threads":[{"name":"'
	repeat "$1" '0,' '","frameTable":{"func":[0]},"funcTable":{"name":[0]},
		"stringArray":["f"],"stackTable":{"frame":['
	repeat "$1" 'null,' '0],"prefix":['
	repeat "$1" '@,' 'null]},"samples":{"stack":[' '0]}}]}'
}

# A stack of xctrace. BEFORE has the first frame, 14, and all rows refer to it.
one_stack()
{
	repeat "$1" '<frame ref="14"/>' "$2"
	repeat "$1" '<row><weight ref="12"/><backtrace ref="13"/></row>' '</backtrace></row>' "$3"
}

# Stacks in slices of 20 ms.
slices()
{
	awk -v n="$1" 'BEGIN {
		print "# slice: 20ms"
		for (i = 0; i < n; i++)
			printf "@%09.3f;a;b%d 1\n", i * 0.02, i
	}'
}

# Many short names and a long one. Sorting compares the long one with all others, because one
# of them continues with ';' and so comes last.
long_leaf()
{
	awk -v n="$1" 'BEGIN {
		for (size = 12; size * 2 <= n; size *= 2);
		print "a;b 1\na 1"
		for (i = 2; i < size; i++) printf "a!%06d 1\n", i
		printf "a!z"
		for (i = 0; i < 8 * n; i++) printf "1"
		print " 1"
		for (i = 0; i < n - size; i++) printf "a!zz%06d 1\n", i
	}'
}

# Nested elements.
nested() { repeat "$1" "$2" "$3"; repeat "$1" "$4" '' "$5"; }

# Two texts, each repeated N times: N TEXT BEFORE TEXT BETWEEN [AFTER].
two_texts() { repeat "$1" "$2" "$3"; repeat "$1" "$4" "$5" "${6:-}"; }

# The picture of many stacks.
svg() { repeat "$1" 'a;b@;c@ 1\n' | "$BIN/flamegraph" -q --minwidth=0; }

aliases() { "$work/recordings" aliases "$1" "$work/binary"; }

# make_input N MAKER [ARG]... : N comes after a maker's first word.
make_input()
{
	local n=$1
	shift
	case $1 in
	repeat) repeat "$n" "${@:2}" ;;
	recording | message) "$1" "$2" "$n" ;;
	*) "$1" "$n" "${@:2}" ;;
	esac
}
