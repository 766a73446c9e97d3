#!/usr/bin/env bats
# --wall and --weight latency of collapse-perf, and --wall of flame, on a program that
# computes, sleeps, waits for a lock and reads a pipe. It is recorded here and now, if
# perf may.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0
load libraries

setup_file()
{
	export live=$BATS_FILE_TMPDIR HOME=$BATS_FILE_TMPDIR PERF_CONFIG=/dev/null
	command -v gcc > /dev/null || return 0
	gcc -O1 -fno-omit-frame-pointer -o "$live/wall" \
		"$BATS_TEST_DIRNAME/../data/live/wall.c" -lpthread || return 1
	cd "$live" || return 1
	perf record -q -N -F 997 -e cpu-clock -g --switch-events -o switches.data ./wall \
		> /dev/null 2>&1 || rm -f switches.data
	perf record -q -N -e cpu-clock/freq=997/ -e sched:sched_switch -g --switch-events \
		-o tracepoint.data ./wall > /dev/null 2>&1 || rm -f tracepoint.data
	perf record -q -N -e cpu-clock/freq=997/ -e sched:sched_switch -g -a \
		-o machine.data ./wall > /dev/null 2>&1 || rm -f machine.data
}

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	cd "$live" || return 1
}

recorded()
{
	needs_library libelf
	[ -e "$1.data" ] || skip "perf cannot record $1 here"
	perf script --no-inline --ns --show-switch-events --show-task-events -i "$1.data" \
		> "$1.txt" 2> /dev/null
}

# sums_are_lifetimes NAME : checks each thread to within 2 %.
sums_are_lifetimes()
{
	"$BIN/collapse-perf" -q --wall --root tid "$1.data" > folded
	awk '
		# the last number before ")" is the new thread:
		# "PERF_RECORD_FORK(10:11):(10:10)" is about 11
		function tid(word) {
			sub(/\):.*/, "", word)
			sub(/.*:/, "", word)
			return word
		}
		FNR == NR {
			for (i = 1; i < NF && $i !~ /^[0-9]+\.[0-9]+:$/; i++) ;
			if ($0 !~ / PERF_RECORD_/ || $i + 0 == 0) next
			if (/PERF_RECORD_FORK/) start[tid($(i + 1))] = $i + 0
			if (/PERF_RECORD_COMM exec/ && !main) start[main = $(i - 1)] = $i + 0
			if (/PERF_RECORD_EXIT/) end[tid($(i + 1))] = $i + 0
			next
		}
		{
			thread = $1
			sub(/;.*/, "", thread)
			sub(/tid-/, "", thread)
			sum[thread] += $NF / 1e9
		}
		END {
			for (t in end) {
				life = end[t] - start[t]
				printf "%s: %.6f of %.6f s\n", t, sum[t], life
				threads++
				if (sum[t] < life * .98 || sum[t] > life * 1.02) exit bad = 1
			}
			if (threads != 5) exit 1
		}' "$1.txt" folded
}

# counted COMM PATTERN SECONDS : checks that stacks of that thread count at least that
# much.
counted()
{
	"$BIN/collapse-perf" -q --wall --root comm --root state "$name.data" |
		PATTERN="$2" awk -v comm="$1" -v least="$3" '
			index($0, comm ";") == 1 && $0 ~ ENVIRON["PATTERN"] { sum += $NF / 1e9 }
			END { print comm, ENVIRON["PATTERN"], sum; exit sum < least }'
}

# The checks hold whatever else the machine does meanwhile.
waits_and_runs()
{
	counted sleeper '^sleeper;(sleep|waiting);.*_\[o\] ' .29
	counted computer '^computer;running;.*;compute' .15
	counted wall '^wall;(sleep|waiting);.*_\[o\] ' .39
	! "$BIN/collapse-perf" -q --wall --root state "$name.data" | grep '^running.*_\[o\] '
	! "$BIN/collapse-perf" -q --wall --root state "$name.data" | grep -v '^running\|_\[o\] '
}

# same_in_text OPTIONS... : checks that text and recording agree, except for the classes
# of differences.awk.
same_in_text()
{
	local options
	for options; do
		# shellcheck disable=SC2086 # words
		"$BIN/collapse-perf" -q $options "$name.txt" > text
		# shellcheck disable=SC2086
		"$BIN/collapse-perf" -q $options "$name.data" > recording
		awk -v name="$name" -f "$BATS_TEST_DIRNAME/differences.awk" text recording
	done
}

wall=(--wall '--wall --root comm --root tid --root state' '--wall --ignore-idle --kernel')

@test "--wall: with --switch-events, the sums are the lifetimes of threads" {
	recorded switches
	sums_are_lifetimes switches
}

@test "--wall: with --switch-events, known times come out, of text and recording" {
	name=switches
	recorded $name
	waits_and_runs
	same_in_text "${wall[@]}"
}

@test "--wall: with sched:sched_switch, the sums are the lifetimes of threads" {
	recorded tracepoint
	sums_are_lifetimes tracepoint
}

@test "--wall: with sched:sched_switch, known times come out, of text and recording" {
	name=tracepoint
	recorded $name
	waits_and_runs
	counted sleeper ';sleep;.*nanosleep.*_\[o\] ' .29
	same_in_text "${wall[@]}"
}

@test "--wall: sched:sched_switch alone is enough for a whole machine" {
	name=machine
	recorded $name
	waits_and_runs
}

# It checks slices that the thread existed for entirely, whether it ran or waited.
@test "--wall: each slice has the thread's whole time" {
	recorded switches
	"$BIN/collapse-perf" -q --wall --root tid --slice 10ms switches.data | grep '^@' > sliced
	awk -F '[; ]' '
		{ sum[$2, $1] += $NF; if (!($2 in first)) first[$2] = $1; last[$2] = $1 }
		END {
			for (key in sum) {
				split(key, part, SUBSEP)
				if (part[2] == first[part[1]] || part[2] == last[part[1]]) continue
				slices++
				# before the first switch, a sample counts in the slice
				# that it was taken in
				if (sum[key] != 10000000) odd++
			}
			print slices " slices, odd: " odd + 0
			exit slices < 60 || odd > slices / 20
		}' sliced
}

# shares FIELD : prints the share of each value of FIELD, a frame of the stack, in the
# sum.
shares()
{
	awk -F '[; ]' -v field="$1" '
		{ sum[$field] += $NF; all += $NF }
		END { for (key in sum) printf "%s %.2f\n", key, 100 * sum[key] / all }' | sort
}

@test "--weight latency: text and recording give the same" {
	name=switches
	recorded $name
	same_in_text '--weight latency' '--weight latency --root parallelism --root tid' \
		'--root parallelism --root comm'
}

@test "--weight latency: shares are those of perf report --latency" {
	recorded switches
	perf report --latency --stdio --no-children -g none -s parallelism \
		-i switches.data > perf.txt 2> /dev/null ||
		skip "this perf has no report --latency"
	# a line looks like "54.41% 70.48% 2"
	sed -n 's/^ *\([0-9.]*\)% *[0-9.]*% *\([0-9]*\) *$/\2 \1/p' perf.txt | sort > perf
	[ -s perf ]
	"$BIN/collapse-perf" -q --weight latency --root parallelism switches.data |
		sed 's/^parallelism-0*//' | shares 1 > own
	paste -d ' ' perf own | awk '
		{ print }
		NF != 4 || $1 != $3 || $2 - $4 > .02 || $4 - $2 > .02 { exit 1 }'
}

@test "flame --wall records and draws wall-clock time" {
	needs_library libelf
	[ -e wall ] || skip "no gcc"
	needs_recorder
	run --separate-stderr "$BIN/flame" --wall --folded folded -o wall.svg -- ./wall
	[ "$status" -eq 0 ]
	[[ $stderr == *'Time: '*' % on a processor, '*' % waiting'* ]]
	grep -q '^computer;.*;compute' folded
	grep -q '^sleeper;.*_\[o\] ' folded
	grep -q '% waiting</text>' wall.svg
}
