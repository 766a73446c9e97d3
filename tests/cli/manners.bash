# Promises that every program keeps at the command line. The .bats file of a program
# calls these checks, and sets
#   PROGRAM   its name
#   input     a function: prints input that the program understands
#   big       a function: prints input whose output fills any pipe
#   long      a function: prints input with a line of more than 1 MB, and short ones
#   on        a function: runs the program, through `program`, on files and options
#   NOTHING   the exit status if the program understands nothing in the input
#   AFTER     a file that follows the first one; may be unset
# shellcheck shell=bash
# bats sets status, output and stderr; `same` and `try` call the functions they are given.
# shellcheck disable=SC2154,SC2317

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	[ -x "$BIN/$PROGRAM" ] || skip "no $PROGRAM"
	cd "$BATS_TEST_TMPDIR" || return 1
	umask 022
	locale=C
	input > good
}

program()
{
	env LC_ALL="$locale" "$BIN/$PROGRAM" "$@"
}

# try COMMAND... : runs it, and sets status, output and stderr.
try()
{
	run --separate-stderr "$@"
}

# now TEST... : fails, and shows what the program did, unless [ TEST ] holds.
now()
{
	# shellcheck disable=SC2128
	[ "$@" ] || {
		echo "not so: $*"
		echo "exit status: $status"
		echo "standard output: ${output:0:2000}"
		echo "standard error: ${stderr:0:2000}"
		return 1
	}
}

# says TEXT... : checks that standard error contains each TEXT, and consists of
# messages.
says()
{
	local line text
	for text; do
		[[ $stderr == *"$text"* ]] || now "$text" = "on standard error"
	done
	while read -r line; do
		[[ $line == "$PROGRAM: "* ]] || now "$line" = "a message"
	done <<< "$stderr"
}

# fails STATUS TEXT... : checks the exit status and the messages, and that standard
# output is empty.
fails()
{
	now "$status" -eq "$1"
	shift
	now -z "$output"
	says "$@"
}

# same FILE COMMAND... : checks that the command succeeds and writes the content of
# FILE.
same()
{
	local file=$1
	shift
	"$@" > same.out 2> same.err || {
		echo "exit status $? of: $*"
		cat same.err
		return 1
	}
	cmp "$file" same.out
}

# some_of N : prints every Nth line of its input, sorted; all lines in `make check-all`.
some_of()
{
	LC_ALL=C sort | awk -v n="$([ "${CHECK:-}" = all ] && echo 1 || echo "$1")" 'NR % n == 0'
}

# plain : writes the output for the good input to a file of that name.
plain()
{
	on good > plain
}

bytes()
{
	local i
	for i in {0..255}; do
		# shellcheck disable=SC2059
		printf "\\$(printf %03o "$i")"
	done
}

xs()
{
	head -c "$1" /dev/zero | tr '\0' x
}

# within KIB WORD... : runs the program with at most that much data. Untouched memory
# counts, but libraries do not. It runs the release build, because sanitizers take
# terabytes.
within()
{
	local BIN=$BATS_TEST_DIRNAME/../../build/bin
	(ulimit -d "$1" && program --version > /dev/null 2>&1) ||
		skip "no limit on memory works here"
	(ulimit -d "$1" && program "${@:2}")
}

# manners OPTION... : runs the checks below on a collapser, in one test. Each OPTION is
# a flag of its own. Checks that depend on the grammar always run; those that all
# collapsers share run only with CHECK=all. A test may set
#   LACKS            checks in these lists that do not apply to it
#   NEEDS_ARGUMENT   an option of its own that takes an argument
#   LOCALES          options for check_locales
manners()
{
	local check
	for check in help missing_file dash binary text crlf nul long_line concatenation \
		no_last_newline; do
		manner "$check"
	done
	[ "${CHECK:-}" = all ] || return 0
	for check in version bad_option end_of_options default_input directory unreadable \
		perf_data compressed gzip zstd other_text full_disk closed_stdout closed_stdin \
		closed_stderr broken_pipe same_bytes output output_kept output_cannot_be_written \
		output_killed output_is_input; do
		manner "$check"
	done
	# shellcheck disable=SC2086
	{
		manner needs_argument --max-depth --keep ${NEEDS_ARGUMENT:-}
		manner takes_no_argument --strict --verbose "$@"
		manner locales ${LOCALES:---RECURSION=direct --drop=beta}
	}
}

# manner CHECK WORDS... : runs one check in a folder of its own.
manner()
{
	local check=check_$1
	[[ " ${LACKS:-} " != *" $1 "* ]] || return 0
	shift
	echo "$check:"
	mkdir "$BATS_TEST_TMPDIR/$check"
	(
		cd "$BATS_TEST_TMPDIR/$check" || exit
		input > good
		"$check" "$@"
	)
}

check_help()
{
	local option
	for option in --help -h -help; do
		try program "$option"
		now "$status" -eq 0
		now -z "$stderr"
		now "${lines[0]%% \[*}" = "Usage: $PROGRAM"
	done
	try program --help --no-such-option
	now "$status" -eq 0
	program --help | awk 'length > 80 || / $/ { print; bad = 1 } END { exit bad }'
}

check_version()
{
	local option version
	version=$(cat "$BATS_TEST_DIRNAME/../../VERSION")
	for option in --version -V -version; do
		try program "$option"
		now "$status" -eq 0
		now -z "$stderr"
		now "$output" = "$PROGRAM (flamepipe) $version"
	done
}

check_bad_option()
{
	local option
	for option in --zzz-no-such -zzz-no-such --zzz=1 -Z; do
		try on "$option" good
		fails 2 "'$option'" "$PROGRAM --help"
	done
}

# check_needs_argument OPTION... : gives each one last, without its argument.
check_needs_argument()
{
	local option
	for option; do
		try program good good "$option"
		fails 2 "$option" argument
	done
}

# check_takes_no_argument OPTION...
check_takes_no_argument()
{
	local option
	for option; do
		try on "$option=1" good
		fails 2 "$option" argument
	done
}

# check_spellings WORDS... : checks that each, split at spaces, does what the first
# does.
check_spellings()
{
	local words
	plain
	# shellcheck disable=SC2086
	on $1 good > first
	if cmp -s plain first; then
		echo "no effect: $1"
		return 1
	fi
	for words; do
		# shellcheck disable=SC2086
		same first on $words good
		# shellcheck disable=SC2086
		same first on good $words
	done
}

check_ambiguous()
{
	try on "$1" good
	fails 2 ambiguous "'$1'"
}

check_end_of_options()
{
	plain
	cp good ./--help
	same plain on -- --help
	same plain on ./--help
}

check_dash()
{
	plain
	dash() { on - < good; }
	same plain dash
	pipe() { echo -n | cat - good | on -; }
	same plain pipe
}

check_default_input()
{
	plain
	default() { program < good; }
	same plain default
}

check_missing_file()
{
	try on no-such-file
	fails 1 no-such-file "No such file"
	try on ""
	fails 1 "No such file"
}

check_directory()
{
	mkdir folder
	try on folder
	fails 1 folder directory
}

check_unreadable()
{
	[ "$(id -u)" -ne 0 ] || skip "root reads everything"
	chmod 000 good
	try on good
	fails 1 good "ermission denied"
}

# check_not_understood TEXT... : checks that the program rejects the file `it` with a
# message that contains each TEXT.
check_not_understood()
{
	on it > out 2> err && status=0 || status=$?
	output=
	stderr=$(cat err)
	now "$status" -eq "$NOTHING"
	says "$@"
}

# Binary data are refused by their first bytes, before any stack is looked for.
check_binary()
{
	local NOTHING=1

	bytes > it
	check_not_understood it
}

# check_not_text TEXT : checks that the program refuses the file `it`, even with good
# input after it.
check_not_text()
{
	{ echo; cat good; } >> it
	try on it
	fails 1 "$1"
}

check_perf_data()
{
	{ printf PERFILE2; bytes; } > it
	check_not_text "collapse-perf"
}

# check_packed PROGRAM : checks that input compressed by that program is read like the
# original.
check_packed()
{
	local cut
	plain
	# shellcheck disable=SC2086
	$1 -c < good > it
	same plain on it
	piped() { on - < it; }
	same plain piped
	for cut in 12 30; do
		head -c "$cut" it > part
		try on part
		fails 1 "data are cut short"
	done
	{ cat it; echo; cat good; } > part
	try on part
	fails 1 "data are damaged"
	{ head -c 30 it; bytes; bytes; } > part
	try on part
	fails 1 "data are"
}

check_gzip() { check_packed gzip; }

check_zstd()
{
	command -v zstd > /dev/null || skip "no zstd"
	zstd -q -c < good > it
	! on it 2>&1 | grep -q "zstdcat first" || skip "built without libzstd"
	check_packed "zstd -q"
}

check_compressed()
{
	{ printf '\037\213\010'; bytes; } > it
	check_not_text gzip
	{ printf '\050\265\057\375'; bytes; } > it
	check_not_text zstd
	{ printf '\3757zXZ'; bytes; } > it
	check_not_text xz
	{ printf 'BZh91AY&SY'; bytes; } > it
	check_not_text bzcat
}

check_other_text()
{
	printf '{\n  "profiles": [ { "name":\n  "end" 5\n' > it
	check_not_text JSON
	printf '# Samples: 7  of event "cycles"\n    60.00%%  a  b  c 5\n' > it
	check_not_text "perf script"
}

# Programs that read folded stacks name the collapser of another profiler's output.
check_foreign()
{
	printf 'Thread 1 (LWP 5):\n#0  work () at a.c:3\n#1  main () at a.c:9\n' > it
	check_not_text "pipe it through collapse-gdb first"
	printf '  app%cwork+0x1\n  app%cmain+0x9\n  5\n' '`' '`' > it
	check_not_text "pipe it through collapse-dtrace first"
	printf '<?xml version="1.0"?>\n<trace-query-result>\n</trace-query-result>\n' > it
	check_not_text "pipe it through collapse-xctrace first"
}

check_text()
{
	printf 'This is a text.\nIt has two lines.\n' > it
	check_not_understood it
}

check_full_disk()
{
	[ -c /dev/full ] || skip "no /dev/full"
	full() { on good > /dev/full; }
	try full
	fails 1 "cannot write" "No space left"
	big > many
	full() { on many > /dev/full; }
	try full
	fails 1 "cannot write" "No space left"
	full() { program --help > /dev/full; }
	try full
	fails 1 "cannot write" "No space left"
}

check_closed_stdout()
{
	closed() { on good >&-; }
	try closed
	fails 1 "cannot write"
	closed() { program --version >&-; }
	try closed
	fails 1 "cannot write"
}

check_closed_stdin()
{
	plain
	closed() { on - <&-; }
	try closed
	fails 1 "standard input"
	closed() { on good <&-; }
	same plain closed
}

check_closed_stderr()
{
	plain
	closed() { on good 2>&-; }
	same plain closed
	closed() { on no-such-file 2>&-; }
	try closed
	now "$status" -eq 1
	now -z "$output"
}

check_broken_pipe()
{
	big > many
	broken() { on many | head -n 1 > /dev/null; }
	try broken
	now -z "$stderr"
	ignored()
	{
		(trap '' PIPE; on many) | head -n 1 > /dev/null
		return "${PIPESTATUS[0]}"
	}
	try ignored
	now "$status" -eq 1
	now -z "$stderr"
}

check_crlf()
{
	plain
	sed 's/$/\r/' good > crlf
	same plain on crlf
}

check_no_last_newline()
{
	plain
	printf %s "$(cat good)" > unended
	same plain on unended
}

# Without its newline the count may be cut: 12 may be the start of 125.
check_cut_count()
{
	plain
	printf %s "$(cat good)" > unended
	same plain on unended
	now "$(grep -c 'unended: the last line has no newline' same.err)" -eq 1
	on good > good.out 2> good.err
	run ! grep 'does not end' good.err
}

# A NUL is a byte like any other: it neither loses nor ends a line.
check_nul()
{
	sed 's/beta/be_ta/' good | tr _ '\000' > nul
	cmp -s good nul && return 1
	on nul > out 2> err || { cat err; return 1; }
	[ "$(wc -l < out)" -eq "$(on good | wc -l)" ]
}

check_long_line()
{
	long > wide
	on wide > out
	[ "$(wc -c < out)" -gt 65536 ]
}

check_locales()
{
	local option
	plain
	program --help > help
	for locale in C.UTF-8 tr_TR.UTF-8 de_DE.UTF-8 ja_JP.SJIS no_SUCH; do
		same plain on good
		same help program --help
		for option; do
			locale=C on "$option" good > first
			# shellcheck disable=SC2086
			same first on $option good
		done
	done
}

# check_concatenation : checks that several files are read as one, even with byte-order
# marks.
check_concatenation()
{
	input | sed 's/beta/delta/' > other
	cat good other > both
	on both > plain
	same plain program good other
	dash() { program good - < other; }
	same plain dash
	{ printf '\357\273\277'; cat good; printf '\357\273\277'; cat other; } > marked
	same plain on marked
	try program good no-such-file
	now "$status" -eq 1
	says no-such-file
}

check_same_bytes()
{
	big > many
	on many > plain
	same plain on many
	dash() { on - < many; }
	same plain dash
	slow() { while IFS= read -r line; do echo "$line"; done < good | on -; }
	plain
	same plain slow
}

check_output()
{
	local option
	plain
	for option in '-o file' -ofile -o=file '--output file' --output=file '-output file'; do
		rm -f file
		# shellcheck disable=SC2086
		try on $option good
		now "$status" -eq 0
		now -z "$output"
		cmp plain file
	done
	same plain on -o - good
	same plain on -o /dev/stdout good
}

check_output_kept()
{
	plain
	mkdir folder
	cp good folder/file
	chmod 640 folder/file
	ln -s folder/file link
	on -o link good
	cmp plain folder/file
	now -L link
	now "$(stat -c %a folder/file)" = 640
	try on -o link no-such-file
	now "$status" -eq 1
	cmp plain folder/file
	chmod 444 folder/file
	try on -o folder/file good
	fails 1 folder/file "cannot write"
	cmp plain folder/file
	now "$(ls -A folder)" = file
}

check_output_cannot_be_written()
{
	try on -o no-such-folder/file good
	fails 1 no-such-folder/file "cannot write" "No such file"
	mkdir folder
	try on -o folder good
	fails 1 folder "cannot write" directory
	try program good good -o
	fails 2 --output argument
	[ -c /dev/full ] || return 0
	try on -o /dev/full good
	fails 1 /dev/full "cannot write" "No space left"
}

# The output is opened before the input, which is a FIFO here.
check_output_killed()
{
	local signal
	[ -d /proc/self/fd ] || skip "no /proc"
	mkdir folder
	cp good folder/file
	mkfifo fifo
	for signal in TERM KILL; do
		# the program would inherit an ignored signal
		[[ $(trap -p "$signal") != *"''"* ]] || continue
		# shellcheck disable=SC2086
		"$BIN/$PROGRAM" -o folder/file fifo ${AFTER:-} 3>&- &
		exec 4> fifo
		kill -s $signal $!
		wait $! && return 1
		exec 4>&-
		cmp good folder/file
		now "$(ls -A folder)" = file
	done
}

# shellcheck disable=SC2094
check_output_is_input()
{
	cp good it
	appended() { on it >> it; }
	try appended
	fails 1 it "the input is the output"
	appended() { on - < it >> it; }
	try appended
	fails 1 "(standard input)" "the input is the output"
	cmp good it
	ln -s it link
	try on -o it link
	fails 1 link "the input is the output"
	replaced() { on -o it - < "link"; }
	try replaced
	fails 1 "(standard input)" "the input is the output"
	cmp good it
}
