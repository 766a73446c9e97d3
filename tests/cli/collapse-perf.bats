#!/usr/bin/env bats
# Tests of collapse-perf at the command line; see manners.bash.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load manners
load libraries
load perf-text

export PROGRAM=collapse-perf NOTHING=1

on()
{
	program "$@"
}

@test "collapse-perf: --help prints the usage in 80 columns" { check_help; }
@test "collapse-perf: --version prints the program's name and version" { check_version; }
@test "collapse-perf: an unknown option is an error" { check_bad_option; }
@test "collapse-perf: an option without its argument is an error" { check_needs_argument --event-filter --skip-after; }
@test "collapse-perf: an argument to a flag is an error" { check_takes_no_argument --pid --strict; }
@test "collapse-perf: -- ends the options" { check_end_of_options; }
@test "collapse-perf: - is standard input" { check_dash; }
@test "collapse-perf: without a file, it reads standard input" { check_default_input; }
@test "collapse-perf: a missing file is an error" { check_missing_file; }
@test "collapse-perf: a directory is an error" { check_directory; }
@test "collapse-perf: a file without read permission is an error" { check_unreadable; }
@test "collapse-perf: binary data are refused" { check_binary; }
@test "collapse-perf: gzip input is read, and is an error if cut or damaged" { check_gzip; }
@test "collapse-perf: zstd input is read, and is an error if cut or damaged" { check_zstd; }
@test "collapse-perf: damaged gzip and zstd, xz and bzip2 are refused by name" { check_compressed; }
@test "collapse-perf: JSON and the output of perf report are refused" { check_other_text; }
@test "collapse-perf: text that is no profile gives a message" { check_text; }
@test "collapse-perf: a full disk is an error" { check_full_disk; }
@test "collapse-perf: a closed standard output is an error" { check_closed_stdout; }
@test "collapse-perf: a closed standard input is an error only if it is read" { check_closed_stdin; }
@test "collapse-perf: a closed standard error changes neither output nor status" { check_closed_stderr; }
@test "collapse-perf: a reader that stops early gets no message" { check_broken_pipe; }
@test "collapse-perf: lines may end in CRLF" { check_crlf; }
@test "collapse-perf: a NUL is a byte like any other" { check_nul; }
@test "collapse-perf: a line of 1 MB is read" { check_long_line; }
@test "collapse-perf: the locale changes nothing" { check_locales --PID --tid --KERNEL; }
@test "collapse-perf: several files are read as one" { check_concatenation; }
@test "collapse-perf: the same input gives the same bytes" { check_same_bytes; }
@test "collapse-perf: -o FILE writes to FILE" { check_output; }
@test "collapse-perf: -o keeps permissions and links, and the old file on failure" { check_output_kept; }
@test "collapse-perf: a file of -o that cannot be written is an error" { check_output_cannot_be_written; }
@test "collapse-perf: a signal leaves the file of -o alone" { check_output_killed; }
@test "collapse-perf: output that is also the input is an error" { check_output_is_input; }

@test "collapse-perf: options may be abbreviated, with one dash, in any case" {
	check_spellings --pid -pid --PID
	check_spellings --tid -tid --Tid
	check_spellings --kernel -kernel --kern
	check_spellings --all -all --al '--kernel --jit'
	check_spellings --addrs -addrs --addr
	check_spellings --raw-names -raw-names --raw
}

# Scripts use these, so newer options must not make them ambiguous.
@test "collapse-perf: options may be as short as the Perl script allows" {
	check_spellings --pid --pi --p -p
	check_spellings --tid --ti --t -t
	check_spellings --kernel --ke --k
	check_spellings --addrs --ad
	check_spellings --all --al
	for option in --jit --j --srcline --s --context --c --event-filter=cycles:u --e=cycles:u; do
		on "$option" good > out
	done
}

@test "collapse-perf: an option's argument may follow a space or =" {
	check_spellings '--skip-after beta' --skip-after=beta '-skip-after beta' \
		-skip-after=beta '--skip-a beta'
}

@test "collapse-perf: an unknown choice is an error that lists the choices" {
	try on --order sideways good
	fails 2 --order sideways callee caller
	try on --compat=python good
	fails 2 --compat python perl
}

# The input has 6 MB, so that several threads read it.
@test "collapse-perf: the number of threads changes nothing" {
	awk 'BEGIN {
		for (i = 0; i < 40000; i++) {
			event = i % 1000 == 999 ? "faults" : "cycles"
			printf "app %d/%d [000] 1.%06d: %d %s: \n", i, i, i, i % 9, event
			printf "\t%16x f%d+0x1 (/bin/app)\n", i, i % 300
			printf "\t%16x g%d+0x1 (/bin/app)\n", i, i % 700
			printf "\t%16x main+0x1 (/bin/app)\n\n", i
			if (i % 7000 == 6999)
				print "app 1/1 [000] 1.000000: 1 cycles: \nodd\n"
		}
	}' > large
	on -n1 large > out 2> err
	[ -s out ]
	[ -s err ]
	for threads in 0 2 3 16 18446744073709551615; do
		on -n $threads large > other 2> others
		cmp other out
		cmp others err
		on --nthreads=$threads - < large > other
		cmp other out
		dd if=large bs=65536 2> /dev/null | on -n$threads > other
		cmp other out
	done
	on large > other
	cmp other out
	try on -n x large
	fails 2 x
}

@test "collapse-perf: an empty --event-filter is an error" {
	try on --event-filter= good
	now "$status" -ne 0
	now -n "$stderr"
}

@test "collapse-perf: three samples are three sorted stacks" {
	try on good
	now "$status" -eq 0
	now -z "$stderr"
	now "${#lines[@]}" -eq 3
	now "${lines[0]}" = "app;main;alpha 250000"
	now "${lines[1]}" = "app;main;beta 250001"
	now "${lines[2]}" = "my_worker;main;[libgamma.so.1];do_syscall_64 250002"
}

@test "collapse-perf: empty input is an error" {
	: > empty
	try on empty
	fails 1 empty "perf script"
	try on /dev/null
	fails 1 "perf script"
	try on - < /dev/null
	fails 1 "perf script"
	try on -q empty
	now "$status" -eq 1
}

@test "collapse-perf: folded stacks as input are refused with a hint" {
	printf '%s\n' 'app;main;alpha 40' 'app;main;beta 60' > it
	check_not_understood it folded
}

@test "collapse-perf: an SVG as input is refused with a hint" {
	printf '%s\n' '<?xml version="1.0"?>' '<svg>' '</svg>' > it
	check_not_understood it SVG
}

@test "collapse-perf: samples without call chains are read, with a hint" {
	awk 'BEGIN {
		for (i = 0; i < 9; i++)
			print "app 7 [000] 1000.00000" i ": 250000 cycles:u: \n"
	}' > flat
	try on flat
	now "$status" -eq 0
	now "$output" = "app 2250000"
	says "-g"
	awk 'BEGIN {
		for (i = 0; i < 9; i++)
			print "app 7 [000] 1000.00000" i ": 250000 cycles:u: 55d0c0ffee10 main+0x2b (/usr/bin/app)"
	}' > flat
	try on flat
	now "$status" -eq 0
	now "$output" = "app;main 2250000"
}

@test "collapse-perf: without a last newline the samples before are kept" {
	printf %s "$(cat good)" > unended
	try on unended
	now "$status" -eq 0
	now "${#lines[@]}" -ge 2
}

@test "collapse-perf: an --event-filter that matches no sample is an error" {
	try on --event-filter=branches good
	fails 1 cycles
}

@test "collapse-perf: an empty --weight is an error" {
	try on --weight= good
	fails 2 '--weight takes'
}

@test "collapse-perf: with --strict, a malformed or incomplete line is an error" {
	{ input; echo 'what is this?'; echo; } > it
	try on it
	now "$status" -eq 0
	now "${#lines[@]}" -eq 3
	try on --strict it
	now "$status" -eq 1
	says it
	try on --strict good
	now "$status" -eq 0
}

@test "collapse-perf: by the Perl script's name it does what --compat=perl does" {
	on --compat=perl good > compat
	ln -s "$BIN/collapse-perf" stackcollapse-perf.pl
	./stackcollapse-perf.pl good > older
	cmp compat older
	[ "$(wc -l < compat)" -eq 3 ]
}

@test "collapse-perf: by the older name, no stacks is not an error" {
	: > empty
	ln -s "$BIN/collapse-perf" stackcollapse-perf.pl
	try ./stackcollapse-perf.pl empty
	now "$status" -eq 0
	now -z "$output"
	says "the input is empty"
	echo 'a;b 5' > folded
	try ./stackcollapse-perf.pl -q folded
	now "$status" -eq 0
	now -z "$stderr"
	try on empty
	now "$status" -eq 1
}

@test "collapse-perf: by inferno's name it does what --compat=inferno does" {
	ln -s "$BIN/collapse-perf" inferno-collapse-perf
	./inferno-collapse-perf -v -v -v --event-filter cycles good > older 2> /dev/null
	on --compat=inferno --event-filter cycles good | cmp - older
	[ "$(wc -l < older)" -eq 3 ]
	try on --event-filter cycles good
	now "$status" -eq 1
}

@test "collapse-perf: the sum of the counts stays the same" {
	big > many
	[ "$(on many | awk '{ s += $NF } END { print s }')" -eq 200010000 ]
}

@test "collapse-perf: the stacks are sorted and unique" {
	big > many
	on many > out
	LC_ALL=C sort -u out | cmp - <(LC_ALL=C sort out)
	sed 's/ [^ ]*$//' out > stacks
	LC_ALL=C sort stacks | cmp - stacks
}

@test "collapse-perf: a deep stack is read whole" {
	{
		echo "app 1 [000] 1000.000001: 7 cycles:u: "
		awk 'BEGIN { for (i = 0; i < 20000; i++) printf "\t%16x f%d+0x1 (/usr/bin/app)\n", i, i }'
		echo
	} > deep
	on deep > out
	[ "$(tr ';' '\n' < out | wc -l)" -eq 20001 ]
}

# The program loom is built from tests/data/perfdata/loom.cpp. At 0x4001a8 two functions
# are inlined into loom::Frame::weave; at the address before there are none.
loom=$BATS_TEST_DIRNAME/../data/perfdata/cache/.build-id/e5/8df60aaa49af81458c51d1809d28a54aef660c/elf

# inlined ARG... : folds the input with its frames moved to 0x4001a9.
inlined()
{
	cp "$loom" app
	sed -n "s|/usr/bin/app|$PWD/app|; s|^\(.\) *[0-9a-f]* \(.*+0x\)|\1 4001a9 \2|; 1,4p" good > input
	on --inline "$@" input
}

@test "collapse-perf: --inline adds the inlined functions" {
	needs_library libelf libdw
	in='loom::row<unsigned int>;loom::knot'
	# the outer function has the name of its symbol, like in a recording
	now "$(inlined)" = "app;main;$in;alpha;$in 250000"
	full='void loom::row<unsigned int>(unsigned int);loom::knot(unsigned int)'
	now "$(inlined --raw-names)" = "app;main;$full;alpha(int);$full 250000"
	now "$(inlined --dso --max-depth=2)" = 'app;main@app;loom::row<unsigned int>@app 250000'
	now "$(inlined --skip-after=alpha)" = "app;alpha;$in 250000"
	inlines='loom::row<unsigned int>:loom.cpp:20;loom::knot:loom.cpp:14'
	now "$(inlined --context)" = "app;main:loom.cpp:27;$inlines;alpha:loom.cpp:27;$inlines 250000"
	# a frame without a name gets that of the binary
	sed -i 's/main+0x[0-9a-f]*/[unknown]/' input
	now "$(on --inline input)" = "app;loom::Frame::weave;$in;alpha;$in 250000"
}

# The outermost function keeps its name in the text. Here that is not the name in the binary.
@test "collapse-perf: --lines adds the source lines of the text's frames" {
	needs_library libelf libdw
	cp "$loom" app
	sed -n "s|/usr/bin/app|$PWD/app|; s|^\(.\) *[0-9a-f]* \(.*+0x\)|\1 4001a9 \2|; 1,4p" good > input
	in='loom::row<unsigned int>:loom.cpp:20;loom::knot:loom.cpp:14'
	now "$(on --lines input)" = 'app;main:loom.cpp:27;alpha:loom.cpp:27 250000'
	now "$(on --lines --inline input)" = "app;main:loom.cpp:27;$in;alpha:loom.cpp:27;$in 250000"
	now "$(on --lines --dso input)" = 'app;main@app:loom.cpp:27;alpha@app:loom.cpp:27 250000'
	now "$(on --lines --skip-after=alpha input)" = 'app;alpha:loom.cpp:27 250000'
	now "$(on --lines --inline --skip-after=loom::knot input)" = "app;${in##*;} 250000"
	# a frame without a name keeps that of its file
	sed -i 's/main+0x[0-9a-f]*/[unknown]/' input
	now "$(on --lines input)" = 'app;[app];alpha:loom.cpp:27 250000'
}

@test "collapse-perf: --lines says which file it misses" {
	needs_library libelf libdw
	try on --lines good
	now "$status" -eq 0
	says "/usr/bin/app: was not found, so its inlined functions and source lines are not shown"
}

@test "collapse-perf: --lines is not mixed with other forms of lines" {
	try on --lines --srcline good
	fails 2 '--lines and --srcline append lines in different forms: use only one'
	try on --lines --inline --context good
	fails 2 '--lines and --context append lines in different forms: use only one'
	try on --lines --compat=perl good
	fails 2 'allows only the options'
}

@test "collapse-perf: --inline looks up the call, not the return address" {
	needs_library libelf libdw
	cp "$loom" app
	frame() { printf '\t%16s %s (%s)\n' "$1" "$2" "${3-$PWD/app}"; }
	chain() { echo 'app 7 [000] 1.000001: 250000 cycles: '; "$@"; echo; }
	asked() { on -q --inline "$@" input; }
	in='loom::row<unsigned int>;loom::knot'
	leaf_first()
	{
		frame 4001a8 leaf+0x10
		frame 4001a8 caller+0x20
		frame 4001a8 trampoline+0x0
		frame 4001a8 main
	}
	shown_by_perf() { printf '\t%16s inner (inlined)\n' 4001a8; leaf_first; }
	chain leaf_first > input
	want="app;main;trampoline;$in;caller;leaf;$in 250000"
	now "$(asked)" = "$want"
	# a frame that perf marks as inlined has the address of the frame that follows
	chain shown_by_perf > input
	now "$(asked)" = "${want/ 250000/;inner 250000}"
	# the root may come first: by option, by the chain itself, or by an earlier
	# chain
	root_first() { leaf_first | tac; }
	chain root_first > input
	now "$(asked --order=caller)" = "$want"
	with_start() { frame 4001a8 _start+0x50; root_first; }
	chain with_start > input
	now "$(asked)" = "${want/app;/app;_start;}"
	chain root_first >> input
	now "$(asked | tail -n 1)" = "$want"
	# the address from which the kernel was entered is exact
	entered()
	{
		frame ffffffff81000010 spin+0x10 '[kernel.kallsyms]'
		frame ffffffff81000130 asm_exc_page_fault+0x22 '[kernel.kallsyms]'
		frame 4001a8 leaf+0x10
		frame 4001a8 main+0x20
	}
	chain entered > input
	want="app;main;leaf;$in;asm_exc_page_fault;spin 250000"
	now "$(asked)" = "$want"
	left() { entered | tac; }
	chain left > input
	now "$(asked)" = "$want"
}

@test "collapse-perf: --inline with --compat=perl shows what the Perl script does" {
	needs_library libelf libdw
	full='loom::Frame::weave(unsigned int);void loom::row<unsigned int>(unsigned int);loom::knot(unsigned int)'
	now "$(inlined --compat=perl)" = "app;$full;$full 250000"
	inlines='loom::Frame::weave(unsigned int):loom.cpp:27;void loom::row<unsigned int>(unsigned int):loom.cpp:20'
	inlines+=';loom::knot(unsigned int):loom.cpp:14'
	now "$(inlined --compat=perl --context)" = "app;$inlines;$inlines 250000"
	# nothing is looked up in perf maps, so there is no warning of a missing file
	sed "s|/usr/bin/app|/tmp/perf-12.map|" good > other
	try on --inline --compat=perl other
	now "${output%%$'\n'*}" = 'app;main;alpha 250000'
	[[ $stderr != *perf-12.map* ]]
}

# on_terminal COMMAND : runs it in bash with a terminal as standard error, and writes
# all that the terminal got to the file `screen`.
on_terminal()
{
	script --version 2>&1 | grep -q util-linux || skip "no script of util-linux"
	export -f program shown
	export BIN PROGRAM locale
	: > screen
	TERM=xterm SHELL=$BASH script -q -e -f -c "$1" screen < /dev/null > /dev/null
}

# shown TEXT : waits until TEXT has been written to the terminal.
shown()
{
	for _ in {1..600}; do
		! grep -q -F -- "$1" screen || return 0
		sleep 0.1
	done
	return 1
}

# other_lines : prints the lines that are left on the screen at the end, except for
# messages.
other_lines()
{
	sed -e 's/\r*$//' -e 's/.*\r\x1b\[K//' screen |
		grep -v -e '^collapse-perf: ' -e '^Script ' -e '^$'
}

@test "collapse-perf: a terminal shows the progress of a pipe" {
	feed()
	{
		shown 'waiting for perf script; perf script --no-inline' || return
		cat good
		shown '/s  3 samples' || return
		printf 'no such line\n\n'
		shown 'not understood' || return
		cat good
		shown '/s  6 samples'
	}
	export -f feed
	on_terminal 'feed | program -v > out'
	on good good 2> /dev/null | cmp - out
	[ "$(grep -c 'collapse-perf: .*such line' screen)" -eq 2 ]
	[ -z "$(other_lines)" ]
}

@test "collapse-perf: a signal removes the progress line" {
	ended_by()
	{
		exec 3<> "$1"
		cat good >&3
		"$BIN/collapse-perf" <&3 > out &
		shown '/s  3 samples' || return
		kill -INT $!
		kill "-$1" $!
		{ wait $!; } 2> /dev/null # or bash tells of it
		echo "$?" > "$1.status"
	}
	export -f ended_by
	[[ $(trap -p HUP TERM) != *"''"* ]] || skip 'a signal is ignored, as nohup makes it'
	mkfifo HUP TERM
	for signal in HUP TERM; do
		on_terminal "ended_by $signal"
		[ -z "$(other_lines)" ]
	done
	# bash has its jobs ignore SIGINT
	[ "$(cat HUP.status TERM.status)" = $'129\n143' ]
}

@test "collapse-perf: reading from a terminal is announced" {
	on_terminal 'program || true'
	grep -q '^collapse-perf: reading from the terminal' screen
	on_terminal 'program --quiet || true'
	run ! grep -q 'reading from the terminal' screen
}

@test "collapse-perf: --inline warns about a program that is not here" {
	needs_library libelf libdw
	try on --inline good
	now "$status" -eq 0
	says "/usr/bin/app: was not found, so its inlined functions are not shown"
	try on --inline --strict good
	now "$status" -eq 0
}

@test "collapse-perf: a line takes little more than twice its length in memory" {
	{
		printf 'app 1 1.000001: 7 cycles:u: \n\t 1234 '
		xs 125829120
		printf '+0x2 (/x)\n\n'
	} > long
	within 295000 -q -n 1 long | wc -c > length
	[ "$(cat length)" -eq $((65536 + 7)) ]
}

@test "collapse-perf: 300,000 comms take 75 MB" {
	awk 'BEGIN {
		for (i = 0; i < 300000; i++)
			printf "thread-%d 1 1.000001: 1 cycles:u: \n\t 1234 main+0x2 (/x)\n\n", i
	}' > comms
	[ "$(within 75000 -q -n 1 comms | wc -l)" -eq 300000 ]
}

@test "collapse-perf: deferred callers that many samples share are bounded" {
	awk 'BEGIN {
		for (i = 1; i <= 600; i++) {
			printf "a 1 %d.1: 1 cycles: \n\t%x k%d+0x1 ([k])\n", i, i, i
			print "\t1 (cookie) ([unknown])\n"
		}
		print "a 1 601.1: DEFERRED CALLCHAIN [cookie: 1]"
		for (i = 0; i < 1000; i++)
			print "\t2 u+0x1 (b)"
		print ""
	}' > deferred
	"$BIN/collapse-perf" deferred > folded 2> message
	[ "$(cat message)" = "collapse-perf: samples whose deferred callers exceed the limit (401)" ]
	[ "$(grep -c ';k[0-9]* 1$' folded)" -eq 600 ]
	[ "$(grep -c ';u;' folded)" -eq 199 ]
}

@test "collapse-perf: flamegraph reads the event and unit of --header" {
	on --header good > headed
	now "$(head -n 2 headed)" = $'# event: cycles:u\n# unit: cycles'
	on good > plain
	grep -v '^# ' headed | cmp - plain
	"$BIN/flamegraph" headed > it.svg
	grep -q "250,000 cycles" it.svg
	"$BIN/flamegraph" plain > it.svg
	run ! grep -q "250,000 cycles" it.svg
}
