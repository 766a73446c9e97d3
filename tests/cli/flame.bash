# Helpers for the tests of flame and cargo-flame, which record with a stand-in for
# record-perf.
# shellcheck shell=bash
# bats sets status, output and stderr; quoted scripts; functions for try
# shellcheck disable=SC2154,SC2016,SC2317

export PROGRAM=flame

setup()
{
	needs_library libelf # or collapse-perf reads no recording
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	export DATA REAL_PATH=$PATH locale=C
	DATA=$(cd "$BATS_TEST_DIRNAME/../data/perfdata" && pwd) || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
	export HOME=$PWD TMPDIR=$PWD/tmp AT=$PWD
	mkdir bin tmp own
	ln -s "$DATA/cache" .debug
	# flame calls the programs of its own folder, so some of those here are
	# stand-ins
	ln -s "$BIN"/* own
	rm own/flame own/cargo-flame
	cp "$BIN/flame" "$BIN/cargo-flame" own
	stand_ins
	PATH=$PWD/bin:$PWD/own:$PATH
	unset PERF XCTRACE DTRACE JAVA_TOOL_OPTIONS NODE_OPTIONS PYTHONPERFSUPPORT container BROWSER
}

# Stops everything that a failed test or `signalled` has started, because it might run
# forever. Fails if a temporary file is left.
teardown()
{
	local started
	for started in $(jobs -p) ${session:+"-$session"}; do
		kill -KILL -- "$started" 2> /dev/null || :
	done
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/tmp" 2>/dev/null)" ]
}

# stand_in NAME : makes a program of that name from standard input.
stand_in()
{
	local file=$AT/bin/$1
	[ ! -e "$AT/own/$1" ] || file=$AT/own/$1
	rm -f "$file"
	{ echo '#!/bin/sh'; cat; } > "$file"
	chmod 755 "$file"
}

# fails_late MESSAGE : makes a collapse-perf that fails, although its input is not
# empty.
fails_late()
{
	stand_in collapse-perf <<< "grep -q . && echo '$1' >&2 && exit 1; echo 'the input is empty' >&2"
}

# Makes a record-perf that notes its arguments, runs the command and has recorded
# something before.
stand_ins()
{
	rm -f own/record-perf
	touch own/record-perf # also if it is not built here
	stand_in record-perf <<'END'
[ "${1:-}" != --version ] || { echo 'record-perf (flamepipe) stand-in'; exit; }
echo "record-perf $*" >> "$AT/calls"
data=$DATA/frames.data out=
while [ $# -gt 0 ]; do
	case $1 in
	-o) out=$2; shift ;;
	--) shift; break ;;
	esac
	shift
done
[ ! -e "$AT/fails" ] || { echo 'no luck' >&2; exit 255; }
status=0
case $out in
/dev/fd/3)
	[ $# -eq 0 ] || (exec "$@" 3>&-) || status=$?
	cat "$data" >&3 || touch "$AT/broken" ;;
'')
	cat "$data" || touch "$AT/broken" ;;
*)
	[ $# -eq 0 ] || (exec "$@") || status=$?
	cat "$data" > "$out" ;;
esac
exit $status
END
	stand_in true <<< 'exit 0'
	stand_in false <<< 'exit 1'
}

# Makes a perf that is like the record-perf above, and whose script prints the stacks.
stand_in_perf()
{
	stand_in perf <<'END'
[ "$1" != script ] || exec cat "$DATA/frames.data.txt"
exec record-perf "perf: $@"
END
}

# others_may_enter : skips if another user, such as nobody, may not use the programs or
# the recordings, because a folder above them is closed.
others_may_enter()
{
	local file
	for file in own/flame own/flamegraph "$DATA/frames.data"; do
		setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$file" ||
			skip "another user than root may not enter the folder of $(realpath "$file")"
	done
}

# Uses record-perf itself. Skips if it may not record here.
real_recorder()
{
	rm own/record-perf bin/true bin/false
	rm .debug
	needs_recorder
	ln -s "$BIN/record-perf" own
}

# says TEXT..., says_not TEXT... : check standard error for each TEXT.
said()
{
	local text
	for text; do
		[[ $stderr == *"$text"* ]] || now "$text" = "on standard error"
	done
}

said_not()
{
	local text
	for text; do
		[[ $stderr != *"$text"* ]] || now "$text" = "not on standard error"
	done
}

# stops STATUS TEXT... : checks that it ended with a message, and recorded and drew
# nothing.
stops()
{
	fails "$@"
	[ ! -e flamegraph.svg ]
	[ ! -e calls ] || ! grep -q -e ' -o ' calls
}

# options_of PROGRAM : lists the long options in its help, except those that print text
# and the one whose argument is a shell command.
options_of()
{
	"$1" --help | grep -o -e '^ .*--[a-z-]*' | grep -o -e '--[a-z-]*' |
		grep -v -x -e --help -e --version -e --post-process | sort -u
}

# draws FILE : checks that it has the frames of the stand-in's recording.
draws()
{
	"$BIN/flamegraph" --extract "$1" > drawn
	grep -q 'mill::Wheel::turn' drawn
}

# Compiles a C program with these arguments. It needs the CPU for a moment.
compile()
{
	cat > it.c <<'END'
static volatile unsigned long sink;
#define F(name) __attribute__((noinline)) static void name(int k) \
	{ for (int i = 0; i < k; i++) sink += i; }
F(one) F(two) F(three) F(four) F(five) F(six)
int main(void)
{
	for (int i = 0; i < 300; i++) {
		one(100000); two(100000); three(9); four(9); five(9); six(9);
	}
	return 0;
}
END
	${CC:-cc} -O1 "$@" it.c
}

# odd_word : sets $word to up to three pieces that mean something to a shell or to an
# option.
odd_word()
{
	local pieces=(a é 1 997 . ',' : '=' % - -- -o fp ' ' "'" '"' \\ '#' '!' '~' '$HOME' '*' '?' '[a' \
		'{a,b}' '$(touch PWNED)' '`touch PWNED`' ';touch PWNED;' '|touch PWNED' '&touch PWNED&' \
		'>PWNED' $'\n' $'\t' $'\r' $'\e[2J' $'\xff' $'\ntouch PWNED\n')
	local i
	word=
	for ((i = RANDOM % 4; i > 0; i--)); do word+=${pieces[RANDOM % ${#pieces[@]}]}; done
}

# odd_line : sets $line to some of the options $names with odd words, and $words to odd
# words.
odd_line()
{
	local i
	line=() words=()
	for ((i = RANDOM % 4; i > 0; i--)); do
		odd_word
		case $((RANDOM % 4)) in
		0) line+=("${names[RANDOM % ${#names[@]}]}") ;;
		1) line+=("${names[RANDOM % ${#names[@]}]}" "$word") ;;
		*) line+=("${names[RANDOM % ${#names[@]}]}=$word") ;;
		esac
	done
	for ((i = RANDOM % 8; i > 0; i--)); do odd_word; words+=("$word"); done
}

# Makes programs for a plan that note their arguments and do nothing.
noting_programs()
{
	local name
	mkdir noting plan
	for name in record-perf perf collapse-perf flamegraph diff-folded sudo; do
		printf '%s\n' '#!/bin/sh' 'case $1 in -) cat > /dev/null ;; esac' \
			"case $name,\$1 in record-perf,* | perf,record) printf '%s\\0' \"\$@\" > \"\$AT/noted\" ;; esac" > "noting/$name"
		chmod +x "noting/$name"
	done
}

# runs_nothing PROGRAM CASES : checks that a dry run with odd words makes no file and
# ends with a status of the manual, and that its plan, run by a shell, gives perf the
# command's words.
runs_nothing()
{
	local case before names line words word noted
	RANDOM=${SEED:-1}
	noting_programs
	mapfile -t names < <(options_of "$1")
	before=$(find .)
	for ((case = 0; case < $2; case++)); do
		odd_line
		rm -rf calls noted plan/*
		status=0
		"$1" --dry-run "${line[@]}" -- true "${words[@]}" > plan/script 2> plan/said || status=$?
		stderr=$(tr -d '\000' < plan/said) output=$(tr -d '\000' < plan/script)
		now "$status" -le 2 -o "$status" = 126 -o "$status" = 127
		[ "$status" -eq 0 ] && [ "${output:0:6}" != 'Usage:' ] || output=
		rm -rf calls plan/*
		now "$(find .)" = "$before"
		[ -n "$output" ] || continue
		printf '%s\n' "$output" > plan/script
		mkdir plan/in plan/in/a
		(cd plan/in && PATH=$AT/noting:$PATH sh ../script > /dev/null 2>&1 < /dev/null) || true
		[ ! -e plan/in/PWNED ] || now "${line[*]@Q} -- true ${words[*]@Q}" = 'left alone'
		[ -e noted ] || continue
		mapfile -d '' -t noted < noted
		noted=("${noted[@]:${#noted[@]}-${#words[@]}}")
		[ "${noted[*]@Q}" = "${words[*]@Q}" ] ||
			now "${noted[*]@Q}" = "${line[*]@Q} -- true ${words[*]@Q}"
		rm -f noted
	done
}

# Puts another project's flamegraph first on PATH.
foreign_flamegraph()
{
	mkdir other
	printf '#!/bin/sh\necho flamegraph 0.6.9\ntouch "$AT/called"\n' > other/flamegraph
	cp other/flamegraph other/flame
	chmod +x other/*
	PATH=$PWD/other:$PATH
}
