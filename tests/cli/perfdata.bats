#!/usr/bin/env bats
# collapse/perfdata on the recordings of tests/data/perfdata: what perf script prints of them.

setup()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	tool=$BIN/../tests/tools/perfdata-text
	data=tests/data/perfdata
}

# same NAME [FIELD...] : what is read from a recording is what perf printed, blanks squeezed.
same()
{
	"$tool" -c "$data/cache" "$data/$1" | sed 's/  */ /g' > "$BATS_TEST_TMPDIR/got"
	diff "$data/$1.txt" "$BATS_TEST_TMPDIR/got"
}

@test "perfdata: frames have the names that perf prints" { same frames.data; }
@test "perfdata: names of a child" { same fork.data; }
@test "perfdata: compressed records" { same zstd.data; }
@test "perfdata: samples with many fields" { same fields.data; }
@test "perfdata: several events" { same events.data; }
@test "perfdata: build ids in the records" { same mmap-ids.data; }
@test "perfdata: a stream" { same pipe.stream; }
@test "perfdata: a stream of compressed records" { same pipe-z.stream; }

@test "perfdata: copies of stacks" {
	run "$tool" -c "$data/cache" "$data/stacks.data"
	[[ $output != *"built without libdw"* ]] || skip "no libdw"
	same stacks.data
}

# binutils, which perf 6.1 asks, calls a lambda what it is inlined into.
@test "perfdata: inlined functions" {
	run "$tool" -i -c "$data/cache" "$data/inlines.data"
	[[ $output != *libdw* ]] || skip "no libdw"
	sed 's/  */ /g; s/ operator()\(+.*\) (inlined)/ work\1 (\/tmp\/flamepipe-data\/perfdata\/loom)/' \
		<<< "$output" > "$BATS_TEST_TMPDIR/got"
	diff <(sed '$d' "$data/inlines.data.txt") "$BATS_TEST_TMPDIR/got"
	[[ $output == *"operator()"* ]]
}

@test "perfdata: samples without call chains" {
	"$tool" -c "$data/cache" "$data/flat.data" | sed 's/^/ /; s/  */ /g' > "$BATS_TEST_TMPDIR/got"
	diff "$data/flat.data.txt" "$BATS_TEST_TMPDIR/got"
}

@test "perfdata: a file that comes through a pipe" {
	tail -c +1 "$data/frames.data" | "$tool" -c "$data/cache" | sed 's/  */ /g' > "$BATS_TEST_TMPDIR/got"
	diff "$data/frames.data.txt" "$BATS_TEST_TMPDIR/got"
}

@test "perfdata: without the binary there are no names, and that is said" {
	run "$tool" -c /nonexistent "$data/frames.data"
	[ "$status" -eq 0 ]
	[[ $output == *"/mill is not here, so its functions have no names"* ]]
	[[ $output != *Wheel* ]]
}

# folds_alike NAME : a recording and what perf printed of it are the same folded stacks.
folds_alike()
{
	export HOME=$BATS_TEST_TMPDIR
	ln -sfn "$PWD/$data/cache" "$HOME/.debug"
	"$BIN/collapse-perf" -q "$@" "$data/$name" > "$HOME/recording"
	"$BIN/collapse-perf" -q "$@" "$data/$name.txt" > "$HOME/text"
	diff "$HOME/text" "$HOME/recording"
	[ -s "$HOME/text" ]
}

# fold NAME OPTION... : folds a recording, which has perf's copy of its binary.
fold()
{
	local name=$1
	shift
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

@test "collapse-perf --off-cpu: payloads and switches of a recording" {
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

@test "collapse-perf reads a recording from standard input" {
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

@test "collapse-perf --inline shows inlined functions of a recording" {
	run fold inlines.data
	[[ $output != *libdw* ]] || skip "no libdw"
	[ "$status" -eq 0 ]
	[[ $output == *"work;loom::Frame::weave "* ]]
	run fold inlines.data --inline
	[[ $output == *"start_here;work;operator();loom::Frame::weave;loom::row<unsigned int>;loom::knot "* ]]
	run fold inlines.data --inline --dso
	[[ $output == *";work@loom;operator();loom::Frame::weave@loom;loom::row<unsigned int>;loom::knot "* ]]
	run fold inlines.data --inline --skip-after 'operator()'
	[[ $output == "loom;operator();loom::Frame::weave;"* ]]
}

@test "collapse-perf --inline --context shows source lines of a recording" {
	run fold inlines.data --inline --context
	[[ $output != *libdw* ]] || skip "no libdw"
	[ "$status" -eq 0 ]
	[[ $output == *"start_here:loom.cpp:48;work:loom.cpp:42;operator():loom.cpp:38;loom::Frame::weave:loom.cpp:27;loom::row<unsigned int>:loom.cpp:20;loom::knot:loom.cpp:14 "* ]]
}

@test "collapse-perf --inline says that no file of a recording has debug information" {
	run fold frames.data --inline
	[[ $output != *libdw* ]] || skip "no libdw"
	[ "$status" -eq 0 ]
	[[ $output == *"no file has debug information"* ]]
}

@test "collapse-perf refuses a recording that --compat=perl cannot mean" {
	run "$BIN/collapse-perf" --compat=perl "$data/frames.data"
	[ "$status" -eq 1 ]
	[[ $output == *"use perf script -i"* ]]
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
	[[ $output == *"run perf script -i $BATS_TEST_TMPDIR/folder | collapse-perf" ]]
}

@test "collapse-perf says how to unpack a compressed recording" {
	gzip -c "$data/frames.data" > "$BATS_TEST_TMPDIR/packed.gz"
	run "$BIN/collapse-perf" "$BATS_TEST_TMPDIR/packed.gz"
	[ "$status" -eq 1 ]
	[[ $output == *"unpack it first"* ]]
}
