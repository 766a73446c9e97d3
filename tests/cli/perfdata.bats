#!/usr/bin/env bats
# The reader in collapse/formats/perf/data finds in the recordings of
# tests/data/perfdata what perf script prints of them.
load libraries

setup()
{
	needs_library libelf
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	tool=$BIN/../tests/tools/perfdata-text
	data=tests/data/perfdata
	set -o pipefail # what the sanitizers find is an exit status
}

# succeeds : checks that the last program did.
succeeds()
{
	[ "$status" -eq 0 ] || {
		echo "exit status $status"
		echo "$output"
		return 1
	}
}

# same NAME [FIELD...] : checks that a recording reads like perf's text, with spaces
# squeezed.
same()
{
	"$tool" -c "$data/cache" "$data/$1" | sed 's/  */ /g' > "$BATS_TEST_TMPDIR/got"
	diff "$data/$1.txt" "$BATS_TEST_TMPDIR/got"
}

@test "perfdata: frames have the names that perf prints" { same frames.data; }
@test "perfdata: frames of a child have names" { same fork.data; }
@test "perfdata: compressed records are read" { needs_library libzstd; same zstd.data; }
@test "perfdata: samples with many fields are read" { same fields.data; }
@test "perfdata: several events are read" { same events.data; }
@test "perfdata: build ids in the records are used" { same mmap-ids.data; }
@test "perfdata: a stream is read" { same pipe.stream; }
@test "perfdata: a stream of compressed records is read" { needs_library libzstd; same pipe-z.stream; }

@test "perfdata: callers are found in copies of stacks" {
	needs_library libdw
	run "$tool" -c "$data/cache" "$data/stacks.data"
	succeeds
	same stacks.data
}

# perf 6.1 asks binutils, which name a lambda after the function that it is inlined
# into.
@test "perfdata: inlined functions are those that perf prints" {
	needs_library libdw
	run "$tool" -i -c "$data/cache" "$data/inlines.data"
	succeeds
	sed 's/  */ /g; s/ operator()\(+.*\) (inlined)/ work\1 (\/tmp\/flamepipe-data\/perfdata\/loom)/' \
		<<< "$output" > "$BATS_TEST_TMPDIR/got"
	diff <(sed '$d' "$data/inlines.data.txt") "$BATS_TEST_TMPDIR/got"
	[[ $output == *"operator()"* ]]
}

@test "perfdata: samples without call chains are read" {
	"$tool" -c "$data/cache" "$data/flat.data" | sed 's/^/ /; s/  */ /g' > "$BATS_TEST_TMPDIR/got"
	diff "$data/flat.data.txt" "$BATS_TEST_TMPDIR/got"
}

@test "perfdata: a file may come through a pipe" {
	tail -c +1 "$data/frames.data" | "$tool" -c "$data/cache" | sed 's/  */ /g' > "$BATS_TEST_TMPDIR/got"
	diff "$data/frames.data.txt" "$BATS_TEST_TMPDIR/got"
}

@test "perfdata: without the binary there are no names, and a message says so" {
	run "$tool" -c /nonexistent "$data/frames.data"
	[ "$status" -eq 0 ]
	[[ $output == *"/mill was not found, so its functions have no names"* ]]
	[[ $output != *Wheel* ]]
}

@test "perfdata: symbols in simpleperf's recording win over files here" {
	local form chain="start_here;mill::Wheel::turn;com.mill.Main.run;com.mill.Stone.grind;el0_svc;listed;wlan_poll;vfs_read"
	for form in fields messages; do
		run "$BIN/collapse-perf" "$data/simple/$form.data"
		[ "$status" -eq 0 ]
		[ "$output" = "collapse-perf: $data/simple/$form.data: /vendor/lib64/libplain.so was not found, so its functions have no names (2 samples)
mill;start_here;[libplain.so] 500000
mill;$chain 250000" ]
	done
}

# made NAME : folds a recording of made/ by event and thread, with --strict.
made()
{
	run "$BIN/collapse-perf" -q --strict --root=tid --event-filter='*' --event-frame "$data/made/$1"
}

@test "collapse-perf: threads that inherit a counter count by themselves" {
	made threads.data
	[ "$status" -eq 0 ]
	[ "$output" = "cpu-clock;tid-5;[mill] 1900000
cpu-clock;tid-6;[mill] 1400000
page-faults;tid-5;[mill] 8
page-faults;tid-6;[mill] 1" ]
}

@test "collapse-perf: a counter that falls is reported, and fails with --strict" {
	made shared.data
	[ "$status" -eq 1 ]
	run "$BIN/collapse-perf" "$data/made/shared.data"
	[ "$status" -eq 0 ]
	[[ $output == *": 4 impossible periods, so counts may be wrong (the first: \"cpu-clock\" of thread 6 fell from 900000 to 400000): record without \":S\""* ]]
}

@test "collapse-perf: a wait belongs to the thread that waited, whoever recorded it" {
	made waits.data
	[ "$status" -eq 0 ]
	[ "$output" = "offcpu-time;tid-6;[mill] 1540000000" ]
}

@test "collapse-perf: a whole stream of perf inject is not cut, and its mappings are the host's" {
	made inject.stream
	[ "$status" -eq 0 ]
	[ "$output" = "cpu-clock;tid-5;[mill] 2" ]
}

# folds_alike NAME : checks that a recording and perf's text of it fold to the same
# stacks.
folds_alike()
{
	# shellcheck disable=SC2030,SC2031
	export HOME=$BATS_TEST_TMPDIR
	ln -sfn "$PWD/$data/cache" "$HOME/.debug"
	"$BIN/collapse-perf" -q "$@" "$data/$name" > "$HOME/recording"
	"$BIN/collapse-perf" -q "$@" "$data/$name.txt" > "$HOME/text"
	diff "$HOME/text" "$HOME/recording"
	[ -s "$HOME/text" ]
}

# fold NAME OPTION... : folds a recording, with perf's copy of its binary in the cache.
fold()
{
	local name=$1
	shift
	# shellcheck disable=SC2030,SC2031
	export HOME=$BATS_TEST_TMPDIR
	ln -sfn "$PWD/$data/cache" "$HOME/.debug"
	"$BIN/collapse-perf" "$@" "$data/$name" 2>&1
}

@test "collapse-perf reads a recording as the text that perf script prints" {
	for name in frames.data flat.data fork.data fields.data events.data mmap-ids.data; do
		folds_alike
		folds_alike --event-filter='*' --event-frame
		folds_alike --dso --all --weight=samples
		folds_alike --root=tid --root=cpu --time-order
		folds_alike --time ,60% --time-order
	done
}

@test "collapse-perf --off-cpu reads payloads and switches of a recording like text" {
	for name in switch.data switch.stream; do
		folds_alike --off-cpu
		folds_alike --off-cpu --root=state --root=tid --time-order
		folds_alike --trace-field=next_comm --weight=prev_prio
	done
	run fold switch.data -q --off-cpu --header --root=state
	[ "$status" -eq 0 ]
	[[ $output == "# event: sched:sched_switch"$'\n'"# unit: ns"$'\n'* ]]
	[[ $output == *$'\n'"disk "* && $output == *$'\n'"sleep "* ]]
	"$BIN/collapse-perf" --off-cpu "$data/switch.stream" > "$BATS_TEST_TMPDIR/file"
	tail -c +1 "$data/switch.stream" | "$BIN/collapse-perf" --off-cpu | cmp - "$BATS_TEST_TMPDIR/file"
}

@test "collapse-perf --wall reads switches and tasks of a recording like text" {
	for name in switch.data switch.stream; do
		run fold $name -q --wall --root=comm --root=state
		[ "$status" -eq 0 ]
		echo "$output"
		[[ $output == *"sh;running;[running] "*$'\n'"sh;sleep;[waiting]_[o] "* ]]
		[[ $output == *$'\n'"sleep;running;[running] "*$'\n'"sleep;sleep;[waiting]_[o] "* ]]
	done
}

@test "collapse-perf reads a recording from standard input" {
	# shellcheck disable=SC2030,SC2031
	export HOME=$BATS_TEST_TMPDIR
	ln -sfn "$PWD/$data/cache" "$HOME/.debug"
	"$BIN/collapse-perf" "$data/frames.data.txt" > "$HOME/text"
	"$BIN/collapse-perf" < "$data/frames.data" > "$HOME/file"
	tail -c +1 "$data/frames.data" | "$BIN/collapse-perf" > "$HOME/pipe"
	cmp "$HOME/text" "$HOME/file"
	cmp "$HOME/text" "$HOME/pipe"
	"$BIN/collapse-perf" --time ,50% "$data/frames.data.txt" > "$HOME/text"
	"$BIN/collapse-perf" --time ,50% < "$data/frames.data" > "$HOME/file"
	cmp "$HOME/text" "$HOME/file"
	run "$BIN/collapse-perf" --time ,50% < <(cat "$data/frames.data")
	[ "$status" -eq 1 ]
	[[ $output == *"--time with % needs regular files"* ]]
}

# The cut is after the fifth of eight samples, inside the round of the last five.
@test "perfdata: a stream that is cut between two records is an error with --strict" {
	head -c 4604 "$data/pipe.stream" > "$BATS_TEST_TMPDIR/cut"
	run "$BIN/collapse-perf" --all --strict "$BATS_TEST_TMPDIR/cut"
	[ "$status" -eq 1 ]
	[[ $output == *"cut short: the last round of samples is incomplete"* ]]
	run "$BIN/collapse-perf" --all --strict "$data/pipe.stream"
	[[ $output != *"cut short"* ]]
}

@test "collapse-perf --inline shows inlined functions of a recording" {
	needs_library libdw
	run fold inlines.data
	succeeds
	[[ $output == *"work;loom::Frame::weave "* ]]
	run fold inlines.data --inline
	succeeds
	[[ $output == *"start_here;work;operator();loom::Frame::weave;loom::row<unsigned int>;loom::knot "* ]]
	run fold inlines.data --inline --dso
	[ "$status" -eq 0 ]
	[[ $output == *";work@loom;operator();loom::Frame::weave@loom;loom::row<unsigned int>;loom::knot "* ]]
	run fold inlines.data --inline --skip-after 'operator()'
	[ "$status" -eq 0 ]
	[[ $output == "loom;operator();loom::Frame::weave;"* ]]
}

@test "collapse-perf --lines shows the line of each frame of a recording" {
	needs_library libdw
	callers='loom;_start;start_here:loom.cpp:48;work:loom.cpp:42'
	# without --inline, the frame has the line of the function that has the symbol
	run fold inlines.data --lines
	succeeds
	[ "$output" = "$callers;loom::Frame::weave:loom.cpp:27 300000000" ]
	run fold inlines.data --lines --inline
	succeeds
	in="$callers;operator():loom.cpp:38;loom::Frame::weave:loom.cpp:27;loom::row<unsigned int>:loom.cpp:20"
	[ "$output" = "$in;loom::knot:loom.cpp:13 150000000
$in;loom::knot:loom.cpp:14 150000000" ]
	run fold inlines.data --lines --dso
	succeeds
	[[ $output == *";loom::Frame::weave@loom:loom.cpp:27 300000000" ]]
	run fold inlines.data --lines --skip-after work
	succeeds
	[ "$output" = 'loom;work:loom.cpp:42;loom::Frame::weave:loom.cpp:27 300000000' ]
	run fold inlines.data --lines --inline --skip-after 'operator()'
	succeeds
	[[ $output == "loom;operator():loom.cpp:38;"* ]]
}

@test "collapse-perf --inline --context shows source lines of a recording" {
	needs_library libdw
	run fold inlines.data --inline --context
	succeeds
	[[ $output == *"start_here:loom.cpp:48;work:loom.cpp:42;operator():loom.cpp:38;loom::Frame::weave:loom.cpp:27;loom::row<unsigned int>:loom.cpp:20;loom::knot:loom.cpp:14 "* ]]
}

@test "collapse-perf --inline says that no file of a recording has debug information" {
	needs_library libdw
	run fold frames.data --inline
	succeeds
	[[ $output == *"no file has debug information"* ]]
}

@test "collapse-perf --compat=perl refuses a recording" {
	run "$BIN/collapse-perf" --compat=perl "$data/frames.data"
	[ "$status" -eq 1 ]
	[[ $output == *"use perf script --no-inline -i"* ]]
}

@test "collapse-perf says that a recording was cut, and fails with --strict" {
	local cut=$BATS_TEST_TMPDIR/cut.data size
	for size in 1000 3000 5000 5900; do
		head -c $size "$data/frames.data" > "$cut"
		run "$BIN/collapse-perf" "$cut"
		[ "$status" -eq 0 ]
		[[ $output == *"cut short"* ]]
		run "$BIN/collapse-perf" --strict "$cut"
		[ "$status" -eq 1 ]
	done
}

@test "collapse-perf says how to read a folder of perf record --threads" {
	mkdir "$BATS_TEST_TMPDIR/folder"
	run "$BIN/collapse-perf" "$BATS_TEST_TMPDIR/folder"
	[ "$status" -eq 1 ]
	[[ $output == *"cannot read: Is a directory" ]]
	cp "$data/frames.data" "$BATS_TEST_TMPDIR/folder/data"
	run "$BIN/collapse-perf" "$BATS_TEST_TMPDIR/folder"
	[ "$status" -eq 1 ]
	[[ $output == *"run perf script --no-inline -i $BATS_TEST_TMPDIR/folder | collapse-perf" ]]
}

@test "collapse-perf reads a recording in a gzip or zstd file" {
	local packed=$BATS_TEST_TMPDIR/packed
	# shellcheck disable=SC2030,SC2031
	export HOME=$BATS_TEST_TMPDIR
	ln -sfn "$PWD/$data/cache" "$HOME/.debug"
	for name in frames.data pipe.stream zstd.data; do
		"$BIN/collapse-perf" "$data/$name" > "$HOME/plain"
		gzip -c "$data/$name" > "$packed"
		"$BIN/collapse-perf" "$packed" | cmp "$HOME/plain"
		"$BIN/collapse-perf" < "$packed" | cmp "$HOME/plain"
		tail -c +1 "$packed" | "$BIN/collapse-perf" | cmp "$HOME/plain"
		command -v zstd > /dev/null || continue
		zstd -qfo "$packed" "$data/$name"
		if ! "$BIN/collapse-perf" "$packed" > "$HOME/unpacked" 2> "$HOME/said"; then
			grep "decompress it with zstd" "$HOME/said" # built without libzstd
			continue
		fi
		cmp "$HOME/plain" "$HOME/unpacked"
	done
	gzip -c "$data/frames.data" | head -c 500 > "$packed"
	run "$BIN/collapse-perf" "$packed"
	[ "$status" -eq 1 ]
	[[ $output == *"the gzip data are cut short" ]]
}

@test "collapse-perf: a recording of the other byte order gets a message of its own" {
	local own='PERFILE2h\0\0\0\0\0\0\0' other='2ELIFREP\0\0\0\0\0\0\0h'
	[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || { own=$other; other='PERFILE2h\0\0\0\0\0\0\0'; }
	cd "$BATS_TEST_TMPDIR"
	# shellcheck disable=SC2059 # they are escapes
	printf "$other%088d" 0 > other
	run "$BIN/collapse-perf" other
	[ "$status" -eq 1 ]
	[ "$output" = "collapse-perf: other: this recording cannot be read directly (recorded on a machine with the other byte order): run perf script --no-inline -i other | collapse-perf" ]
	for word in '' -; do
		run "$BIN/collapse-perf" $word < other
		[ "$status" -eq 1 ]
		[ "$output" = "collapse-perf: (standard input): this recording cannot be read directly (recorded on a machine with the other byte order): run perf script --no-inline -i - | collapse-perf" ]
	done
	local long
	long="$BATS_TEST_TMPDIR/it's $(printf 'a%.0s' {1..150}) (1)"
	mv other "$long"
	run "$BIN/collapse-perf" "$long"
	[[ $output == *"run perf script --no-inline -i '"*"/it'\\''s aaa"*"a (1)' | collapse-perf" ]]
	eval "set -- $(printf '%s\n' "$output" | sed 's/.* -i \(.*\) | collapse-perf$/\1/')"
	[ "$1" = "$long" ]
	run "$BIN/collapse-perf" --compat=perl "$long"
	[[ $output == *" (1)'" ]]
	# shellcheck disable=SC2059
	printf "$own" > own
	run "$BIN/collapse-perf" own
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = "collapse-perf: own: cut short, or perf record was killed: names of events and build ids may be missing" ]
	[ "${lines[1]}" = "collapse-perf: own: the recording has no samples" ]
}
