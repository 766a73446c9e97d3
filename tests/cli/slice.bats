#!/usr/bin/env bats
# Slices of time: those of the collapsers add up to the profile, and all programs read
# them.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0

setup()
{
	load manners
	load libraries
	cd "$BATS_TEST_TMPDIR" || return
	tests=$BATS_TEST_DIRNAME/..
}

# capture NAME : unpacks the text of a recording of tests/data.
capture()
{
	xz -dc "$tests/data/$1.perf.txt.xz" > "$1.txt"
}

# slices_add_up WIDTH FORMAT FILE : checks it if the format has times.
slices_add_up()
{
	"$BIN/collapse-$2" -q "$3" > plain 2> /dev/null || return 0
	"$BIN/collapse-$2" -q --slice "$1" "$3" > sliced 2> messages || {
		grep -aq "no sample has a time" messages && return
		echo "$3: $(cat messages)" >&2
		return 1
	}
	grep -av '^# s[lt]a' sliced | sed 's/ [0-9]*$//' | LC_ALL=C sort -c || return
	grep -av '^# s[lt]a' sliced | sed 's/^@[0-9.]*;//' | "$BIN/filter-folded" -q > sum 2> /dev/null
	"$BIN/filter-folded" -q plain 2> /dev/null | cmp - sum
}

@test "the slices of a recording add up to its profile" {
	for name in before kernel multi-event off-cpu opt-no-time opt-reltime java pipe; do
		capture $name
		slices_add_up 20ms perf $name.txt
	done
	needs_library libelf
	for file in "$tests"/data/perfdata/*.data; do
		slices_add_up 1ms perf "$file"
	done
}

# It takes one in twenty of perf's goldens, or all with CHECK=all.
@test "the slices of a golden input add up to its profile" {
	for format in perf jfr firefox cpuprofile chrome; do
		every=1
		[ $format != perf ] || [ "${CHECK:-}" = all ] || every=20
		find "$tests/golden/collapse-$format" -name 'input*' -type f ! -name '*.xz' -print |
			LC_ALL=C sort | awk -v every=$every 'NR % every == 0' |
			while read -r file; do
				slices_add_up 1ms $format "$file" || echo "$format: $file"
			done > wrong
		[ ! -s wrong ] || {
			cat wrong >&2
			return 1
		}
	done
}

# Late samples have lines of their own, and every reader adds them up.
@test "--every writes the same slices as --slice" {
	for name in before kernel multi-event off-cpu java pipe; do
		capture $name
	done
	for file in ./*.txt "$tests"/data/perfdata/*.data; do
		for width in 1ms 1s; do
			"$BIN/collapse-perf" -q --slice $width "$file" > whole 2> messages || continue
			"$BIN/collapse-perf" -q --every $width "$file" > parts
			# --every cannot know how many digits the last slice will need
			"$BIN/filter-folded" -q parts | sed 's/^@000/@/' | cmp - whole
		done
	done
}

# samples TIME... : prints text of perf script
samples()
{
	printf 'app 1 %s: 5 cycles:\n\t1 main (/bin/app)\n\n' "$@"
}

# eventually COMMAND... : waits up to ten seconds until it succeeds
eventually()
{
	for _ in {1..100}; do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

ended()
{
	! kill -0 "$1" 2> /dev/null
}

@test "a slice is written when the first sample of a later one comes" {
	mkfifo pipe
	"$BIN/collapse-perf" --every 1s pipe > out &
	exec 4> pipe
	samples 1.0 1.5 2.1 >&4
	eventually test -s out
	cp out first
	exec 4>&-
	wait $!
	diff first - << 'EOF'
# slice: 1s
@00000000.000;app;main 10
EOF
	[ "$(sed 1,2d out)" = '@00000001.000;app;main 5' ]
}

@test "the first interrupt lets --every read on, the second ends it" {
	env --default-signal=INT true 2> /dev/null || skip "env knows no --default-signal"
	mkfifo pipe
	for kills in 1 2; do
		env --default-signal=INT "$BIN/collapse-perf" --every 1s pipe > out &
		exec 4> pipe
		samples 1.0 2.0 >&4
		eventually test -s out
		kill -INT $!
		if [ $kills = 2 ]; then
			sleep 0.2
			kill -INT $!
			eventually ended $!
		fi
		exec 4>&-
		status=0
		wait $! || status=$?
		[ "$status" = $((kills == 2 ? 130 : 0)) ]
		[ "$(grep -c @ out)" = $((3 - kills)) ]
	done
}

@test "--every stops reading if it cannot write" {
	[ -e /dev/full ] || skip "/dev/full is missing"
	mkfifo pipe
	"$BIN/collapse-perf" --every 1s pipe > /dev/full 2> messages &
	exec 4> pipe
	samples 1.0 2.0 3.0 > text
	cat text >&4 || true
	eventually ended $!
	exec 4>&-
	status=0
	wait $! || status=$?
	[ "$status" = 1 ]
	[ "$(cat messages)" = "collapse-perf: (standard output): cannot write: No space left on device" ]
}

# A sample exactly at the end is in --time, and in the slice that starts then.
@test "a range of slices is what --time takes from the recording" {
	for name in before after node; do
		capture $name
		"$BIN/collapse-perf" -q --slice 20ms $name.txt > sliced
		for range in "0 0.02" "0.5 1" "1 2" "2.5 9"; do
			read -r from to <<< "$range"
			"$BIN/filter-folded" -q --from "$from" --to "$to" --no-slice sliced > part
			"$BIN/collapse-perf" -q --time "+${from}s,+${to}s" $name.txt > wanted || true
			diff wanted part
		done
	done
}

@test "filter-folded makes the same wider slices as the collapser" {
	capture before
	"$BIN/collapse-perf" -q --slice 20ms before.txt | "$BIN/filter-folded" --slice 100ms > wider
	"$BIN/collapse-perf" -q --slice 100ms before.txt | diff - wider
	"$BIN/filter-folded" --no-slice wider | diff - <("$BIN/collapse-perf" -q before.txt)
}

@test "several recordings share one clock, in any order" {
	printf '%s\n' '# slice: 20ms' '# start: 2026-11-23T14:05:00Z' '@00000.000;a;b 1' '@00000.040;a;c 2' > one
	printf '%s\n' '# slice: 20ms' '# start: 2026-11-23T14:04:59.985Z' '@00000.000;a;b 4' > two
	printf '%s\n' '# slice: 20ms' '# start: 2026-11-23T14:05:01Z' '@00000.020;a;b 8' > three
	"$BIN/filter-folded" one two three > wanted
	grep -qx '# start: 2026-11-23T14:04:59.985000000Z' wanted
	grep -qx '@00000.020;a;b 1' wanted
	"$BIN/filter-folded" three one two | diff wanted -
	cat two three one | "$BIN/filter-folded" | diff wanted -
	"$BIN/filter-folded" <("$BIN/filter-folded" two three) one | diff wanted -
	"$BIN/filter-folded" wanted | diff wanted -
}

@test "programs add slices up, but not by their older names" {
	capture before
	"$BIN/collapse-perf" -q --slice 20ms before.txt > sliced
	"$BIN/collapse-perf" -q before.txt > plain
	"$BIN/flamegraph" --heatmap none sliced | cmp - <("$BIN/flamegraph" plain)
	"$BIN/flamegraph" --compat=perl sliced | grep -qF '@00000.020'
	"$BIN/flamegraph" --compat=inferno sliced | grep -qF '@00000.020'
	"$BIN/report-folded" sliced | diff - <("$BIN/report-folded" plain)
	"$BIN/diff-folded" sliced plain | diff - <("$BIN/diff-folded" plain plain)
	"$BIN/diff-folded" --compat=inferno sliced plain | grep -qF '@00000.020'
}

@test "other tools may sort and choose lines of a profile with slices" {
	capture before
	"$BIN/collapse-perf" -q --slice 20ms before.txt > sliced
	LC_ALL=C sort sliced | diff sliced -
	grep -v ';malloc' sliced > chosen
	"$BIN/filter-folded" chosen | diff chosen -
	shuf --random-source=sliced sliced | grep -v '^#' | cat <(grep '^#' sliced) - | "$BIN/filter-folded" | diff sliced -
}

@test "formats without times refuse --slice" {
	for program in "$BIN"/collapse-*; do
		name=${program##*/}
		case $name in
		collapse-perf | collapse-jfr | collapse-firefox | collapse-cpuprofile | collapse-guess) continue ;;
		collapse-chrome | collapse-speedscope | collapse-stackprof | collapse-xctrace | collapse-otlp) continue ;;
		esac
		run -2 "$program" --slice 20ms /dev/null
		[[ $output == "$name: --slice needs the times of samples, which $name does not read from "* ]]
		run -0 "$program" --help
		[[ $output != *--slice* ]]
	done
}

# Before the first record that says it is scheduled in, the thread has no known time.
@test "--wall --slice: slices start with the first event, not with the clock" {
	printf '%s\n' 'app 41 100.500000000: PERF_RECORD_SWITCH IN' \
		'app 41 100.501000000: 1003009 cpu-clock: ' '	55d0c0ffee10 main+0x1 (/usr/bin/app)' '' \
		'app 41 100.502000000: PERF_RECORD_SWITCH OUT' > wall.txt
	"$BIN/collapse-perf" -q --wall --slice 100ms wall.txt | grep -x '@00000.000;app;main 2000000'
}

# picture_gives_back FILE : checks all slices, and a range of them as --time names it
picture_gives_back()
{
	"$BIN/collapse-perf" -q --slice 20ms "$1" > sliced || return
	"$BIN/flamegraph" -q --data-limit 0 sliced > it.svg || return
	"$BIN/flamegraph" --extract it.svg > again || return
	grep '^# s[lt]a' sliced | cmp - <(grep '^# s[lt]a' again) || return
	cmp <(grep -v '^#' sliced) <(grep -v '^#' again) || return
	"$BIN/filter-folded" -q --from 0.1 --to 0.4 --no-slice sliced > range 2> /dev/null || return 0
	"$BIN/flamegraph" --extract --from 100ms --to 0.4 it.svg > part || return
	cmp <(grep -v '^#' range) <(grep -v '^#' part)
}

@test "a picture returns its slices, or a range of them" {
	for name in before kernel multi-event java; do
		capture $name
		picture_gives_back $name.txt || {
			echo "$name" >&2
			return 1
		}
	done
}

@test "--from and --to of flamegraph need slices" {
	echo 'a;b 200' | "$BIN/flamegraph" > plain.svg
	run ! "$BIN/flamegraph" --extract --from 1 plain.svg
	[[ $output == *"no slices of time"* ]]
	run ! "$BIN/flamegraph" --extract --from 2 --to 1 plain.svg
	[[ $output == *"--from has to be before --to"* ]]
	run ! "$BIN/flamegraph" --extract --from soon plain.svg
	[[ $output == *"--from takes a time"* ]]
}

@test "each file and recording keeps its own slices" {
	printf '# slice: 1s\n# start: 2026-11-23T14:05:00Z\n@00000.000;a;Thread 7 500\n' > before
	printf '# slice: 1s\n# start: 2026-11-23T15:05:00Z\n@00000.000;a;b 500\n' > after
	"$BIN/flamegraph" -q before after > picture.svg
	"$BIN/flamegraph" -q --extract picture.svg > out
	printf '%s\n' '# slice: 1s' '# start: 2026-11-23T14:05:00.000000000Z' \
		'@00000.000;a;Thread 7; 500' '@03600.000;a;b 500' | diff - out
	printf '@00001.000;c 500\n' > without
	"$BIN/flamegraph" -q after without | grep -q '<title>@00001\.000 (500 samples'
	"$BIN/report-folded" --format tsv after without | grep -q 'x4000001\.000'
}
