#!/usr/bin/env bats
# flame: recordings, failures, comparisons, signals.
# shellcheck disable=SC2154,SC2016,SC2317,SC2030 # of bats, quoted scripts, functions for try
bats_require_minimum_version 1.5.0
load manners
load libraries
load flame

# ---- a recording

@test "flame: a picture, and the messages about it" {
	try flame true
	now "$status" -eq 0
	now -z "$output"
	draws flamegraph.svg
	[[ $stderr == 'flame: callers are found '*'
flame: flamegraph.svg
flame: Recorded: '*', 7 samples, in '*'
flame: '* ]]
	says
	collapse-perf --header --recursion unknown "$DATA/frames.data" | diff - drawn
	[[ $(cat drawn) == *'# unit: ns'* ]]
	try flame -q true
	now -z "$stderr"
}

@test "flame: the summary is a short digest of what is drawn" {
	digest() { report-folded --digest --max-lines 11 -n 5 "$1" | sed '/./!d; s/^/flame: /'; }
	stand_in collapse-perf <<'END'
cat > /dev/null
printf '%s\n' '# unit: ns' 'a;x y 10' 'a;b 20' 'b;c;x y 30' 'a;Thread 7; 5' 'a;e 4' '# b;f 6' 'a;g 5'
END
	try flame true
	flamegraph --extract flamegraph.svg > drawn
	now "$(sed -n '/^flame: flamegraph.svg$/,$p' <<< "$stderr")" = "flame: flamegraph.svg
$(digest drawn)"
	said '    50       50  x y' '     6        6  Thread 7'
	now "$(grep -c '^flame:' <<< "$stderr")" -le 12
	printf 'a;Thread 7; 20\na;g 80\n' > old
	stand_in collapse-perf <<< 'cat > /dev/null; printf "a;Thread 7; 50\\na;g 50\\n"'
	try flame --diff old true
	flamegraph --extract diff.svg > both
	now "$(sed -n '/^flame: diff.svg$/,$p' <<< "$stderr")" = "flame: diff.svg
$(digest both)"
	said '  Thread 7, self 20.0 % → 50.0 %'
	stand_in collapse-perf <<'END'
cat > /dev/null
case $(grep -c . "$AT/calls") in
*[13579]) printf '%s\n' '# unit: ns' 'a;Thread 7; 50' '# b;c 50' ;;
*) printf '%s\n' '# unit: ns' 'a;Thread 7; 30' '# b;c 70' ;;
esac
END
	echo > calls
	try flame compare true true
	said '200 ns → 200 ns (×1.00)' '  Thread 7, self 50.0 % → 30.0 %' '  c, self 50.0 % → 70.0 %'
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
	sed -i 's/frames.data out/pipe.stream out/' own/record-perf
	try flame true
	now "$status" -eq 0
	said ', 3 samples' 'collapse-perf: 3 samples kept, 5 ignored' "ignored 'cpu-clock:u'"
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
	try flame -v -d 0.1 sh -c 'kill $$' # like at the end of the time
	now "$status" -eq 0
	said ' -d 0.1 '
	try flame -d 9 sh -c 'exit 7'
	now "$status" -eq 7
	try flame sh -c 'exit 124'
	now "$status" -eq 124
	printf '#!/bin/sh\nexit 7\n' > it
	chmod +x it
	stand_in_perf
	try flame -c 'record -g -- ./it'
	now "$status" -eq 7
	said "flame: the command's exit status is 7"
}

@test "flame: if the recorder fails in the middle, its status is not the command's" {
	local how
	stand_in collapse-perf <<< 'cat > /dev/null; echo "collapse-perf: cut short, or perf record was killed" >&2; echo "a;b 1"'
	for how in '' -q '--keep-data x.data' '-q --keep-data x.data'; do
		# the recorder's own status if the disk is full
		# shellcheck disable=SC2086
		try flame $how sh -c 'exit 255'
		now "$status" -eq 1
		said 'flame: record-perf failed while it recorded, so only what came before is known: is the disk full?'
		said_not "the command's exit status"
		[ -s flamegraph.svg ]
	done
	try flame sh -c 'exit 137'
	said 'only what came before is known: signal 9 ended it'
	said_not 'the command was ended'
	try flame true
	now "$status" -eq 0
	said_not 'failed while'
	try flame --ignore-status sh -c 'exit 255'
	now "$status" -eq 0
	stand_in collapse-perf <<'END'
grep -q . || { echo 'the input is empty' >&2; exit 1; }
echo 'collapse-perf: cut short, or perf record was killed' >&2
exit 1
END
	try flame -q sh -c 'exit 255'
	now "$status" -eq 1
	said 'flame: record-perf failed while it recorded'
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
	stand_in_perf
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

@test "flame: kept recordings and folded stacks" {
	flame -q --keep-data 'a b.data' --folded 'a b.folded' -o 'a b.svg' true
	cmp "$DATA/frames.data" 'a b.data'
	collapse-perf --header --recursion unknown 'a b.data' | cmp - 'a b.folded'
	flamegraph --extract 'a b.svg' | cmp - 'a b.folded'
	stand_in_perf
	flame -q -c 'record -o c.data' true
	cmp "$DATA/frames.data" c.data
}

@test "flame: --root records with sudo" {
	stand_in sudo <<'END'
echo "sudo $*" >> "$AT/calls"
while :; do case $1 in -*) shift ;; *) break ;; esac; done
exec "$@"
END
	ln -s sudo bin/doas
	try flame --root -v sh -c 'echo out; exit 4'
	now "$status" -eq 4
	now "$output" = out
	said "sudo $PWD/own/record-perf " ' -o "$tmp/perf.data" -- sh -c ' "sudo $PWD/own/collapse-perf "
	draws flamegraph.svg
	try flame --root=-E -v -a -d 1
	said "sudo -E $PWD/own/record-perf "
	try flame --root=doas -v -a -d 1
	said "doas $PWD/own/record-perf "
	rm calls flamegraph.svg
	try flame --root=no-sudo true
	stops 1 'no-sudo is not here: be root, or see --root=COMMAND'
	stand_in sudo <<< 'echo "sudo: a password is required" >&2; exit 1'
	try flame --root true
	now "$status" -eq 1
	said 'a password is required' 'flame: sudo does not let you be root'
}

@test "flame: --off-cpu" {
	stand_in sudo <<< 'exec "$@"' # so that anybody may read the tracepoint
	try flame -v --root --off-cpu true
	said 'from one sched:sched_switch to the next' '-e sched:sched_switch --switch-events' \
		' --off-cpu -v --header --recursion unknown' '--colors io'
	said_not ' -F '
	stand_in collapse-perf <<< 'cat > /dev/null
		printf "%s\\n" "# event: sched:sched_switch" "a;read;io_schedule;__schedule 6" "a;schedule 2" "a;poll;schedule_timeout 2"'
	try flame --root --off-cpu -a
	said '    60       60  read' '    20       20  poll' '    20       20  schedule'
	stand_in_perf
	try flame -v --root --perf --off-cpu -a --call-graph dwarf,4096
	said '-e sched:sched_switch' # as BPF finds callers by frame pointers only
	try flame -v --perf --off-cpu true
	said ' --call-graph fp --off-cpu ' '--event-filter offcpu-time' '--colors io'
	said_not '-e sched:sched_switch'
}

@test "flame: --wall" {
	# anybody may read the tracepoint, if there is one
	stand_in sudo <<- 'END'
		case "$*" in
		'cat '*/sched_switch/id) exec cat "$AT/id" ;;
		'cat '*) exec cat "$AT/tracing" ;;
		esac
		exec "$@"
	END
	try flame -v --root --wall -a
	said 'record-perf -F ' ' -e cpu-clock --switch-events ' ' --wall --kernel -v --header' '--colors java' \
		'below what ran before and after it: its tracepoints are not mounted: mount -t tracefs '
	echo 'the format of events' > tracing
	try flame -v --root --wall -a
	said 'below what ran before and after it: this kernel has no tracepoint sched:sched_switch'
	echo 314 > id
	try flame -v --root --wall --ignore-idle --call-graph fp -a
	said ' -e cpu-clock/freq=997/ -e sched:sched_switch --switch-events' '--ignore-idle'
	said_not 'record-perf -F' 'below what ran'
	try flame -v --root --wall --call-graph fp -F 99 -a
	said ' -e cpu-clock/freq=99/ -e sched:'
	try flame -v --wall -e cycles -a
	said ' -e cycles --switch-events'
	said_not sched_switch
	stand_in_perf
	try flame -v --wall -c 'record -g --switch-events' true
	said 'record -g --switch-events -o ' ' --wall --kernel '
	try flame -v --wall --perfdata "$DATA/frames.data"
	said ' --wall --kernel -v'
	stand_in collapse-perf <<< 'cat > /dev/null
		printf "%s\n" "a;read;schedule_[k];__schedule_[o] 6" "a;f;[waiting]_[o] 1" "a;f_[k] 3"'
	try flame --root --wall -a
	said '    60       60  read' '    30       30  f' '    10       10  [waiting]' 'by module: waiting 70 %'
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

# ---- failures

@test "flame: nothing was recorded" {
	touch fails
	echo old > flamegraph.svg
	for how in '' '--keep-data x.data'; do
		echo old > x.data
		# shellcheck disable=SC2086
		try flame $how true
		now "$status" -eq 1
		said 'no luck' 'flame: nothing was recorded: record-perf failed, with exit status 255'
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
	ln -sf "$BIN/collapse-perf" own
	try flame --post-process false true
	now "$status" -eq 1
	said "flame: there is no picture: 'false' failed"
}

@test "flame: a filter that fails does not end the recording" {
	yes | head -c 300000 > big
	sed -i 's/^data=.* out=/data=$AT\/big out=/' own/record-perf
	fails_late 'collapse-perf: no luck'
	try flame -- true
	now "$status" -eq 1
	[ ! -e broken ]
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

@test "flame: a stage that a signal kills" {
	local how
	for how in "--perfdata=$DATA/frames.data" true; do
		echo old > flamegraph.svg
		try flame --post-process 'kill -9 $$' "$how"
		now "$status" -eq 1
		said "flame: there is no picture: 'kill -9 \$\$' failed"
		now "$(cat flamegraph.svg)" = old
	done
}

@test "flame: a full disk: the picture stays as it was, and the command runs to its end" {
	[ -c /dev/full ] || skip "no /dev/full"
	echo old > flamegraph.svg
	try flame --post-process 'cat > /dev/full' sh -c 'sleep 0.2; touch ran'
	now "$status" -eq 1
	said "flame: there is no picture: 'cat > /dev/full' failed"
	[ -e ran ]
	now "$(cat flamegraph.svg)" = old
}

@test "flame: a folder for temporary files in which none can be created" {
	printf '#!/bin/sh\ntouch ran\n' > it
	chmod +x it
	TMPDIR=$PWD/no-such try flame ./it
	stops 1 "flame: no folder can be made in $PWD/no-such: set TMPDIR to another folder"
	[ ! -e ran ]
}

# ---- comparisons

@test "flame: compare" {
	cp bin/true old
	printf '#!/bin/sh\nexit 3\n' > new
	chmod +x new
	try flame compare --runs 3 './old x' './new "y  z"'
	now "$status" -eq 3
	[ "$(grep -c 'record-perf.*./old x$' calls)" -eq 3 ]
	[ "$(grep -c 'record-perf.*./new y  z$' calls)" -eq 3 ]
	said 'flame: run 3 of 3' './new "y  z": exit status 3' 'flame: diff.svg: ./old x and ./new' \
		'flame: Recorded: 525 ms → 525 ms of cpu-clock:u (×1.00)' 'all of 3 runs; those of the first differ by 0.0 %'
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
	said 'flame: The total has changed by -47.5 %. It is not known how much of all this is noise (--sample-weight):
flame:   -48.2 %  x, self 73.2 % → 47.6 %
flame:   +25.0 %  z, self 0.0 % → 47.6 %
flame:   -24.4 %  y, self 24.4 % → 0.0 %
flame: that is all of 2 runs; those of the first differ by 0.0 %, of the second by 0.0 %'
}

@test "flame: a difference has the recorded totals, and the significant changes" {
	stand_in collapse-perf <<END
cat > /dev/null
echo '# event: cpu-clock' '# unit: ns' '# sample-weight: 1000000' | sed 's/ # /\n# /g'
case \$(cat "\$AT/work") in
once) printf '%s\n' 'a;f 200000000' 'a;g 104000000' 'a;h 30000000' ;;
thrice) printf '%s\n' 'a;f 600000000' 'a;g 350000000' 'a;h 127000000' ;;
other) printf '%s\n' 'a;f 100000000' 'a;g 104000000' 'a;new 130000000' ;;
esac
END
	echo once > work
	flame -q -o old.svg true
	echo thrice > work
	try flame --diff old.svg true
	said 'flame: Recorded: 0.334 s → 1.077 s of cpu-clock (×3.2), 334 and 1,077 samples' \
		'flame: No function changed by more than noise. All grew alike, by 222.5 %'
	grep -q 'Before → after: 0.334 s → 1.077 s of cpu-clock (×3.2); shares are compared<' diff.svg
	said_not ', self '
	echo other > work
	try flame --diff old.svg true
	said '  new, self 0 % → 39 %' '  f, self 60 % → 30 %' '  h, self 9 % → 0 %'
	said_not '  g, self'
	stand_in true <<< 'if [ "${1:-}" = more ]; then echo thrice; else echo once; fi > "$AT/work"'
	try flame compare true 'true more'
	said 'flame: Recorded: 0.668 s → 2.154 s of cpu-clock (×3.2), 668 and 2,154 samples' 'All grew alike'
}

# ---- signals

# Makes a record-perf that records until it gets a signal.
patient_recorder()
{
	stand_in record-perf <<'END'
case " $* " in *' -F 199 '*) exit ;; esac # the first look
[ -n "${again:-}" ] || again=1 exec env --default-signal=INT "$0" "$@"
exec 5>&1
case " $* " in *' -o /dev/fd/3 '*) exec 5>&3 ;; esac
trap 'cat "$DATA/frames.data" >&5; trap - INT; kill -INT $$' INT
trap 'cat "$DATA/frames.data" >&5; exit 143' TERM HUP QUIT
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
	export session=$! # teardown() in flame.bash kills what is left of it
	while [ ! -e recording ] && [ $((waited += 1)) -lt 300 ]; do sleep 0.1; done
	kill -s "$signal" -- "${group:+-}$!"
	wait $! && status=0 || status=$?
	stderr=$(cat err) output=$(cat out)
}

@test "flame: Ctrl-C ends the recording, not the picture" {
	patient_recorder
	signalled INT flame -a
	now "$status" -eq 0
	said ', 7 samples'
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
	patient_recorder
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
	patient_recorder
	for row in TERM=143 QUIT=131; do
		rm -f recording flamegraph.svg
		signalled "${row%=*}" flame -a
		now "$status" -eq "${row#*=}"
		said ', 7 samples'
		draws flamegraph.svg
	done
}

@test "flame: Ctrl-C during a comparison ends it" {
	patient_recorder
	signalled INT flame compare true true
	now "$status" -eq 130
	[ ! -e diff.svg ]
}

@test "flame: a line shows how long it records" {
	command -v script > /dev/null || skip "no script"
	script -qec true /dev/null > /dev/null 2>&1 || skip "script is another one"
	sed -i 's/^status=0/sleep 2; status=0/' own/record-perf
	TERM=xterm script -qec "flame -a" /dev/null < /dev/null > screen
	grep -q 'flame: 1 s' screen
	TERM=xterm script -qec "flame true" /dev/null < /dev/null > screen
	run ! grep -q 'flame: 1 s' screen
	TERM=xterm script -qec "flame -v true" /dev/null < /dev/null > screen
	grep -q -e '-o /dev/fd/3 -- true 3>&1 ' screen
}

# ---- record-perf itself

@test "flame: record-perf: a picture has the same stacks as the pipeline by hand" {
	real_recorder
	compile -fno-omit-frame-pointer -o it
	flame --keep-data it.data ./it
	collapse-perf it.data > by-hand
	flamegraph --extract flamegraph.svg | grep -v '^#' | diff by-hand -
	grep -q '^it;.*main;one ' by-hand
}

@test "flame: record-perf: through the pipe" {
	real_recorder
	compile -fno-omit-frame-pointer -o it
	echo in > in
	try flame -e cpu-clock sh -c 'cat; ./it; exit 6' < in
	now "$status" -eq 6
	now "$output" = in
	said 'flame: flamegraph.svg' ' samples' '  one'
	flamegraph --extract flamegraph.svg | grep -q '^it;.*main;two '
}

@test "flame: record-perf: Ctrl-C" {
	real_recorder
	signalled INT flame -e cpu-clock sh -c 'touch recording; while :; do :; done'
	now "$status" -eq 130
	flamegraph --extract flamegraph.svg | grep -q '^sh;'
	rm recording
	signalled TERM flame -e cpu-clock sh -c 'touch recording; while :; do :; done'
	now "$status" -eq 143
}

@test "flame: record-perf: a process, and the machine" {
	real_recorder
	sh -c 'while :; do :; done' 3>&- &
	flame -e cpu-clock -p $! -d 0.5 -o process.svg
	flame -e cpu-clock -a -d 0.5 -o machine.svg || skip "the machine may not be recorded"
	kill $!
	flamegraph --extract process.svg | grep -q '^sh;'
	flamegraph --extract process.svg > drawn
	run ! grep -v -e '^sh;' -e '^#' drawn
	flamegraph --extract machine.svg | grep -q '^sh;'
}
