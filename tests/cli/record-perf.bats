#!/usr/bin/env bats
# The command line of record-perf, and recordings made here if the kernel allows them.
# Other tests check the texts of refusals: tests/unit/test_record_refusal.c.
bats_require_minimum_version 1.5.0
export PROGRAM=record-perf
load manners
load libraries

setup_file()
{
	local root=$BATS_TEST_DIRNAME/../..
	export BIN
	BIN=$(cd "${BIN:-$root/build/bin}" && pwd) || return 1
	[ -x "$BIN/record-perf" ] && command -v gcc > /dev/null || return 0
	gcc -O0 -o "$BATS_FILE_TMPDIR/chain" "$root/tests/data/recorded/chain.c" -lpthread
	gcc -O2 -fomit-frame-pointer -o "$BATS_FILE_TMPDIR/bare" "$root/tests/data/recorded/chain.c" -lpthread
	"$BIN/record-perf" -q -e cpu-clock -o "$BATS_FILE_TMPDIR/try" -- true 2> "$BATS_FILE_TMPDIR/why" &&
		touch "$BATS_FILE_TMPDIR/ready"
	return 0
}

setup()
{
	[ -x "$BIN/record-perf" ] || skip "no record-perf, which is for Linux"
	cd "$BATS_TEST_TMPDIR" || return 1
	export locale=C
	live=$BATS_FILE_TMPDIR
}

# needs_recording : skips the test if the kernel or the compiler is missing.
needs_recording()
{
	[ -e "$live/ready" ] || skip "recording does not work here: $(cat "$live/why")"
}

record()
{
	"$BIN/record-perf" -q -e cpu-clock "$@"
}

# fold FILE : folds a recording.
fold()
{
	"$BIN/collapse-perf" -q "$1"
}

# of_event NAME : keeps the stacks of an event below --event-frame. If the kernel is hidden from an
# ordinary user, `:u` or `u` ends the event's name.
of_event()
{
	grep -E "^$1(:?u)?;"
}

# share PATTERN FILE : prints the share of the weight in stacks that match, in percent.
share()
{
	awk -v pattern="$1" '{ all += $NF } $0 ~ pattern { some += $NF }
		END { printf "%d\n", all ? some * 100 / all : 0 }' "$2"
}

# ---- the command line

input()
{
	:
}

on()
{
	program "$@"
}

@test "--help, --version, wrong options" {
	check_help
	check_version
	try program --zzz
	fails 2 "'--zzz'" "record-perf --help"
}

@test "options that need or have no argument" {
	for option in --event --freq --count --call-graph --mmap-pages --pid --cpu --duration; do
		try program "$option"
		fails 2 "$option" argument
	done
	try program --all-cpus=1
	fails 2 --all-cpus argument
}

@test "there must be something to record, and only one thing" {
	try program
	fails 2 "nothing to record"
	try program -p 1 -- true
	fails 2 "-p records what runs already"
	try program -p 1 -a
	fails 2 "-p records what runs already"
	try program -F 99 -c 7 -- true
	fails 2 "--freq and --count"
}

@test "values that make no sense are refused" {
	local words
	for words in '--freq 0' '--freq x' '--pid 1,,2' '--pid x' '--cpu 3-1' '--cpu 1-' \
		'--mmap-pages 0' '--mmap-pages 1G' '--call-graph dwarf,' '--call-graph dwarf,0' \
		'--call-graph dwarf,65536' '--call-graph frame' '--call-graph lbr' \
		'--compression-level=23' \
		'--duration x' '--delay -1'; do
		# shellcheck disable=SC2086
		try program $words -o out -- true
		fails 2 "${words%%[ =]*}"
		[ ! -e out ]
	done
}

@test "events that are not known are refused, before the output is touched" {
	local event
	for event in nosuch cycles:x cpu-clock/foo=1/ cpu-clock/freq nopmu/event=1/ no:such '{a,b}' ''; do
		try program -e "$event" -o out -- true
		fails 1 --event "'$event'"
		[ ! -e out ]
	done
}

@test "a terminal is no place for a recording" {
	command -v script > /dev/null || skip "no script"
	run script -qec "$BIN/record-perf -- true" /dev/null
	now "$status" -eq 1
	[[ $output == *"not text for a terminal"* ]]
}

@test "there is no such process" {
	try program -p 99999999 -o out
	fails 1 "no process 99999999"
	[ ! -e out ]
}

@test "a filter of system calls is named, and the command does not run" {
	command -v gcc > /dev/null || skip "no gcc"
	gcc -o deny "$BATS_TEST_DIRNAME/../data/recorded/deny.c" || skip "no filters here"
	for error in 1 38; do # EPERM, ENOSYS
		try ./deny "$error" "$BIN/record-perf" -e cpu-clock -o out -- touch ran
		[ "$status" != 99 ] || skip "no filters here: ${stderr-}"
		fails 1 "forbids it"
		[[ $stderr == *seccomp* ]]
		[ ! -e out ] && [ ! -e ran ]
	done
}

# ---- output, status and signals of recordings

@test "the command has its output with -o, and standard error without" {
	needs_recording
	try record -o out -- sh -c 'echo to out; echo to err >&2'
	now "$status" -eq 0
	now "$output" = "to out"
	now "$stderr" = "to err"
	record -- sh -c 'echo to out; echo to err >&2' > stream 2> messages
	printf 'to out\nto err\n' | diff - messages
	head -c 8 stream | grep -q PERFILE2
	head -c 8 out | grep -q PERFILE2
}

@test "the command has its input" {
	needs_recording
	now "$(echo word | record -o out -- cat)" = word
}

@test "-o /dev/fd/N is an open descriptor, which the command does not have" {
	needs_recording
	record -o /dev/fd/7 -- sh -c 'ls /proc/self/fd | grep -x 7 || echo not there' 7> out > said
	now "$(cat said)" = "not there"
	head -c 8 out | grep -q PERFILE2
	try record -o /dev/fd/99 -- true
	fails 1 /dev/fd/99 "cannot write"
}

@test "the command has no descriptors of ours" {
	needs_recording
	sh -c 'ls /proc/self/fd' > plain
	record -o out -- sh -c 'ls /proc/self/fd' > recorded
	diff plain recorded
	record -- sh -c 'ls /proc/self/fd' > stream 2> aside
	diff plain aside
}

@test "an older file becomes FILE.old, and only the user may read the new one" {
	needs_recording
	echo older > out
	record -o out -- true
	now "$(cat out.old)" = older
	now "$(stat -c %a out)" = 600
	ln -s target link
	record -o link -- true
	[ -L link ] && [ -s target ]
	record -o /dev/null -- true
	[ -c /dev/null ]
}

@test "the exit status is that of the command" {
	needs_recording
	try record -o out -- sh -c 'exit 7'
	now "$status" -eq 7
	try record -o out -- sh -c 'kill -9 $$'
	now "$status" -eq 137
}

@test "a command that cannot be run: 127 and 126" {
	needs_recording
	run -127 --separate-stderr record -o out -- ./no-such-command
	fails 127 "./no-such-command" "no such command"
	echo text > text
	try record -o out -- ./text
	fails 126 "./text: cannot run"
	mkdir folder
	try record -o out -- ./folder
	fails 126 "./folder: cannot run"
}

@test "options of the command are its own" {
	needs_recording
	now "$(record -o out echo -n -o x)" = "-o x"
	now "$(record -o out -- echo -q)" = "-q"
}

@test "a full disk ends recording and command" {
	needs_recording
	[ -e /dev/full ] || skip "no /dev/full"
	try timeout 20 "$BIN/record-perf" -q -e cpu-clock -o /dev/full -- sleep 30
	fails 1 /dev/full "cannot write"
}

@test "a reader that goes away ends recording and command without a message" {
	needs_recording
	timeout 20 "$BIN/record-perf" -q -e cpu-clock -- sleep 30 2> messages | head -c 1 > one
	now "${PIPESTATUS[0]}" -eq 1
	[ ! -s messages ]
}

# started PID : waits until the recorded shell has written the file "ready".
started()
{
	for _ in {1..200}; do
		[ ! -e ready ] || return 0
		sleep 0.05
	done
	return 1
}

@test "SIGTERM is passed on, and the recording is complete" {
	needs_recording
	# On a busy machine, the signal may come before the shell has run long enough for a sample.
	# shellcheck disable=SC2016 # the inner shell expands it
	"$BIN/record-perf" -q -e cpu-clock -o out -- sh -c 'trap "echo term; exit 5" TERM
		i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done
		: > ready; while :; do :; done' > said &
	started
	kill -TERM $!
	status=0
	wait $! || status=$?
	now "$status" -eq 5
	now "$(cat said)" = term
	"$BIN/collapse-perf" out > folded 2> err || [ -s folded ]
	run ! grep 'cut short' err
}

@test "Ctrl-C ends the recording, not the output" {
	needs_recording
	env --default-signal=INT true 2> /dev/null || skip "env cannot restore a signal"
	env --default-signal=INT "$BIN/record-perf" -q -e cpu-clock -o out -- \
		sh -c 'trap "exit 6" INT; : > ready; while :; do :; done' &
	started
	kill -INT $!
	status=0
	wait $! || status=$?
	now "$status" -eq 6
	[ -s out ]
	"$BIN/collapse-perf" out > folded 2> err || [ -s folded ]
	run ! grep 'cut short' err
}

@test "without a command, SIGINT is success, and SIGTERM the death by it" {
	needs_recording
	env --default-signal=INT true 2> /dev/null || skip "env cannot restore a signal"
	for signal in INT:0 TERM:143; do
		env --default-signal=INT "$BIN/record-perf" -q -e cpu-clock -o out -p $$ &
		until [ -s out ]; do sleep 0.05; done
		kill "-${signal%:*}" $!
		status=0
		wait $! || status=$?
		now "$status" -eq "${signal#*:}"
		rm out
	done
}

@test "a signal that is ignored stays ignored, like by nohup" {
	needs_recording
	"$BIN/record-perf" -q -e cpu-clock -o out -- sh -c ': > ready; sleep 0.5; exit 3' &
	started
	kill -INT $! # ignored, because this shell starts it in the background
	status=0
	wait $! || status=$?
	now "$status" -eq 3
}

@test "--duration ends the command, and that is success" {
	needs_recording
	try timeout 20 "$BIN/record-perf" -q -e cpu-clock -d 0.2 -o out -- sleep 30
	now "$status" -eq 0
	try timeout 20 "$BIN/record-perf" -q -e cpu-clock -d 0.2 -o out -p $$
	now "$status" -eq 0
}

@test "-p ends with the process" {
	needs_recording
	sleep 0.5 &
	try timeout 20 "$BIN/record-perf" -q -e cpu-clock -o out -p $!
	now "$status" -eq 0
}

# ---- what is recorded

# check_chain FILE PATTERN : checks that most of the weight is below these callers.
check_chain()
{
	fold "$1" > folded
	now -s folded
	now "$(share "$2" folded)" -ge 80
}

@test "callers by frame pointers" {
	needs_recording
	needs_library libelf
	record -o out -- "$live/chain"
	check_chain out 'main;outer;middle;inner'
}

@test "callers in copies of the stack" {
	needs_recording
	needs_library libelf libdw
	[[ $(uname -m) =~ ^(x86_64|aarch64)$ ]] || skip "stacks of this machine are not unwound"
	record --call-graph dwarf,4096 -o out -- "$live/bare"
	check_chain out '_start;.*main;outer;middle;inner'
}

@test "no callers, if they are not wanted" {
	needs_recording
	needs_library libelf
	record --call-graph no -o out -- "$live/chain"
	check_chain out '^chain;inner [0-9]*$'
}

@test "a process that runs already, with its threads" {
	needs_recording
	needs_library libelf
	"$live/chain" 60 2 &
	until [ "$(find "/proc/$!/task" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]; do sleep 0.02; done
	record -d 1 -o out -p $!
	kill $!
	check_chain out 'outer;middle;inner'
	now "$("$BIN/collapse-perf" -q --root tid out | sed 's/[; ].*//' | sort -u | wc -l)" -ge 2
}

@test "children and threads of a command" {
	needs_recording
	needs_library libelf
	record -o out -- sh -c "'$live/chain' 1 2; '$live/chain' 1 1"
	check_chain out '^chain;.*outer;middle;inner'
}

# record_all OPTION... : records the machine, or skips the test if that is forbidden.
record_all()
{
	record "$@" -o try -d 0.01 -a 2> /dev/null || skip "the machine cannot be recorded here"
	record "$@"
}

@test "the whole machine, and one of its processors" {
	needs_library libelf
	"$live/chain" 60 1 &
	record_all -a -d 0.5 -o out || { kill $!; return 1; }
	record -C 0 -d 0.5 -o one
	kill $!
	fold out > folded
	grep -q '^chain;.*outer;middle;inner' folded
	now "$("$BIN/collapse-perf" -q --root cpu one | sed 's/[; ].*//' | sort -u)" = cpu-000
}

@test "a command is recorded with the machine until it ends" {
	needs_library libelf
	record_all -a -o out -- "$live/chain"
	fold out > folded
	grep -q '^chain;.*outer;middle;inner' folded
}

@test "samples start after --delay, with all names" {
	needs_recording
	needs_library libelf
	record -D 300 -d 0.5 -o out -- "$live/chain" 60 1
	check_chain out '^chain;.*main;outer;middle;inner'
}

@test "compressed records" {
	needs_recording
	needs_library libelf libzstd
	record -z --call-graph dwarf,8192 -o out -- "$live/chain"
	record --call-graph dwarf,8192 -o plain -- "$live/chain"
	now "$(stat -c %s out)" -lt $(($(stat -c %s plain) / 2))
	fold out > folded
	grep -q 'inner' folded
}

@test "several events, each with its rate" {
	needs_recording
	needs_library libelf
	record -e page-faults/period=1/,task-clock/freq=99/u -o out -- "$live/chain"
	"$BIN/collapse-perf" -q --event-frame --weight samples out > folded
	of_event cpu-clock < folded
	of_event page-faults/period=1/ < folded
	grep -q '^task-clock/freq=99/u;' folded
}

@test "a tracepoint, with its fields" {
	needs_library libelf
	record -e sched:sched_switch -o out -- sleep 0.1 2> why || skip "no tracepoints: $(cat why)"
	"$BIN/collapse-perf" -q --event-filter sched:sched_switch --trace-field prev_comm out > folded
	grep -q '^sleep;.*;sleep [0-9]*$' folded
}

@test "switches, for time on and off the processor" {
	needs_recording
	needs_library libelf
	record -e cpu-clock --switch-events -o out -- sh -c 'sleep 0.3'
	"$BIN/collapse-perf" -q --wall out > folded
	now "$(awk '{ all += $NF } END { print (all > 250000000) }' folded)" = 1
}

@test "buffers that may not be so large are smaller" {
	needs_recording
	[ "$(id -u)" != 0 ] || skip "root may lock any memory"
	record -m 512M -o out -- true
}

@test "lost records are reported, with the cure" {
	needs_recording
	run --separate-stderr "$BIN/record-perf" -e cpu-clock -m 1 -F max --call-graph dwarf,65528 \
		-o out -- "$live/chain"
	now "$status" -eq 0
	says "records were lost" "-m " "dwarf,BYTES"
}

# ---- perf reads it

# perf_reads FILE : checks that perf script prints the chain of most samples.
perf_reads()
{
	perf script --no-inline -i "$1" 2> messages |
		"$BIN/collapse-perf" -q --event-frame --weight samples | of_event cpu-clock > text
	[ -s text ] || { cat messages; return 1; }
	now "$(share 'main;outer;middle;inner' text)" -ge 80
	perf report --stdio -i "$1" 2> messages | grep -q ' inner'
}

@test "perf script and perf report read it" {
	needs_recording
	perf --version > /dev/null 2>&1 || skip "no perf"
	record -o fp -- "$live/chain"
	record -z -o packed -- "$live/chain"
	record -e cpu-clock,page-faults -o two -- "$live/chain"
	perf_reads fp
	perf_reads packed
	perf_reads two
}

@test "every perf of tools/perfs reads it" {
	needs_recording
	record -o fp -- "$live/chain"
	record --call-graph dwarf,4096 -o dwarf -- "$live/chain"
	"$BATS_TEST_DIRNAME/../../tools/perfs" > perfs
	[ "$(wc -l < perfs)" -gt 1 ] || skip "no other perfs: tools/perfs get"
	while read -r version path; do
		echo "perf $version"
		perf() { "$path" "$@"; }
		perf_reads fp
		perf_reads dwarf
	done < perfs
}
