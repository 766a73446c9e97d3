#!/usr/bin/env bats
# flame: checks before a recording, and how callers are found.
# shellcheck disable=SC2154,SC2016,SC2317,SC2030 # of bats, quoted scripts, functions for try
bats_require_minimum_version 1.5.0
load manners
load libraries
load flame

# ---- files

@test "flame: a command that cannot be run" {
	try flame no-such-command
	stops 127 'no-such-command: there is no such command (see flame --help)'
	try flame -- ./no-such
	stops 127 './no-such'
	echo true > script
	try flame ./script
	stops 126 './script cannot be run; a profile is drawn with flame --perfdata ./script, a script is run with flame -- sh ./script'
	echo > it-is-here
	try flame it-is-here
	stops 126 'it-is-here cannot be run; a profile is drawn with flame --perfdata it-is-here'
	chmod +x it-is-here
	try flame it-is-here
	stops 127 'there is no such command on PATH, but here there is: flame -- ./it-is-here'
	printf 'PERFILE2\150\0' > perf.data
	try flame perf.data
	stops 126 'perf.data is a recording: flame --perfdata perf.data draws it'
	try flame 'true 5'
	stops 127 'its arguments go without quotes: flame -- true 5'
	try flame 4242
	stops 127 '4242: there is no such command; a process is recorded with -p 4242'
	try flame -
	stops 127 'a profile is read with --perfdata -'
	try flame ''
	stops 127 'there is no such command'
	echo '#!/bin/sh' > script
	try flame ./script
	stops 126 './script cannot be run: chmod +x ./script'
	chmod +x script
	printf '#!/bin/sh\r\n' > script
	try flame ./script
	stops 127 'its first line names /bin/sh\x0d, which is not here'
	echo '#! /no/such/sh -e' > script
	try flame ./script
	stops 127 'its first line names /no/such/sh, which is not here'
	try flame "$PWD"
	stops 126 'is a folder'
}

@test "flame: a file that cannot be written is noticed before the command runs" {
	local option
	printf '#!/bin/sh\ntouch ran\n' > it
	chmod +x it
	for option in -o --folded --keep-data; do
		try flame "$option" missing/x ./it
		stops 1 "missing/x cannot be written: there is no folder missing/"
		try flame "$option" tmp ./it
		stops 1 'tmp cannot be written: it is a folder'
		try flame "$option" /proc/x ./it
		stops 1 '/proc/x cannot be written: no file can be made in /proc/'
		[ ! -e ran ]
	done
	try flame compare -o missing/x.svg ./it ./it
	stops 1 'missing/x.svg cannot be written'
	[ ! -e ran ]
	try flame --folded /dev/null -o - ./it
	now "$status" -eq 0
	[[ $output == '<?xml'* ]]
}

@test "flame: open files and targets of links are written to, other users' files are not" {
	local option
	printf '#!/bin/sh\ntouch ran\n' > it
	chmod +x it
	mkdir closed open
	touch another.svg open/it.svg
	ln -s ../open/it.svg closed/link.svg
	chmod 444 another.svg
	by_another() { flame "$@"; }
	if [ "$(PATH=$REAL_PATH id -u)" -eq 0 ]; then
		chmod -R a+rwX . ..; chmod a+x ../..
		chmod a-w another.svg
		by_another() { setpriv --reuid=65534 --clear-groups flame "$@"; }
		others_may_enter
	fi
	chmod a-w closed
	by_another -q -o /dev/stdout true > out
	draws out
	by_another -q -o /dev/stderr true 2> out
	draws out
	by_another -q -o closed/link.svg true
	draws open/it.svg
	rm calls
	for option in -o --folded; do
		try by_another "$option" another.svg ./it
		stops 1 'another.svg cannot be written'
		[ ! -e ran ]
	done
	chmod u+w closed
}

@test "flame: inputs are not overwritten, and no file is written twice" {
	local option other
	printf '#!/bin/sh\ntouch ran\n' > it
	chmod +x it
	cp "$DATA/frames.data" old.data
	ln -s old.data link
	for option in -o --folded; do
		for other in old.data link; do
			try flame --perfdata old.data "$option" "$other"
			stops 1 "$other cannot be written: another option has that file, too"
		done
	done
	for option in -o --folded --keep-data; do
		try flame --diff old.data "$option" link ./it
		stops 1 'link cannot be written'
	done
	try flame --keep-data x --folded x ./it
	stops 1 'x cannot be written'
	try flame --folded x -o x ./it
	stops 1 'x cannot be written'
	cmp "$DATA/frames.data" old.data
	[ ! -e ran ]
	[ ! -e x ]
	try flame -q --folded /dev/null -o /dev/null ./it
	now "$status" -eq 0
}

@test "flame: standard output is for the picture" {
	local name option
	for name in - /dev/stdout /dev/fd/1; do
		for option in --folded --keep-data; do
			try flame "$option" "$name" true
			stops 1 "$name cannot be written: only the picture goes to standard output"
		done
	done
	[ ! -e ./- ]
}

@test "flame: a file whose name begins with a dash" {
	cp "$DATA/frames.data" ./-x.data
	flame -q --perfdata -x.data -o -x.svg
	draws ./-x.svg
	flame -q --diff -x.data true
	draws diff.svg
	flame -q --diff -x.svg --folded -x.folded true
	draws diff.svg
	flame -q --diff -x.folded --keep-data -k.data true
	draws diff.svg
	cmp "$DATA/frames.data" ./-k.data
	mkdir ./-d
	stand_in browser <<< 'cat -- "$@" > shown'
	BROWSER=browser flame -q --open -o -d/-x.svg true
	cmp ./-d/-x.svg shown
	[ "$(ls -A ./-d)" = -x.svg ]
}

@test "flame: a filter's wrong options are reported before anything runs" {
	local how
	for how in --draw --collapse; do
		try flame $how --no-such -- touch ran
		now "$status" -eq 2
		said "unknown option '--no-such'"
		[ ! -e ran ]
	done
}

@test "flame: wrong options for a filter are reported before recording" {
	local words
	for words in '--colors foo' '--image-width 1x' '--min-width x' '--draw --nosuch' \
		'--collapse --nosuch' '--collapse --tid --wall --off-cpu'; do
		# shellcheck disable=SC2086
		try flame $words -- sh -c 'touch ran'
		[ "$status" = 2 ]
		[ ! -e ran ]
		[ ! -e flamegraph.svg ]
	done
	try flame --draw --nameattr nosuch -- sh -c 'touch ran'
	[ "$status" = 1 ]
	said 'flamegraph: nosuch: cannot open'
	[ ! -e ran ]
	echo 'a;mill 50' > some.folded
	flame -q --perfdata some.folded --draw --nameattr <(printf 'mill\ttitle=HELLO\n')
	grep -c HELLO flamegraph.svg
	rm flamegraph.svg
	try flame --folded new.folded --keep-data ./new.folded -- true
	stops 1 'new.folded cannot be written: another option has that file, too'
	try flame -o new.svg --folded ./new.svg -- true
	stops 1 'new.svg cannot be written: another option has that file, too'
	try flame --dry-run -o no/new.svg -- true
	stops 1 'no/new.svg cannot be written'
}

# ---- symbols and frame pointers

@test "flame: a program without symbols" {
	compile -fno-omit-frame-pointer -o good
	try flame --call-graph fp ./good
	said_not 'no symbols' 'no frame pointers'
	compile -fno-omit-frame-pointer -s -o stripped
	try flame ./stripped
	now "$status" -eq 0
	said './stripped has no symbols, so its functions have no names: do not strip it'
}

@test "flame: a library without symbols" {
	command -v ldd > /dev/null || skip "no ldd"
	echo 'int called(void) { return 5; }' > part.c
	echo 'int called(void); int pause(void); int main(int n, char **v) { (void)v; return n > 1 ? pause() : called(); }' > whole.c
	${CC:-cc} -shared -fPIC -o libwhole.so part.c
	${CC:-cc} -shared -fPIC -s -o libpart.so part.c
	${CC:-cc} -o it whole.c -L. -lpart -Wl,-rpath,"$PWD"
	try flame ./it
	now "$status" -eq 5
	said 'flame: libpart.so: no symbols, so functions there have no names: do not strip libraries, or install'
	said_not 'libc.so.6: no' 'libc.so.6, ' ', libc.so.6' './it has no symbols'
	if [ -d /proc/self/ns ]; then
		./it wait 3>&- &
		try flame -p $! -d 1
		kill $!
		said 'flame: libpart.so: no symbols'
	fi
	mv libwhole.so libpart.so
	try flame ./it
	said_not 'no symbols'
}

@test "flame: a program without frame pointers" {
	needs_library libdw
	[ "$(uname -m)" = x86_64 ] || skip "not on x86-64"
	compile -fomit-frame-pointer -o it
	try flame --call-graph fp ./it
	said './it has no frame pointers' 'flame --call-graph dwarf' '-fno-omit-frame-pointer'
	try flame --call-graph dwarf ./it
	said_not 'no frame pointers'
}

# code FILE HOW... : makes a program or, if its name ends in .so, a library. HOW is how
# many of its functions keep a frame pointer: all, most or none of them; or go; or runs,
# for all and one that runs other programs.
code()
{
	local -A kept=([all]=14 [runs]=14 [go]=0 [most]=5 [none]=0)
	local i how=() file=$1
	for ((i = 0; i < 14; i++)); do
		echo "int f$i(int k) { volatile int x[4]; x[k & 3] = k; return x[0]; }"
	done > all.c
	head -n "${kept[$2]}" all.c > keep.c
	tail -n +"$((kept[$2] + 1))" all.c > omit.c
	[[ $file == *.so ]] && how=(-shared) || echo 'int main(void) { return 0; }' >> keep.c
	[ "$2" != runs ] || echo 'int system(const char *); int run(const char *c) { return system(c); }' >> keep.c
	[ "$2" != go ] || printf '%s\n' '__asm__(".section .gopclntab\n.byte 1\n.text");' >> keep.c
	${CC:-cc} -O1 -fPIC -fno-omit-frame-pointer -c keep.c
	${CC:-cc} -O1 -fPIC -fomit-frame-pointer -c omit.c
	${CC:-cc} "${how[@]}" -o "$file" keep.o omit.o
}

# libraries HOW... : makes ldd say that all programs are linked with such libraries.
libraries()
{
	local how
	: > ldd.out
	for how; do
		[ -e "lib$how.so" ] || code "lib$how.so" "$how"
		echo "	lib$how.so => $PWD/lib$how.so (0x00007f0000000000)" >> ldd.out
	done
	stand_in ldd <<< 'exec cat "$AT/ldd.out"'
}

needs_frame_pointers()
{
	needs_library libdw
	[ "$(uname -m)" = x86_64 ] || skip "not on x86-64"
}

# chooses OPTION... : sets $chosen to what the plan has of the recorder's options.
chooses()
{
	try flame --dry-run "$@"
	# shellcheck disable=SC2031 # `try` sets $output in this shell
	chosen=$(grep -o -e '-F [0-9]*' -e '--call-graph [^ ]*' <<< "$output" | tr '\n' ' ')
}

@test "flame: how callers are found, and why" {
	needs_frame_pointers
	code it all
	libraries all
	chooses ./it
	now "$chosen" = '-F 997 --call-graph fp '
	said 'callers are found by frame pointers (--call-graph fp): the program and its libraries keep them'
	libraries all none
	chooses ./it
	now "$chosen" = '-F 997 --call-graph dwarf,16384 '
	said 'callers are found in copies of the stack (--call-graph dwarf,16384): libnone.so has no frame pointers'
	libraries most
	chooses ./it
	said 'libmost.so has no frame pointers'
	chooses --call-graph fp ./it
	now "$chosen" = '-F 997 --call-graph fp '
	said_not 'callers are found'
	stand_in_perf
	chooses -c 'record -g' ./it
	said_not 'callers are found'
	libraries all
	chooses sh -c 'true; true'
	now "$chosen" = '-F 997 --call-graph dwarf,16384 '
	said '(--call-graph dwarf,16384): it is not known what sh will run'
	code it runs
	chooses ./it
	said '(--call-graph dwarf,16384): it is not known what it will run'
	printf '#!%s\n' "$PWD/it" > script
	chmod +x script
	chooses ./script
	said 'it is not known what it will run'
	code python3 all
	chooses ./python3
	now "$chosen" = '-F 199 --call-graph dwarf,65528 '
	said 'it is not known what python3 will run'
	code other none
	chooses ./other
	said 'other has no frame pointers'
	code goes go
	chooses ./goes
	said 'by frame pointers (--call-graph fp): Go keeps them, except in assembly, ' \
		'--call-graph dwarf'
	chooses compare ./it ./it
	said 'callers are found in copies of the stack'
	[ "$(grep -c -e '--call-graph dwarf' <<< "$output")" -eq 2 ]
	[ "$(grep -c 'callers are found' <<< "$stderr")" -eq 1 ]
}

@test "flame: how often copies of the stack are made" {
	needs_frame_pointers
	code it none
	libraries none
	chooses -F 50 -d 100 ./it
	now "$chosen" = '-F 50 --call-graph dwarf,16384 '
	chooses -d 60 ./it
	now "$chosen" = '-F 199 --call-graph dwarf,16384 '
	said '(--call-graph dwarf,16384, 199 times a second): '
	chooses --keep-data x ./it
	now "$chosen" = '-F 499 --call-graph dwarf,16384 '
	chooses --call-graph dwarf --keep-data x ./it
	now "$chosen" = '-F 499 --call-graph dwarf,16384 '
	said 'samples are taken 499 times a second because copies of the stack are large'
	chooses --call-graph dwarf,16384 --keep-data x ./it
	now "$chosen" = '-F 997 --call-graph dwarf,16384 '
	stand_in collapse-perf <<< 'echo "40 % of the samples are in functions without frame pointers" >&2'
	chooses -a
	now "$chosen" = '-F 99 --call-graph dwarf,8192 '
	said '(--call-graph dwarf,8192, 99 times a second): much of what runs'
	stand_in python3 <<< ''
	chooses python3 -X perf x
	now "$chosen" = '-F 199 --call-graph dwarf,65528 '
	printf '#!/usr/bin/env python3\n' > script
	chmod +x script
	chooses ./script
	now "$chosen" = '-F 199 --call-graph dwarf,65528 '
}

@test "flame: how callers are found: the interpreter of a script" {
	needs_frame_pointers
	local line
	libraries all
	stand_in python3 <<< ''
	# this python3 is a script itself, and sh reads it; the path is the one that the
	# line names, not what PATH has under that name
	mkdir reader
	cp bin/python3 reader
	for line in '#! @/python3' '#!@/python3 -u' '#!/usr/bin/env -S A=1 @/python3 -u'; do
		echo "${line/@/$PWD/reader}" > script
		chmod +x script
		chooses ./script
		said 'python3 does not tell perf' 'it is not known what sh will run'
	done
	code reader/it none
	echo "#!$PWD/reader/it -x" > script
	chooses ./script
	said 'it has no frame pointers'
	# without such a line, a shell reads it
	echo all > script
	chooses ./script
	said 'it is not known what sh will run'
}

@test "flame: other processors keep frame pointers" {
	needs_frame_pointers
	setarch i686 true 2> /dev/null || skip "no setarch"
	[ "$(setarch i686 uname -m)" != x86_64 ] || skip "setarch changes nothing"
	as_another_machine() { setarch i686 flame "$@"; }
	try as_another_machine --dry-run true
	said 'by frame pointers (--call-graph fp): compilers keep them for this processor'
	said_not 'has no frame pointers'
}

@test "flame: how callers are found: by a first look at running processes" {
	[ -d /proc/self/ns ] || skip "no /proc"
	needs_frame_pointers
	code it all
	echo 'int pause(void); int main(void) { return pause(); }' > keep.c
	${CC:-cc} -fno-omit-frame-pointer -c keep.c
	${CC:-cc} -o it keep.o omit.o
	./it 3>&- &
	looks() { # PERCENT SAMPLES
		stand_in collapse-perf <<- END
			cat > /dev/null
			echo 'collapse-perf: $1 % of the samples are in functions without frame pointers, and so on' >&2
			echo 'collapse-perf: $2 samples kept, 0 ignored, 0 dropped' >&2
			echo 'a;b 5'
		END
		rm -f calls
		try flame -d 1 -p "$process"
	}
	local process=$!
	looks 40 50
	said '(--call-graph dwarf,16384): much of what runs has no frame pointers'
	grep -q "^record-perf -q -F 199 --call-graph fp -d 0.3 -p $process$" calls
	looks 24 50 # memcpy and others in assembly
	said 'by frame pointers (--call-graph fp): the program and its libraries keep them'
	looks 0 5 # nothing runs, so all of its code counts
	said '(--call-graph dwarf,16384): ' ' has no frame pointers'
	kill "$process"
}

# ---- runtimes

@test "flame: a runtime that compiles code while it runs" {
	local runtime
	while IFS='>' read -r runtime words option; do
		stand_in "$runtime" <<< 'exit 0'
		try flame "$runtime" x
		now "$status" -eq 0
		said "$runtime does not tell perf the names of its functions: run it as $runtime $option"
		# shellcheck disable=SC2086
		try flame "$runtime" $words
		said_not 'does not tell'
	done <<'END'
java>-XX:+PreserveFramePointer -XX:+DumpPerfMapAtExit X>-XX:+PreserveFramePointer
node>--perf-prof x.js>--perf-basic-prof --interpreted-frames-native-stack
node>--perf-basic-prof x.js>--perf-basic-prof --interpreted-frames-native-stack
python3>-X perf x.py>-X perf (Python 3.12 or later)
END
	NODE_OPTIONS=--perf-basic-prof try flame -v node x.js
	said_not 'does not tell'
	said '-o "$tmp/perf.data"' # as names may come after the samples
	PYTHONPERFSUPPORT=1 try flame python3 x.py
	said_not 'does not tell'
	said_not 'cannot tell'
	stand_in python3 <<< '[ "$1 $2" != "-X perf" ] || [ "$3" != -c ] || exit 1'
	for option in '-X perf' -Xperf '-X perf_jit'; do
		# shellcheck disable=SC2086
		try flame python3 $option x.py
		said 'python3 cannot tell perf the names of its functions: that needs Python 3.12 or later'
	done
	printf '#!/usr/bin/env python3\n' > script.py
	chmod +x script.py
	PYTHONPERFSUPPORT=1 try flame ./script.py
	said 'python3 cannot tell perf'
	JAVA_TOOL_OPTIONS=-XX:+DumpPerfMapAtExit try flame java X
	said_not 'does not tell'
	printf '#!/usr/bin/env node\n' > tool
	chmod +x tool
	try flame ./tool
	said 'node does not tell perf'
}

@test "flame: a process of such a runtime" {
	[ -d /proc/self/ns ] || skip "no /proc"
	cp "$(type -P sleep)" java
	./java 100 3>&- &
	try flame -p $! -d 1
	kill $!
	now "$status" -eq 0
	said 'java does not tell perf the names of its functions: run it as java -XX:'
}

@test "flame: a dry run does not run the interpreter that a script names" {
	mkdir odd
	printf '#!/bin/sh\necho "$*" > %s/ran\n' "$PWD" > odd/python3
	printf '#!%s/odd/python3 -X perf\n' "$PWD" > script
	chmod +x odd/python3 script
	try flame --dry-run -- ./script
	now "$status" -eq 0
	[ ! -e ran ]
	try flame -- ./script
	[ -e ran ]
}

# ---- processes

@test "flame: a process that does not exist, or of another user" {
	[ -d /proc/self/ns ] || skip "no /proc"
	try flame -p 99999999
	stops 1 'there is no process 99999999'
	container=docker try flame -p 99999999
	stops 1 'there is no process 99999999 in this container'
	as_another() { flame "$@"; }
	if kill -0 1 2> /dev/null; then
		chmod -R a+rwX . ..; chmod a+x ../..
		as_another() { setpriv --reuid=65534 --clear-groups flame "$@"; }
		others_may_enter
	fi
	try as_another -p 1
	stops 1 "process 1 is another user's: flame --root"
}

@test "flame: a process of ours that only root may read" {
	[ "$(uname -s)" = Linux ] || skip "not on Linux"
	[ -d /proc/self/ns ] || skip "no /proc"
	local process waited=0 another=()
	if [ "$(id -u)" -eq 0 ]; then
		chmod -R a+rwX . ..; chmod a+x ../..
		another=(setpriv --reuid=65534 --regid=65534 --clear-groups)
		others_may_enter
	fi
	# like a program with the set-user-ID bit
	cat > closed.c <<- 'END'
		#include <sys/prctl.h>
		#include <unistd.h>
		int main(void) { prctl(PR_SET_DUMPABLE, 0); return pause(); }
	END
	${CC:-cc} -o closed closed.c
	"${another[@]}" ./closed 3>&- &
	process=$!
	while "${another[@]}" head -c 1 "/proc/$process/maps" > first 2> /dev/null && [ $((waited += 1)) -lt 50 ]; do
		sleep 0.1
	done
	[ "$waited" -lt 50 ] || skip "the maps of all processes can be read"
	try "${another[@]}" flame -d 1 -p "$process"
	kill "$process"
	stops 1 "process $process has ended, or has rights that you do not have: flame --root"
}

# ---- other systems

@test "flame: on macOS, by xctrace" {
	[ "$(uname -s)" = Linux ] || skip "not on Linux"
	export XCTRACE=xctrace
	stand_in xctrace <<'END'
echo "xctrace $*" >> "$AT/calls"
out=
while [ $# -gt 0 ]; do
	case $1 in
	export) echo '<trace-query-result/>'; exit ;;
	--output) out=$2; shift ;;
	--) shift; break ;;
	esac
	shift
done
mkdir "$out"
[ $# -eq 0 ] || "$@"
END
	stand_in collapse-xctrace <<'END'
grep -q trace-query-result && echo 'app;main;work 5'
echo 'collapse-xctrace: 5 samples kept, 0 ignored, 0 dropped' >&2
END
	try flame -v -d 3 -- echo hello
	now "$status" -eq 0
	now "$output" = hello
	said "xctrace record --template 'Time Profiler'" '--time-limit 3s' \
		'--target-stdout - --launch -- echo hello' 'flame: flamegraph.svg' '   100      100  work'
	flamegraph --extract flamegraph.svg | grep -q '^app;main;work 5$'
	try flame --dry-run -p 42
	[[ $output == *' --attach 42'* ]]
	try flame --dry-run -a
	[[ $output == *' --all-processes'* ]]
	try flame -F 99 true
	now "$status" -eq 2
	said 'no --freq'
	try flame --call-graph dwarf true
	now "$status" -eq 2
	said 'no --event, --call-graph'
	XCTRACE=no-xctrace try flame true
	now "$status" -eq 1
	said 'no-xctrace is not here: xcode-select --install'
}

@test "flame: elsewhere, by dtrace" {
	[ "$(uname -s)" = Linux ] || skip "not on Linux"
	export DTRACE=dtrace
	stand_in sudo <<< 'exec "$@"'
	stand_in dtrace <<'END'
echo "dtrace $*" >> "$AT/calls"
while [ $# -gt 0 ]; do
	case $1 in
	-o) printf '\n  app`work+0x1\n  app`main+0x2\n  5\n' > "$2" ;;
	-c) $2 ;;
	esac
	shift
done
END
	stand_in collapse-dtrace <<< 'for file; do :; done; grep -q work "$file" && echo "app;main;work 5"'
	try flame --root -v -- echo hello
	now "$status" -eq 0
	now "$output" = hello
	said "dtrace -x ustackframes=100 -n 'profile-997 /pid == \$target/ { @[ustack(100)] = count(); }'" \
		" -c 'echo hello'"
	flamegraph --extract flamegraph.svg | grep -q '^app;main;work 5$'
	try flame --root --dry-run -F 99 -a -d 5
	[[ $output == *"-n 'profile-99 /arg1/ { @[ustack(100)] = count(); } tick-5s { exit(0); }'"* ]]
	try flame --root --dry-run -p 41,42
	[[ $output == *' -p 41 -p 42'* ]]
	try flame --root echo 'a b'
	now "$status" -eq 1
	said "dtrace cannot run a command with blanks in 'a b'"
	[ "$(id -u)" != 0 ] || return 0
	try flame true
	now "$status" -eq 1
	said 'dtrace records for root only: flame --root'
}
