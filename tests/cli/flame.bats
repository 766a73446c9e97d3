#!/usr/bin/env bats
# flame, with a stand-in for perf, and with perf itself if it
# may record.
# shellcheck disable=SC2154,SC2016,SC2317,SC2030 # of bats, quoted scripts, functions for try
bats_require_minimum_version 1.5.0
load manners
load libraries
load flame

# ---- the command line

@test "flame: --help" { check_help; }
@test "flame: --version" { check_version; }
@test "flame: completion" {
	"$BATS_TEST_DIRNAME/../../tools/completions" made "$BIN/flame"
	grep -q 'complete .* flame$' made/bash/flame
	[ "$(tr " '" '\n' < made/bash/flame | grep -c -e '^--draw$')" -eq 1 ]
}

@test "flame: wrong options" {
	local option
	for option in --zzz-no-such --zzz=1 -Z; do
		try flame "$option" true
		stops 2 "unknown option '$option'" 'flame --help'
	done
	for option in --hash=1 --all-cpus=1; do
		try flame "$option" true
		stops 2 "${option%=1} takes no argument"
	done
	for option in -o --output --freq --diff -p --title; do
		try flame "$option"
		stops 2 "$option needs an argument"
	done
	for option in -Fx --freq=0 -p1x --duration=z -d1.2.3 --runs=. -zz -p1,,2 -p,1 "-p1,"; do
		try flame "$option" true
		stops 2 'takes a number'
	done
	try flame --call-graph=orc true
	stops 2 "--call-graph takes fp, dwarf or lbr, not 'orc'"
}

@test "flame: options that do not go together" {
	try flame
	stops 2 'there is nothing to record'
	try flame -p 1 true
	stops 2 '-p records what runs already'
	try flame --perfdata x -a
	stops 2 '--perfdata records nothing'
	try flame -F 10 -c 'record -g' true
	stops 2 'so -F, -e and -z do not go with it'
	try flame -c 'record -g -- true' true
	stops 2 '-c names a command, so it goes without another'
	try flame --flamechart --reverse true
	stops 2 '--flamechart goes without --reverse'
	try flame compare true
	stops 2 'compare takes two commands'
	try flame compare true true true
	stops 2 'compare takes two commands'
	try flame compare --runs 1 true true
	stops 2 '--runs takes a number from 2 on'
	try flame compare --diff x true true
	stops 2 'compare runs two commands'
}

@test "flame: options become arguments of perf" {
	plan() { flame --dry-run --call-graph fp "$@" 2> err | grep -o 'perf record.*' | sed 's/ |.*//'; }
	[ "$(plan -a)" = 'perf record -q -F 997 -g --no-bpf-event -o - -a' ]
	[ "$(plan -ad5)" = 'perf record -q -F 997 -g --no-bpf-event -o - -a -- sleep 5' ]
	[ "$(plan -a --freq=9 -e faults --event cycles:u -z)" = \
		'perf record -q -F 9 -g -e faults -e cycles:u -z --no-bpf-event -o - -a' ]
	[ "$(plan -a --call-graph dwarf,1000 -z=3 -e 'sched:sched_switch')" = \
		'perf record -q --call-graph dwarf,1000 -e sched:sched_switch -z3 --no-bpf-event -o - -a' ]
	[ "$(plan -a -e cycles:RXbI)" = \
		'perf record -q -F 997 -g -e cycles:RXbI --no-bpf-event -o - -a' ]
	[ "$(plan -c 'record -e faults -c 1' -a)" = 'perf record -e faults -c 1 -o - -a' ]
	[ "$(plan -c 'record -g -o x.data' -a | head -n 1)" = 'perf record -g -o x.data -a' ]
	[ "$(plan -c 'record -p 1 -g -F 999 -- sleep 2')" = 'perf record -p 1 -g -F 999 -o - -- sleep 2' ]
	[ "$(plan -c 'record -g -- ./it -o x -- $y' -d 5)" = \
		"perf record -g -o - -- timeout 5 ./it -o x -- '\$y'" ]
	[ "$(plan -c 'record -g -- sleep 2' -p $$)" = "perf record -g -o - -p $$ -- sleep 2" ]
	[ "$(flame --dry-run -a --call-graph lbr --keep-data x | tail -n 1)" = \
		'perf script --no-inline -i x | collapse-perf -v --header --recursion unknown | flamegraph -o flamegraph.svg' ]
	[ "$(flame --dry-run -a --call-graph lbr | head -n 2 | tail -n 1)" = \
		'perf record -q -F 997 --call-graph lbr --no-bpf-event -N -o "$tmp/perf.data" -a' ]
	echo --call-graph > kernel/features
	[ "$(plan -a)" = 'perf record -q -F 997 -g -o - -a' ]
	PERF=$PWD/bin/perf run -0 flame --dry-run --call-graph fp -a
	[[ $output == "$PWD/bin/perf record"* ]]
}

@test "flame: options become arguments of the filters" {
	plan() { flame --dry-run -a "$@" 2> err | sed 's/.*-a | //'; }
	[ "$(plan)" = 'collapse-perf -v --header --recursion unknown | flamegraph -o flamegraph.svg' ]
	[ "$(plan -q)" = 'collapse-perf --header --recursion unknown | flamegraph -o flamegraph.svg' ]
	[ "$(plan --title "it's" --subtitle= --notes 'a b' -o 'x y.svg')" = \
		"collapse-perf -v --header --recursion unknown | flamegraph --title 'it'\\''s' --subtitle '' --notes 'a b' -o 'x y.svg'" ]
	[ "$(plan -iv --reverse --hash --deterministic --palette mem)" = \
		'collapse-perf -v --header --recursion unknown | flamegraph --inverted --reverse --hash --deterministic --colors mem -o flamegraph.svg' ]
	[ "$(plan --min-width 1 --image-width 900 --flamechart --skip-after main --no-inline)" = \
		'collapse-perf -v --header --recursion unknown --time-order --skip-after main | flamegraph --minwidth 1% --width 900 --flamechart -o flamegraph.svg' ]
	[ "$(plan --no-inline --inline)" = \
		'collapse-perf -v --header --recursion unknown --inline | flamegraph -o flamegraph.svg' ]
	[ "$(plan --post-process 'grep a' --folded 'x y' --collapse --tid --comm 'a b' --draw --cp)" = \
		"collapse-perf -v --header --recursion unknown --tid --comm 'a b' | grep a | tee -- 'x y' | flamegraph --cp -o flamegraph.svg" ]
}

@test "flame: the shell runs none of the user's words" {
	local name evil
	printf '#!/bin/sh\nexit 0\n' > 'a $(touch PWNED)'
	chmod +x a*
	for evil in '1$(touch PWNED)`touch PWNED`' $'1\ntouch PWNED\n;touch PWNED;' "';touch PWNED;'" \
		'dwarf,1024$(touch PWNED)' $'dwarf,1;touch PWNED'; do
		for name in $(options_of flame); do
			flame "$name=$evil" true > /dev/null 2>&1 < /dev/null || true
			[ ! -e PWNED ] || now "$name=$evil" = 'left alone'
		done
		flame --pid="$evil" > /dev/null 2>&1 || true
		flame --perfdata="$evil" > /dev/null 2>&1 || true
		flame --collapse "$evil" -- true > /dev/null 2>&1 || true
		flame --draw "$evil" -- true > /dev/null 2>&1 || true
		flame -q -- ./a* "$evil" || true
		PERF=$evil flame true > /dev/null 2>&1 || true
		BROWSER=$evil flame --open true > /dev/null 2>&1 || true
		TMPDIR=$evil flame true > /dev/null 2>&1 || true
		[ ! -e PWNED ] || now "$evil" = 'left alone'
	done
	PERF='./a $(touch PWNED)' flame true > /dev/null 2>&1 || true
	flame -q -c 'record * -g' -a
	tail -n 1 calls | grep -q -e 'record \* -g'
	[ ! -e PWNED ]
}

@test "flame: a dry run with random words runs nothing, and its plan has them" {
	runs_nothing flame "${CASES:-40}"
}

@test "flame: control bytes in messages are made visible" {
	try flame --title x -- $'./no\e[2J\rsuch\302\233m\n'
	now "$status" -eq 127
	said './no?[2J?such?m'
	# 8-bit C1 controls, but no byte of a letter; characters that turn the direction
	# of text, end a line or mark bytes
	try flame --title x -- $'./\2331m \303\233\342\202\254\360\237\230\200 \342\200\256a\342\200\250b\342\201\246c\357\273\277d\234'
	now "$status" -eq 127
	said $'./?1m \303\233\342\202\254\360\237\230\200 ?a?b?c?d?'
	stand_in collapse-perf <<< 'cat > /dev/null; printf "a;b\\033[2Jc\\177\\302\\2331 5\\n"'
	try flame true
	said '100.0 %  b?[2Jc??1'
	stand_in collapse-perf <<< 'cat > /dev/null; printf "a;b\\2331\\342\\200\\256c\\303\\233 5\\n"'
	try flame true
	said $'100.0 %  b?1?c\303\233'
	cp "$(PATH=$REAL_PATH type -P sleep)" $'e\e[2Jvil'
	$'./e\e[2Jvil' 100 3>&- &
	try flame -p $! -d 1
	kill $!
	said_not $'\e'
}

# ---- what is checked

@test "flame: no perf, and which package has it" {
	local row
	rm bin/perf
	while read -r row; do
		echo "${row%%>*}" | tr , '\n' > kernel/os-release
		PERF=no-perf try flame true
		stops 1 "no-perf is not here: ${row#*>}"
	done <<'END'
ID=debian>sudo apt install linux-perf
ID=mint,ID_LIKE="ubuntu debian">sudo apt install linux-tools-generic linux-tools-6.1
ID="fedora">sudo dnf install perf
ID="rocky",ID_LIKE="rhel centos fedora">sudo dnf install perf
ID=arch>sudo pacman -S perf
ID=alpine>sudo apk add perf
ID="opensuse-leap">sudo zypper install perf
ID=other>install your system's package of perf
END
}

@test "flame: Ubuntu has no perf for the kernel of WSL or of a container's host" {
	rm bin/perf
	stand_in ls <<< 'exit 2'
	echo ID=ubuntu > kernel/os-release
	container=docker PERF=no-perf try flame true
	stops 1 'sudo apt install linux-tools-generic, then PERF=/usr/lib/linux-tools/VERSION/perf flame'
	sed -i 's/echo 6.1/echo 5.15.90.1-microsoft-standard-WSL2/' bin/uname
	PERF=no-perf try flame true
	stops 1 'sudo apt install linux-tools-generic, then PERF=/usr/lib/linux-tools/VERSION/perf flame'
	stand_in ls <<< 'echo /usr/lib/linux-tools/5.4.0-1/perf; echo /usr/lib/linux-tools/5.4.0-2/perf'
	PERF=no-perf try flame true
	stops 1 'no-perf is not here: PERF=/usr/lib/linux-tools/5.4.0-2/perf flame'
	real ls
}

@test "flame: a perf for another kernel" {
	stand_in perf <<< 'echo "WARNING: perf not found for kernel 6.1" >&2; exit 2'
	try flame true
	stops 1 'perf does not work, perhaps because it is for another kernel: sudo apt install linux-perf'
}

@test "flame: perf_event_paranoid forbids it" {
	echo Error: > kernel/probe
	echo 4 > kernel/perf_event_paranoid
	no_root
	try flame true
	stops 1 'kernel.perf_event_paranoid is 4, which forbids recording' \
		'sudo sysctl kernel.perf_event_paranoid=1, or flame --root'
	try flame -a
	stops 1 'is 4, which forbids -a: sudo sysctl kernel.perf_event_paranoid=-1, or flame --root'
}

@test "flame: perf fails for root: its own message is shown" {
	printf 'Error:\n\nthe moon is full\nmore\n' > kernel/probe
	try flame true
	stops 1 'perf cannot count: the moon is full'
	said_not more
}

@test "flame: a container forbids it" {
	echo Error: > kernel/probe
	container=podman try flame true
	stops 1 'the container forbids perf: start it with --cap-add=PERFMON'
	echo 2 > kernel/perf_event_paranoid
	no_root
	container=podman try flame true
	stops 1 'the container forbids perf'
}

@test "flame: in a container, the kernel's setting forbids it" {
	echo Error: > kernel/probe
	echo 1.00,msec,cpu-clock:u,1000,100.00,, > kernel/own
	echo 2 > kernel/perf_event_paranoid
	no_root
	container=podman try flame -a
	stops 1 'kernel.perf_event_paranoid is 2, which forbids -a' '=-1, on the host of the container, or'
	said_not 'the container forbids'
	container=podman try flame --root true
	stops 1 'sudo is not here: be root, or see --root=COMMAND'
	said_not 'the container forbids'
	stand_in sudo <<< 'echo "sudo: a password is required" >&2; exit 1'
	container=podman try flame --root true
	now "$status" -eq 1
	said 'a password is required' 'flame: sudo does not let you be root'
	said_not 'the container forbids'
}

# A filter of system calls like that of containers.
forbidding()
{
	cat > forbid.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) || argc < 2)
		return 1;
	execvp(argv[1], argv + 1);
	return 1;
}
END
	${CC:-cc} -o forbid forbid.c 2> /dev/null || skip "no filters of system calls"
	./forbid true || skip "no filters of system calls"
}

@test "flame: perf: a filter of system calls forbids it" {
	real_perf
	forbidding
	container=docker try ./forbid flame true
	now "$status" -eq 1
	said 'the container forbids perf: start it with --cap-add=PERFMON --security-opt seccomp=unconfined'
}

@test "flame: perf: what only root may do" {
	real_perf
	real cat
	[ "$(id -u)" = 0 ] || skip "not root"
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] || skip "all may record"
	chmod -R a+rwX . ..; chmod a+x ../..
	as_another() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	others_may_enter
	try as_another flame -a
	now "$status" -eq 1
	said 'kernel.perf_event_paranoid is ' 'which forbids -a: '
	try as_another env container=docker flame -a
	said 'which forbids -a: ' 'on the host of the container'
}

@test "flame: the kernel is not recorded" {
	echo 2 > kernel/perf_event_paranoid
	try flame true
	said_not paranoid
	no_root
	try flame true
	now "$status" -eq 0
	said 'kernel.perf_event_paranoid hides the kernel' \
		'sudo sysctl kernel.perf_event_paranoid=1, or flame --root'
	echo 1 > kernel/kptr_restrict
	try flame true
	said_not kptr_restrict
}

@test "flame: functions of the kernel have no names" {
	echo 1 > kernel/kptr_restrict
	try flame true
	said_not kptr_restrict
	no_root
	try flame true
	said 'kernel.kptr_restrict is 1, so functions of the kernel have no names' \
		'sudo sysctl kernel.kptr_restrict=0, or flame --root'
	echo 2 > kernel/kptr_restrict
	real id
	stand_in id <<< 'echo 0'
	try flame true
	said 'kernel.kptr_restrict is 2' 'kernel.kptr_restrict=0'
	said_not 'or flame --root'
}

@test "flame: no hardware counters" {
	try flame true
	said_not counters
	sed -i 's/^1000,/<not supported>,/' kernel/probe
	try flame -v true
	now "$status" -eq 0
	said 'there are no hardware counters here' 'with -e cpu-clock' ' -F 997 ' ' -e cpu-clock '
	try flame -v -e faults true
	said_not counters cpu-clock
}

@test "flame: a program without symbols" {
	command -v readelf > /dev/null || skip "no readelf"
	compile -fno-omit-frame-pointer -o good
	try flame --call-graph fp ./good
	said_not 'no symbols' 'no frame pointers'
	compile -fno-omit-frame-pointer -s -o stripped
	try flame ./stripped
	now "$status" -eq 0
	said './stripped has no symbols, so its functions have no names: do not strip it'
}

@test "flame: a library without symbols" {
	command -v readelf ldd > /dev/null || skip "no readelf or ldd"
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
	command -v readelf > /dev/null || skip "no readelf"
	[ "$(PATH=$REAL_PATH uname -m)" = x86_64 ] || skip "not on x86-64"
	compile -fomit-frame-pointer -o it
	try flame --call-graph fp ./it
	said './it has no frame pointers' 'flame --call-graph dwarf' '-fno-omit-frame-pointer'
	try flame --call-graph dwarf ./it
	said_not 'no frame pointers'
}

# libraries NAME=HOW... : sets what a program is linked with, and how many of its
# functions keep a frame pointer: all, most or none of them; or go, go-debug.
libraries()
{
	local pair
	rm -f kernel/lib.*
	: > kernel/ldd
	for pair; do
		echo "${pair#*=}" > "kernel/lib.${pair%=*}"
		echo "	${pair%=*}.so.1 => $AT/kernel/lib.${pair%=*} (0x00007f)" >> kernel/ldd
	done
	stand_in ldd <<< 'exec "$CAT" "$AT/kernel/ldd"'
	stand_in readelf <<'END'
for file; do :; done
case $file in */lib.*) how=$("$CAT" "$file") ;; *) how=$("$CAT" "$AT/kernel/program") ;; esac
case $1,$how in
-S*,go) echo ' .symtab  .text .gopclntab ' ;;
-S*,go-debug) echo ' .symtab  .text .gopclntab .debug_frame ' ;;
-S*) echo ' .symtab  .text ' ;;
*,all) for i in 1 2 3 4 5 6 7 8 9; do echo ' FDE '; echo 'DW_CFA_def_cfa_register: r6 (rbp)'; done ;;
*,none) for i in 1 2 3 4 5 6 7 8 9; do echo ' FDE '; done ;;
*,most)
	for i in 1 2 3 4 5 6 7 8 9; do echo ' FDE '; done
	for i in 1 2 3; do echo 'DW_CFA_def_cfa_register: r6 (rbp)'; done ;;
esac
END
}

@test "flame: how callers are found, and why" {
	needs_library libdw
	chooses() { # OPTIONS... : what -v shows of perf's, in $chosen
		try flame --dry-run "$@"
		chosen=$(grep -o -e '-F [0-9]*' -e '--call-graph [^ ]*' -e ' -g ' <<< "$output" | tr '\n' ' ')
	}
	echo all > kernel/program
	libraries libc=all libz=all
	chooses true
	now "$chosen" = '-F 997  -g  '
	said 'callers are found by frame pointers (--call-graph fp): the program and its libraries keep them'
	libraries libz=all libc=none
	chooses true
	now "$chosen" = '-F 997 --call-graph dwarf,16384 '
	said 'callers are found in copies of the stack (--call-graph dwarf,16384): lib.libc has no frame pointers'
	libraries libc=most
	chooses true
	said 'lib.libc has no frame pointers'
	chooses --call-graph fp true
	now "$chosen" = '-F 997  -g  '
	said_not 'callers are found'
	chooses -c 'record -g' true
	said_not 'callers are found'
	libraries libc=all
	chooses sh -c 'true; true'
	now "$chosen" = '-F 997 --call-graph dwarf,16384 '
	said '(--call-graph dwarf,16384): it is not known what sh -c will run'
	libraries libc=most
	chooses -F 50 -d 100 true
	now "$chosen" = '-F 50 --call-graph dwarf,16384 '
	chooses -d 60 true
	now "$chosen" = '-F 199 --call-graph dwarf,16384 '
	chooses --keep-data x true
	now "$chosen" = '-F 499 --call-graph dwarf,16384 '
	chooses -a
	now "$chosen" = '-F 99 --call-graph dwarf,8192 '
	said '(--call-graph dwarf,8192, 99 times a second): '
	chooses compare true true
	said 'callers are found in copies of the stack'
	[ "$(grep -c -e '--call-graph dwarf' <<< "$output")" -eq 2 ]
	stand_in python3 <<< ''
	chooses python3 -X perf x
	now "$chosen" = '-F 199 --call-graph dwarf,65528 '
	libraries libc=all
	echo none > kernel/program
	chooses ./bin/true
	said 'sh has no frame pointers'
	printf '#!/usr/bin/env python3\n' > script
	chmod +x script
	chooses ./script
	now "$chosen" = '-F 199 --call-graph dwarf,65528 '
	said 'sh has no frame pointers' # this python3 is a script itself
	# the path that the line names, not what PATH has under that name
	mkdir reader
	cp bin/python3 reader
	local line
	for line in '#! @/python3' '#!@/python3 -u' '#!/usr/bin/env -S A=1 @/python3 -u'; do
		echo "${line/@/$PWD/reader}" > script
		chooses ./script
		said 'python3 does not tell perf'
	done
	cp "$(PATH=$REAL_PATH type -P sleep)" reader/it
	echo "#!$PWD/reader/it -x" > script
	chooses ./script
	said 'it has no frame pointers'
	# without such a line, a shell reads it
	echo all > script
	mv script lib.script
	chooses ./lib.script
	said 'sh has no frame pointers'
}

@test "flame: how callers are found, elsewhere" {
	needs_library libdw
	libraries libc=none
	local program
	for program in go go-debug; do
		echo "$program" > kernel/program
		try flame true
		said 'by frame pointers (--call-graph fp): Go keeps them, except in assembly, ' \
			'--call-graph dwarf'
	done
	echo none > kernel/program
	echo '--call-graph record_mode: call graph recording mode (fp|lbr)' > kernel/features
	try flame true
	said 'by frame pointers (--call-graph fp): perf cannot copy stacks'
	echo '--call-graph record_mode: call graph recording mode (fp|dwarf|lbr)' > kernel/features
	try flame true
	said '(--call-graph dwarf,16384): '
	sed -i 's/x86_64/aarch64/' bin/uname
	try flame true
	said 'by frame pointers (--call-graph fp): compilers keep them for this processor'
	said_not 'has no frame pointers'
	sed -i 's/aarch64/x86_64/' bin/uname
	stand_in collapse-perf <<< 'cat > /dev/null; echo "a;b 5"'
	try flame true
	said 'by frame pointers (--call-graph fp): collapse-perf is built without libdw'
}

@test "flame: how callers are found: by a first look at running processes" {
	[ -d /proc/self/ns ] || skip "no /proc"
	needs_library libdw
	echo all > kernel/program
	libraries libc=all
	try flame -d 1 -p $$
	said 'by frame pointers (--call-graph fp): the program and its libraries keep them'
	grep -q "record -q -F 199 -g -o - -p $$ -- sleep 0.3" calls
	stand_in collapse-perf <<'END'
# dwfl_
cat > /dev/null
echo 'collapse-perf: 40 % of the samples are in functions without frame pointers, and so on' >&2
echo 'a;b 5'
END
	try flame -d 1 -p $$
	said '(--call-graph dwarf,16384): much of what runs has no frame pointers'
	sed -i 's/40 %/24 %/' own/collapse-perf # memcpy and others in assembly
	try flame -d 1 -p $$
	said 'by frame pointers (--call-graph fp)'
}

@test "flame: a runtime that compiles code while it runs" {
	local row runtime
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
	for option in '-X perf' -Xperf; do
		# shellcheck disable=SC2086
		try flame python3 $option x.py
		said 'python3 cannot tell perf the names of its functions: that needs Python 3.12 or later'
	done
	printf '#!/usr/bin/env python3\n' > script.py
	chmod +x script.py
	PYTHONPERFSUPPORT=1 try flame ./script.py
	said 'python3 cannot tell perf'
	try flame python3 -X perf_jit x.py
	said 'only perf inject can read what python3 -X perf_jit writes: run it as python3 -X perf'
	JAVA_TOOL_OPTIONS=-XX:+DumpPerfMapAtExit try flame java X
	said_not 'does not tell'
	printf '#!/usr/bin/env node\n' > tool
	chmod +x tool
	try flame ./tool
	said 'node does not tell perf'
}

@test "flame: a process of such a runtime" {
	[ -d /proc/self/ns ] || skip "no /proc"
	cp "$(PATH=$REAL_PATH type -P sleep)" java
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

@test "flame: a process that does not exist, or of another user" {
	[ -d /proc/self/ns ] || skip "no /proc"
	try flame -p 99999999
	stops 1 'there is no process 99999999: take one of ps'
	container=docker try flame -p 99999999
	stops 1 'there is no process 99999999 in this container'
	no_root
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
	[ -d /proc/self/ns ] || skip "no /proc"
	needs_library libdw
	[ "$(uname -m)" = x86_64 ] || skip "frame pointers are there"
	stand_in cat <<'END'
case ${1:-} in
/proc/[0-9]*/maps) exit 1 ;;
/proc/sys/kernel/* | /etc/os-release) exec "$CAT" "$AT/kernel/${1##*/}" ;;
/.dockerenv | /run/.containerenv) exit 1 ;;
esac
exec "$CAT" "$@"
END
	stand_in sudo <<< 'exec "$@"'
	no_root
	try flame -d 1 -p $$
	stops 1 "process $$ has ended, or has rights that you do not have: flame --root"
	try flame --root -d 1 -p $$
	now "$status" -eq 0
	said "(--call-graph dwarf,16384): only root knows what code process $$ has"
}

# ---- a recording

@test "flame: a picture, and the messages about it" {
	try flame true
	now "$status" -eq 0
	now -z "$output"
	draws flamegraph.svg
	[[ $stderr == 'flame: callers are found '*'
flame: flamegraph.svg: 7 samples
flame: '*'%  '* ]]
	says
	[ "$(grep -c '%  ' <<< "$stderr")" -le 5 ]
	collapse-perf --header --recursion unknown "$DATA/frames.data" | diff - drawn
	[[ $(cat drawn) == *'# unit: ns'* ]]
	try flame -q true
	now -z "$stderr"
}

@test "flame: the five hottest functions" {
	stand_in collapse-perf <<'END'
cat > /dev/null
printf '%s\n' 'a;x y 10' 'a;b 20' 'b;c;x y 30' 'a;d 5' 'a;e 4' 'a;f 6' 'a;g 5' 'a 20'
END
	try flame true
	printf 'flame: %s\n' '  40.0 %  x y' '  20.0 %  b' '   6.0 %  f' '   5.0 %  d' '   5.0 %  g' > hot
	grep '%  ' <<< "$stderr" | diff hot -
	try flame --post-process 'sed s/^a.x/x/' true # x by itself is no command then
	said '  40.0 %  x y' '  20.0 %  a'
	stand_in collapse-perf <<'END'
cat > /dev/null
name=$(printf 'a%.0s' 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0)
printf '%s\n' "a;$name${name}b 10" "a;${name}1234567890éé34567890 5" "a;${name}12345678901234 3"
END
	try flame true
	long=$(printf 'a%.0s' {1..50})
	said "%  ${long}aaaaaaaaaaaa.." "  ${long}1234567890.." "  ${long}12345678901234"
}

@test "flame: the hottest functions: names that look like a count or a comment" {
	stand_in collapse-perf <<'END'
cat > /dev/null
printf '%s\n' '# unit: ns' 'a;Thread 7; 50' '# b;c 30' '#d;e 15' 'f 2; 5'
END
	try flame true
	printf 'flame: %s\n' '  50.0 %  Thread 7' '  30.0 %  c' '  15.0 %  e' > hot
	grep '%  ' <<< "$stderr" | diff hot -
	printf 'a;Thread 7; 20\na;g 80\n' > old
	stand_in collapse-perf <<< 'cat > /dev/null; printf "a;Thread 7; 50\\na;g 50\\n"'
	try flame --diff old true
	said ' +30.0 points, to 50.0 %  Thread 7' ' -30.0 points, to 50.0 %  g'
	stand_in collapse-perf <<'END'
cat > /dev/null
case $(grep -c . "$AT/calls") in
*[13579]) printf '%s\n' '# unit: ns' 'a;Thread 7; 50' '# b;c 50' ;;
*) printf '%s\n' '# unit: ns' 'a;Thread 7; 30' '# b;c 70' ;;
esac
END
	echo > calls
	try flame compare true true
	said '200 ns → 200 ns (×1.00)' 'self   -20.0 points, to 30.0 %  Thread 7' 'self   +20.0 points, to 70.0 %  c'
}

@test "flame: the heading is the recorded command" {
	heading() { flame --dry-run "$@" 2> err | grep -o -e "--title .*" | sed 's/ -o .*//'; }
	[ "$(heading true "it's" 'a  b')" = "--title 'true it'\\''s a  b'" ]
	[ "$(heading --title mine true)" = '--title mine' ]
	[ "$(heading -a)" = '' ]
	[ "$(heading true $'a\e[2J\nb')" = "--title 'true a?[2J?b'" ]
	[ "$(heading true "$(printf 'é%.0s' {1..600})")" = "--title 'true $(printf 'é%.0s' {1..496})..'" ]
	echo 'a;b 9' > old.folded
	[ "$(heading --diff old.folded true)" = "--title 'true, compared with old.folded'" ]
	[ "$(heading compare 'true 1' 'true 2')" = "--title 'true 1 and true 2'" ]
	flame -q true '<&'
	grep -q 'true &lt;&amp;' flamegraph.svg
	[ ! -d /proc/self/ns ] || [[ $(heading -p $$) == "--title '"*", process $$'" ]]
}

@test "flame: few samples" {
	local n
	for n in 1 20 21; do
		stand_in collapse-perf <<< "cat > /dev/null; echo 'a;b 9'
			echo 'collapse-perf: $n samples kept, 0 ignored, 0 dropped' >&2"
		try flame true
		if [ "$n" -le 20 ]; then
			said 'so few samples tell little: let it run for longer, or sample more often, as with -F 9999'
		else
			said_not 'so few'
		fi
		try flame -p $$ -d 1
		[ "$n" -gt 20 ] || said 'the process hardly ran; --wall shows where it waits'
	done
}

@test "flame: lost samples" {
	sed -i 's/frames.data out/pipe.stream out/' bin/perf
	try flame true
	now "$status" -eq 0
	said 'flamegraph.svg: 3 samples' 'collapse-perf: 3 samples kept, 5 ignored' "ignored 'cpu-clock:u'"
}

@test "flame: the command's own input, output and status" {
	passes() { echo in | flame "$@" sh -c 'cat; echo out; echo err >&2; exit 7'; }
	local how
	for how in -q '-q --keep-data x.data'; do
		# shellcheck disable=SC2086
		try passes $how
		now "$status" -eq 7
		now "$output" = $'in\nout'
		now "$stderr" = err
		draws flamegraph.svg
	done
	try flame sh -c 'exit 7'
	said "flame: the command's exit status is 7"
	try flame sh -c 'kill -9 $$'
	now "$status" -eq 137
	said 'flame: the command was ended by signal 9'
	try flame --ignore-status false
	now "$status" -eq 0
	try flame -v -d 0.1 sleep 30
	now "$status" -eq 0
	said ' -- timeout 0.1 '
	try flame sh -c 'exit 124'
	now "$status" -eq 124
	printf '#!/bin/sh\nexit 7\n' > it
	chmod +x it
	try flame -c 'record -g -- ./it'
	now "$status" -eq 7
	said "flame: the command's exit status is 7"
}

@test "flame: if perf fails in the middle, its status is not the command's" {
	local how
	stand_in collapse-perf <<< 'cat > /dev/null; echo "collapse-perf: cut short, or perf record did not end well" >&2; echo "a;b 1"'
	for how in '' -q '--keep-data x.data' '-q --keep-data x.data'; do
		# perf's own status if the disk is full
		# shellcheck disable=SC2086
		try flame $how sh -c 'exit 255'
		now "$status" -eq 1
		said 'flame: perf failed while it recorded, so only what came before is known: is the disk full?'
		said_not "the command's exit status"
		[ -s flamegraph.svg ]
	done
	try flame sh -c 'exit 137'
	said 'only what came before is known: signal 9 ended it'
	said_not 'the command was ended'
	try flame true
	now "$status" -eq 0
	said_not 'perf failed'
	try flame --ignore-status sh -c 'exit 255'
	now "$status" -eq 0
	stand_in collapse-perf <<'END'
grep -q . || { echo 'the input is empty' >&2; exit 1; }
echo 'collapse-perf: cut short, or perf record did not end well' >&2
exit 1
END
	try flame -q sh -c 'exit 255'
	now "$status" -eq 1
	said 'flame: perf failed while it recorded'
	said 'there is no picture'
	said_not "the command's exit status"
}

@test "flame: closed standard streams" {
	local how
	for how in '' '--keep-data x.data'; do
		# shellcheck disable=SC2086
		closed() { timeout 60 flame -q $how sh -c 'cat; echo out; echo err >&2; exit 7'; }
		closed > out 2> err <&- && status=0 || status=$?
		now "$status $(cat out err)" = $'7 out\nerr'
		draws flamegraph.svg
		echo in > in
		closed < in >&- 2> err && status=0 || status=$?
		now "$status$(cat err)" = 7err
		draws flamegraph.svg
		closed < in > out 2>&- && status=0 || status=$?
		now "$status $(cat out)" = $'7 in\nout'
		draws flamegraph.svg
	done
}

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
	stops 127 'its first line names /bin/sh?, which is not here'
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

@test "flame: arguments arrive as they are" {
	try flame -q -- printf '<%s>\n' "a  b" "it's" '' '$HOME' '*' -- -a
	now "$output" = "<a  b>
<it's>
<>
<\$HOME>
<*>
<-->
<-a>"
}

@test "flame: -v prints the pipeline, and one can paste it" {
	local how
	for how in '' '--keep-data x.data' '--folded x --diff old --post-process cat' \
		'--diff old.data' '--call-graph lbr'; do
		echo 'mill;mill::Wheel::turn 5' > old
		cp "$DATA/frames.data" old.data
		# shellcheck disable=SC2086
		flame -v $how -o one.svg -- echo "a  b" > out 2> err
		now "$(cat out)" = 'a  b'
		sed '/^flame: /d; /^collapse-perf: /d; /^diff-folded: /d; s/one.svg/two.svg/' err > script
		# shellcheck disable=SC2086
		flame --dry-run $how -o two.svg -- echo "a  b" 2> /dev/null | diff script -
		rm -rf x.data
		sh script > out 2> err
		now "$(cat out)" = 'a  b'
		cmp one.svg two.svg
	done
}

@test "flame: nothing was recorded" {
	touch kernel/fails
	echo old > flamegraph.svg
	for how in '' '--keep-data x.data'; do
		echo old > x.data
		# shellcheck disable=SC2086
		try flame $how true
		now "$status" -eq 1
		said 'no luck' 'flame: nothing was recorded: perf failed, with exit status 255'
		said_not 'perf script'
	done
}

@test "flame: nothing ran" {
	fails_late 'collapse-perf: it: the recording has no samples'
	try flame -p $$
	now "$status" -eq 1
	said 'flame: there is no picture: nothing ran while it was recorded (--off-cpu shows where threads wait)'
}

@test "flame: a filter fails" {
	fails_late 'collapse-perf: no luck'
	try flame -- sh -c 'echo out'
	now "$status" -eq 1
	now "$output" = out
	said 'collapse-perf: no luck' \
		"flame: there is no picture: 'collapse-perf -v --header --recursion unknown' failed"
	try flame --post-process false true
	now "$status" -eq 1
	said "flame: there is no picture: 'false' failed"
}

@test "flame: a filter that fails does not end the recording" {
	yes | head -c 300000 > big
	sed -i 's/^data=.* out=/data=$AT\/big out=/' bin/perf
	fails_late 'collapse-perf: no luck'
	try flame -- true
	now "$status" -eq 1
	[ ! -e broken ]
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

@test "flame: an older picture stays if a filter fails after it has written" {
	local how
	for how in '--post-process=cat; false' '--folded=/dev/full'; do
		echo old > flamegraph.svg
		try flame "$how" true
		now "$status" -eq 1
		said 'flame: there is no picture: '
		said_not 'the input is empty'
		now "$(cat flamegraph.svg)" = old
	done
	stand_in collapse-perf <<< 'cat > /dev/null; echo "a;b 5"; kill -9 $$'
	try flame true
	now "$status" -eq 1
	now "$(cat flamegraph.svg)" = old
}

@test "flame: a stage that cannot note its failure" {
	# like a system that can start no more processes: the program that draws is gone
	# without a message
	stand_in cat <<< 'if [ $# -eq 0 ]; then kill -9 $PPID; fi; exec "$CAT" "$@"'
	local how
	for how in "--perfdata=$DATA/frames.data" true; do
		echo old > flamegraph.svg
		try flame "$how"
		now "$status" -eq 1
		said "flame: there is no picture: 'sh' failed"
		now "$(command cat flamegraph.svg)" = old
	done
}

@test "flame: perf cannot be started" {
	local words
	for words in '' 'flame: fork: retry: Resource temporarily unavailable'; do
		echo "$words" > kernel/probe
		container=docker try flame true
		stops 1 'perf could not be started: ' 'ulimit -u'
	done
}

@test "flame: no space for temporary files is noticed before the command runs" {
	printf '#!/bin/sh\ntouch ran\n' > it
	chmod +x it
	stand_in head <<< 'exit 1'
	try flame ./it
	stops 1 "there is no room in $TMPDIR: set TMPDIR to another folder"
	[ ! -e ran ]
}

@test "flame: kept recordings and folded stacks" {
	flame -q --keep-data 'a b.data' --folded 'a b.folded' -o 'a b.svg' true
	cmp "$DATA/frames.data" 'a b.data'
	collapse-perf --header --recursion unknown 'a b.data' | cmp - 'a b.folded'
	flamegraph --extract 'a b.svg' | cmp - 'a b.folded'
	flame -q -c 'record -o c.data' true
	cmp "$DATA/frames.data" c.data
}

@test "flame: an existing recording" {
	flame -q --perfdata "$DATA/frames.data" -o x.svg
	draws x.svg
	[ ! -e calls ]
	gzip -c "$DATA/frames.data" > frames.gz
	flame -q --perfdata frames.gz -o y.svg
	[ "$(flamegraph --extract x.svg)" = "$(flamegraph --extract y.svg)" ]
	printf 'a;b 5\na;c 7\n' > two.folded
	try flame -o z.svg --perfdata two.folded
	[[ $stderr != *": 2 samples"* ]] # its lines
	try flame --perfdata no-such
	fails 1 'no-such: cannot be read: ' 'o such file'
	try flame --perfdata tmp
	fails 1 'flame: tmp: cannot be read: it is a folder'
	now "$(wc -l <<< "$stderr")" -eq 1
}

@test "flame: a recording of another user" {
	cp "$DATA/frames.data" its.data
	chmod 000 its.data
	as_another() { flame "$@"; }
	if [ -r its.data ]; then
		chmod a+rwX . .. tmp own own/*; chmod a+x ../..
		as_another() { setpriv --reuid=65534 --clear-groups flame "$@"; }
		real id
		others_may_enter
	fi
	try as_another --perfdata its.data
	stops 1 'its.data: cannot be read: ' 'denied: sudo chown ' ' its.data'
}

@test "flame: a folder for temporary files in which none can be created" {
	TMPDIR=$PWD/no-such try flame true
	stops 1 "flame: no folder or pipe can be made in $PWD/no-such: set TMPDIR to another folder"
	stand_in mkfifo <<< 'exit 1'
	try flame true
	stops 1 "flame: no folder or pipe can be made in $TMPDIR: set TMPDIR to another folder"
}

@test "flame: a profile of another profiler" {
	printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main"},{"name":"work"}]},' > -s
	printf '"profiles":[{"type":"sampled","name":"p","unit":"milliseconds","startValue":0,"endValue":3,"samples":[[0,1],[0]],"weights":[2,1]}]}' >> -s
	flame -q --perfdata -s -o x.svg
	flamegraph --extract x.svg > found
	diff found - <<- 'END'
		# event: weight
		# unit: ns
		p;main 1000000
		p;main;work 2000000
	END
	flame -q -o x.svg --perfdata ./-s --collapse --root none
	[[ $(flamegraph --extract x.svg) == *$'\nmain;work 2000000' ]]
	flame --dry-run --perfdata ./-s > plan
	grep -q "collapse-guess.* -v --header --recursion unknown ./-s |" plan
}

@test "flame: a profile by a pipe" {
	local name input
	for input in "$DATA/frames.data" "$DATA/pipe.stream"; do
		flame -q -o file.svg --perfdata "$input"
		for name in - /dev/stdin; do
			flame -q --perfdata "$name" < "$input"
			cmp flamegraph.svg file.svg
		done
		flame -q --perfdata <(cat "$input")
		cmp flamegraph.svg file.svg
		flame -q --wall -o file.svg --perfdata "$input"
		flame -q --wall --perfdata - < "$input"
		cmp flamegraph.svg file.svg
	done
	mkfifo pipe
	echo 'a;b 5' > pipe &
	flame -q --perfdata pipe
	[ "$(flamegraph --extract flamegraph.svg)" = 'a;b 5' ]
	timeout 10 flame --perfdata <(echo bad) < <(sleep 20 3>&-) 2> err && status=0 || status=$?
	[ "$status" = 1 ]
	grep 'none of' err
	flame --perfdata - < /dev/null 2> err && status=0 || status=$?
	[ "$status" = 1 ]
	grep 'the input is empty' err
	[ "$(flame --dry-run --perfdata - | grep -c -- ' - |')" = 1 ]
}

@test "flame: --diff refuses a file that can be read only once" {
	local name
	mkfifo pipe
	for name in pipe /dev/stdin -; do
		try flame --diff "$name" true < "$DATA/frames.data"
		stops 1 "$name: cannot be read: it is a pipe or an open file"
	done
	try flame --diff <(echo 'a;b 5') true
	stops 1 ': cannot be read: it is a pipe or an open file'
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

@test "flame: options that would have no effect" {
	local option
	for option in -o --folded --diff --keep-data --perfdata; do
		try flame "$option" '' true
		stops 2 "$option takes a file, not ''"
	done
	for option in -F5 '-e cycles' '-c record' -z; do
		# shellcheck disable=SC2086
		try flame --perfdata "$DATA/frames.data" $option
		stops 2 '--perfdata records nothing: it goes without'
	done
	for option in -F5 '-e cycles' -z; do
		# shellcheck disable=SC2086
		try flame -c 'record -g' $option true
		stops 2 '-c has all arguments of perf'
	done
	try flame -c 'record -g -o z.data' --keep-data x true
	stops 2 '-c names the recording'
	flame -q --off-cpu --perfdata "$DATA/switch.data"
	grep -c 'fg:unit="ns"' flamegraph.svg
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

@test "flame: --diff with a picture, folded stacks and a recording" {
	local old
	echo 'mill;gone 9' > old.folded
	flamegraph old.folded > old.svg
	cp "$DATA/frames.data" old.data
	for old in old.folded old.svg; do
		flame -q --diff "$old" true
		flamegraph --extract diff.svg | grep -q '^mill;gone [0-9]* 0$'
	done
	flame -q --diff old.data true
	flamegraph --extract diff.svg | awk '!/^#/ && $(NF - 1) != $NF { exit 1 }'
	[ ! -e flamegraph.svg ]
	printf '%s\n' 'other;x 50' 'other;y 50' 'other;z 100' > old.folded
	stand_in collapse-perf <<< 'cat > /dev/null; printf "%s\n" "new;x 20" "new;y 80" "new;z 100"'
	try flame --diff old.folded --ignore-root 1 true
	now "$status" -eq 0
	said ' +15.0 points, to 40.0 %  y' ' -15.0 points, to 10.0 %  x'
	said_not '  z' '--ignore-root'
	try flame --diff old.folded true
	said '--ignore-root 1'
	try flame --ignore-root 1 true
	now "$status" -eq 2
	said '--ignore-root is for --diff'
	try flame --diff no-such true
	now "$status" -eq 1
	said 'no-such: cannot be read'
}

@test "flame: --diff of two pictures, or of other existing profiles" {
	local new
	printf 'a;b 500\na;c 600\n' > old.folded
	printf 'a;b 500\na;c 900\n' > new.folded
	flamegraph old.folded > old.svg
	flamegraph new.folded > new.svg
	for new in new.svg new.folded; do
		try flame --diff old.svg "$new"
		now "$status" -eq 0
		said 'flame: diff.svg' '+9.7 points, to 64.3 %  c'
		flame -q --diff old.svg --perfdata "$new" -o with-option.svg
		cmp diff.svg with-option.svg
		flame -q --diff old.svg "$new" -o after.svg # options may come last
		cmp diff.svg after.svg
	done
	grep -q 'new.folded, compared with old.svg' diff.svg
	flamegraph --extract diff.svg | grep -q '^a;c 763 900$'
	flame -q --diff old.folded "$DATA/frames.data" 2> /dev/null
	draws diff.svg
	flame -q --perfdata new.svg -o again.svg
	flamegraph --extract again.svg | cmp - new.folded
	[ ! -e calls ]
	try flame --diff old.svg new.svg true
	stops 2 '--perfdata records nothing: it goes without a command'
	try flame --diff old.svg --perfdata new.svg --skip-after a
	stops 2 'new.svg is a picture, which no collapser reads'
	printf '#!/bin/sh\n' > script
	try flame --diff old.svg ./script
	stops 126 './script cannot be run'
	cp new.folded true # as a command is called
	flame -q --diff old.svg true
	draws diff.svg
	cp bin/true program
	flame -q --diff old.svg ./program
	draws diff.svg
}

@test "flame: compare" {
	cp bin/true old
	printf '#!/bin/sh\nexit 3\n' > new
	chmod +x new
	try flame compare --runs 3 './old x' './new "y  z"'
	now "$status" -eq 3
	[ "$(grep -c 'perf record.*./old x$' calls)" -eq 3 ]
	[ "$(grep -c 'perf record.*./new y  z$' calls)" -eq 3 ]
	said 'flame: run 3 of 3' './new "y  z": exit status 3' 'flame: diff.svg: ./old x and ./new' \
		'flame: 525 ms → 525 ms of cpu-clock:u (×1.00)' 'all of 3 runs; those of the first differ by 0.0 %'
	flamegraph --extract diff.svg > drawn
	grep -q 'mill::Wheel::turn' drawn
	run ! grep -q '^mill;' drawn
	flame compare --dry-run 'true | cat' true > script
	grep -q "sh -c 'true | cat'" script
	sh -e script
}

@test "flame: compare's table" {
	stand_in collapse-perf <<'END'
cat > /dev/null
case $(grep -c . "$AT/calls") in
*[13579]) printf 'a;x 30\na;y 10\na;w 1\n' ;;
*) printf 'a;x 10\na;z 10\na;w 1\n' ;;
esac
END
	rm -f calls
	try flame compare -v true true
	said 'flame: 82 → 42 (×0.51); shares are compared
flame: self   +47.6 points, to 47.6 %  z
flame: self   -25.6 points, to 47.6 %  x
flame: self   -24.4 points, to 0.0 %  y
flame: self    +2.3 points, to 4.8 %  w
flame: how much of it is noise is not known
flame: that is all of 2 runs; those of the first differ by 0.0 %, of the second by 0.0 %'
}

# Without the totals in the header, both would be 1.077 s and read "no change".
@test "flame: a difference has the recorded totals, and the significant changes" {
	local long
	long=$(printf 'a%.0s' {1..70})
	stand_in collapse-perf <<END
cat > /dev/null
echo '# event: cpu-clock' '# unit: ns' '# sample-weight: 1000000' | sed 's/ # /\n# /g'
case \$(cat "\$AT/work") in
once) printf '%s\n' 'a;f 200000000' 'a;g 104000000' 'a;h 30000000' ;;
thrice) printf '%s\n' 'a;f 600000000' 'a;g 350000000' 'a;h 127000000' ;;
other) printf '%s\n' 'a;f 100000000' 'a;g 104000000' 'a;$long 130000000' ;;
esac
END
	echo once > work
	flame -q -o old.svg true
	echo thrice > work
	try flame --diff old.svg true
	said 'flame: 0.334 s → 1.077 s of cpu-clock (×3.2); shares are compared' \
		"flame: no function's share has changed by more than noise"
	grep -q 'Before → after: 0.334 s → 1.077 s of cpu-clock (×3.2); shares are compared<' diff.svg
	said_not points
	echo other > work
	try flame --diff old.svg true
	said "flame: self   +38.9 points, to 38.9 %  ${long:8}.." 'flame: self   -29.9 points, to 29.9 %  f' \
		'flame: self    -9.0 points, to 0.0 %  h'
	said_not '%  g' total
	stand_in true <<< 'if [ "${1:-}" = more ]; then echo thrice; else echo once; fi > "$AT/work"'
	try flame compare true 'true more'
	said 'flame: 0.668 s → 2.154 s of cpu-clock (×3.2); shares are compared' \
		"flame: no function's share has changed by more than noise"
}

@test "flame: --root records with sudo" {
	stand_in sudo <<'END'
echo "sudo $*" >> "$AT/calls"
while :; do case $1 in -*) shift ;; *) break ;; esac; done
exec "$@"
END
	ln -s sudo bin/doas
	no_root
	echo 2 > kernel/perf_event_paranoid
	try flame --root -v sh -c 'echo out; exit 4'
	now "$status" -eq 4
	now "$output" = out
	said_not paranoid
	said 'sudo perf record ' ' -N -o "$tmp/perf.data" -- sh -c ' "sudo $PWD/own/collapse-perf "
	draws flamegraph.svg
	try flame --root=-E -v -a -d 1
	said 'sudo -E perf record '
	try flame --root=doas -v -a -d 1
	said 'doas perf record '
}

@test "flame: --off-cpu" {
	try flame -v --off-cpu true
	said 'from one sched:sched_switch to the next' '-e sched:sched_switch --switch-events' \
		' --off-cpu -v --header --recursion unknown'
	echo '--call-graph --off-cpu Enable off-cpu analysis' > kernel/features
	try flame -v --off-cpu --call-graph dwarf,4096 true
	said '-e sched:sched_switch' # as BPF finds callers by frame pointers only
	stand_in collapse-perf <<< 'cat "$7" > /dev/null; echo "a;b 5"'
	try flame -v --off-cpu true
	now "$status" -eq 0
	said ' --off-cpu ' '--event-filter offcpu-time' '--colors io' '100.0 %  b'
	said_not sched_switch
	stand_in collapse-perf <<< 'cat "$7" > /dev/null
		printf "%s\\n" "a;read;io_schedule;schedule;__schedule 6" "a;schedule 2" "a;poll;schedule_timeout 2"'
	try flame --off-cpu true
	said '60.0 %  read' '20.0 %  poll' '20.0 %  schedule'
}

@test "flame: --wall" {
	try flame -v --wall true
	fails 1 '--wall needs a perf that records switches, with --switch-events'
	echo '--call-graph --switch-events' > kernel/features
	stand_in cat <<-'END'
		case ${1:-} in
		*/sched_switch/id) exec "$CAT" "$AT/kernel/id" ;;
		/sys/kernel/tracing/*) exec "$CAT" "$AT/kernel/tracing" ;;
		/proc/sys/kernel/* | /etc/os-release) exec "$CAT" "$AT/kernel/${1##*/}" ;;
		esac
		exec "$CAT" "$@"
	END
	try flame -v --wall true
	said ' record -q -F ' ' -e cpu-clock --switch-events ' ' --wall --kernel -v --header' '--colors java' \
		'below what ran before and after it: its tracepoints are not mounted: mount -t tracefs '
	echo 'the format of events' > kernel/tracing
	try flame -v --wall true
	said 'below what ran before and after it: this kernel has no tracepoint sched:sched_switch'
	echo 314 > kernel/id
	try flame -v --wall --ignore-idle --call-graph fp true
	said ' -e cpu-clock/freq=997/ -e sched:sched_switch --switch-events' '--ignore-idle'
	said_not 'record -q -F' 'below what ran'
	try flame -v --wall --call-graph fp -F 99 true
	said ' -e cpu-clock/freq=99/ -e sched:'
	try flame -v --wall -e cycles true
	said ' -e cycles --switch-events'
	said_not sched_switch
	try flame -v --wall -c 'record -g --switch-events' true
	said 'record -g --switch-events -o ' ' --wall --kernel '
	try flame -v --wall --perfdata "$DATA/frames.data"
	said ' --wall --kernel -v'
	rm kernel/id
	no_root
	echo 1 > kernel/perf_event_paranoid
	try flame --wall true
	said 'the tracepoint sched:sched_switch is for root only (flame --root)'
	stand_in collapse-perf <<< 'cat "$7" > /dev/null
		printf "%s\n" "a;read;schedule_[k];__schedule_[o] 6" "a;f;[waiting]_[o] 1" "a;f_[k] 3"'
	try flame --wall true
	said '30.0 %  of all time is on a CPU, 70.0 % waiting' '60.0 %  read' '30.0 %  f' '10.0 %  [waiting]'
	try flame --wall --off-cpu true
	fails 2 '--wall has what --off-cpu shows'
	try flame --ignore-idle true
	fails 2 '--ignore-idle is for --wall'
}

@test "flame: --open" {
	stand_in xdg-open <<< 'echo "$1" > "$AT/opened"'
	flame -q --open -o x.svg true
	now "$(cat opened)" = x.svg
	stand_in my-browser <<< 'echo "mine $1" > "$AT/opened"'
	BROWSER=my-browser flame -q --open -o x.svg true
	now "$(cat opened)" = 'mine x.svg'
}

# ---- whose programs

@test "flame: programs of one build find each other" {
	PATH=$PWD/bin:$REAL_PATH own/flame -v true 2> said
	draws flamegraph.svg
	grep -q " | $PWD/own/flamegraph " said
	PATH=$PWD/bin:$REAL_PATH own/flame -q --post-process 'filter-folded' true
}

@test "flame: it starts its own flamegraph, not another one on PATH" {
	foreign_flamegraph
	try own/flame true
	now "$status" -eq 0
	draws flamegraph.svg
	[ ! -e called ]
	ln -s own/flame by-link
	ln -s "$PWD/by-link" other/by-links
	rm flamegraph.svg
	try by-links true
	draws flamegraph.svg
	own/flame --dry-run -- true > script
	rm flamegraph.svg
	sh -e script
	draws flamegraph.svg
	[ ! -e called ]
}

@test "flame: a copy of flame alone finds the others on PATH" {
	foreign_flamegraph
	mkdir alone
	cp own/flame alone
	try alone/flame true
	now "$status" -eq 0
	draws flamegraph.svg
	rm calls called flamegraph.svg
	rm own/flamegraph
	try alone/flame true
	stops 1 "flamegraph of flamepipe is neither in $PWD/alone nor on PATH: install it beside flame"
}

@test "flame: the command gets its PATH unchanged" {
	printf '#!/bin/sh\necho "$PATH"\n' > prints
	chmod +x prints
	try flame -q ./prints
	now "$output" = "$PATH"
}

# ---- signals

# Makes a perf that records until it gets a signal.
patient_perf()
{
	stand_in perf <<'END'
case "$*" in
'record -h') echo --call-graph >&2; exit 129 ;;
stat*) exec cat "$AT/kernel/probe" >&2 ;;
esac
[ -n "${again:-}" ] || again=1 exec env --default-signal=INT "$0" "$@"
trap 'cat "$DATA/frames.data"; trap - INT; kill -INT $$' INT
trap 'cat "$DATA/frames.data"; exit 143' TERM
touch "$AT/recording"
while :; do sleep 0.1; done
END
}

# signalled SIGNAL COMMAND... : sends the signal to the command or, with $group, to
# everything that it has started. Bash starts jobs with SIGINT ignored, and the jobs
# cannot change that; the tests themselves may have been started like that with other
# signals.
signalled()
{
	local signal=$1 waited=0
	shift
	local -a restored=(env "--default-signal=INT,TERM,HUP,QUIT")
	"${restored[@]}" true 2> /dev/null || skip "env cannot restore a signal"
	command -v setsid > /dev/null || skip "no setsid"
	setsid "${restored[@]}" "$@" > out 2> err 3>&- &
	session=$!
	while [ ! -e recording ] && [ $((waited += 1)) -lt 300 ]; do sleep 0.1; done
	kill -s "$signal" -- "${group:+-}$!"
	wait $! && status=0 || status=$?
	stderr=$(cat err) output=$(cat out)
}

@test "flame: Ctrl-C ends the recording, not the picture" {
	patient_perf
	signalled INT flame -a
	now "$status" -eq 0
	said 'flame: flamegraph.svg: 7 samples'
	draws flamegraph.svg
}

@test "flame: if the reader of the messages goes away, nothing is left behind" {
	mkfifo said
	true < said &
	status=0
	flame true 2> said || status=$?
	now "$status" -eq 141
}

@test "flame: TERM and HUP end the recording, with the status of a signal" {
	patient_perf
	signalled TERM flame -a
	now "$status" -eq 143
	draws flamegraph.svg
	rm recording flamegraph.svg
	signalled HUP flame -a
	now "$status" -eq 129
	draws flamegraph.svg
	rm recording
	signalled HUP flame true
	now "$status" -eq 129
}

@test "flame: signals to all of its processes" {
	local group=1 row
	patient_perf
	for row in TERM=143 QUIT=131; do
		rm -f recording flamegraph.svg
		signalled "${row%=*}" flame -a
		now "$status" -eq "${row#*=}"
		said 'flame: flamegraph.svg: 7 samples'
		draws flamegraph.svg
	done
}

@test "flame: Ctrl-C during a comparison ends it" {
	patient_perf
	signalled INT flame compare true true
	now "$status" -eq 130
	[ ! -e diff.svg ]
}

@test "flame: a line shows how long it records" {
	command -v script > /dev/null || skip "no script"
	script -qec true /dev/null > /dev/null 2>&1 || skip "script is another one"
	sed -i 's/^status=0/sleep 2; status=0/' bin/perf
	TERM=xterm script -qec "flame -a" /dev/null < /dev/null > screen
	grep -q 'flame: 1 s' screen
	TERM=xterm script -qec "flame true" /dev/null < /dev/null > screen
	run ! grep -q 'flame: 1 s' screen
	TERM=xterm script -qec "flame -v true" /dev/null < /dev/null > screen
	grep -q -e '-o - -- true | collapse-perf' screen
}

# ---- other systems

@test "flame: on macOS, by xctrace" {
	echo Darwin > kernel/system
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
		'--target-stdout - --launch -- echo hello' 'flamegraph.svg: 5 samples' '100.0 %  work'
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
	rm bin/xctrace
	XCTRACE=no-xctrace try flame true
	now "$status" -eq 1
	said 'no-xctrace is not here: xcode-select --install'
}

@test "flame: elsewhere, by dtrace" {
	echo FreeBSD > kernel/system
	stand_in dtrace <<'END'
echo "dtrace $*" >> "$AT/calls"
while [ $# -gt 0 ]; do
	case $1 in
	-o) printf '\n  app`work+0x1\n  app`main+0x2\n  5\n' > "$2"
		touch -r "${2%/*}/start" "$2" ;; # as a clock with coarse ticks dates it
	-c) $2 ;;
	esac
	shift
done
END
	stand_in collapse-dtrace <<< 'for file; do :; done; grep -q work "$file" && echo "app;main;work 5"'
	try flame -v -- echo hello
	now "$status" -eq 0
	now "$output" = hello
	said "dtrace -x ustackframes=100 -n 'profile-997 /pid == \$target/ { @[ustack(100)] = count(); }'" \
		" -c 'echo hello'"
	flamegraph --extract flamegraph.svg | grep -q '^app;main;work 5$'
	try flame --dry-run -F 99 -a -d 5
	[[ $output == *"-n 'profile-99 /arg1/ { @[ustack(100)] = count(); } tick-5s { exit(0); }'"* ]]
	try flame --dry-run -p 41,42
	[[ $output == *' -p 41 -p 42'* ]]
	try flame echo 'a b'
	now "$status" -eq 1
	said "dtrace cannot run a command with blanks in 'a b'"
	no_root
	try flame true
	now "$status" -eq 1
	said 'dtrace records for root only: flame --root'
}

# ---- every shell

@test "flame: in all installed shells" {
	local shell
	cp bin/perf quick
	for shell in dash 'bash --posix' 'busybox sh' 'mksh' 'ksh' 'yash --posix' 'zsh --emulate sh'; do
		command -v "${shell%% *}" > /dev/null || continue
		# shellcheck disable=SC2086
		try $shell "$BIN/flame" -v -o x.svg --title "it's" -- sh -c 'echo "a  b"; exit 5'
		now "$status" -eq 5
		now "$output" = 'a  b'
		draws x.svg
		# shellcheck disable=SC2086
		$shell "$BIN/flame" compare true true
		patient_perf
		rm -f recording
		# shellcheck disable=SC2086
		signalled TERM $shell "$BIN/flame" -a
		now "$status" -eq 143
		cp quick bin/perf
	done
}

# ---- perf itself

@test "flame: perf: a picture has the same stacks as the pipeline by hand" {
	real_perf
	compile -fno-omit-frame-pointer -o it
	flame --keep-data it.data ./it
	collapse-perf it.data > by-hand
	flamegraph --extract flamegraph.svg | grep -v '^#' | diff by-hand -
	grep -q '^it;.*main;one ' by-hand
}

@test "flame: perf: through the pipe" {
	real_perf
	compile -fno-omit-frame-pointer -o it
	echo in > in
	try flame -e cpu-clock sh -c 'cat; ./it; exit 6' < in
	now "$status" -eq 6
	now "$output" = in
	said 'flamegraph.svg: ' ' samples' '%  one'
	flamegraph --extract flamegraph.svg | grep -q '^it;.*main;two '
}

@test "flame: perf: Ctrl-C" {
	real_perf
	signalled INT flame -e cpu-clock sh -c 'touch recording; while :; do :; done'
	now "$status" -eq 130
	flamegraph --extract flamegraph.svg | grep -q '^sh;'
	rm recording
	signalled TERM flame -e cpu-clock sh -c 'touch recording; while :; do :; done'
	now "$status" -eq 143
}

@test "flame: perf: a process, and the machine" {
	real_perf
	sh -c 'while :; do :; done' 3>&- &
	flame -e cpu-clock -p $! -d 0.5 -o process.svg
	flame -e cpu-clock -a -d 0.5 -o machine.svg || skip "perf may not record the machine"
	kill $!
	flamegraph --extract process.svg | grep -q '^sh;'
	flamegraph --extract process.svg > drawn
	run ! grep -v -e '^sh;' -e '^#' drawn
	flamegraph --extract machine.svg | grep -q '^sh;'
}
