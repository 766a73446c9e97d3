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

@test "collapse-perf reads a recording as the text that perf script prints" {
	for name in frames.data flat.data fork.data fields.data events.data mmap-ids.data; do
		folds_alike
		folds_alike --event-filter='*' --event-frame
		folds_alike --dso --all --weight=samples
		folds_alike --root=tid --root=cpu --time-order
	done
}

@test "collapse-perf reads a recording from standard input" {
	export HOME=$BATS_TEST_TMPDIR
	ln -sfn "$PWD/$data/cache" "$HOME/.debug"
	"$BIN/collapse-perf" "$data/frames.data.txt" > "$HOME/text"
	"$BIN/collapse-perf" < "$data/frames.data" > "$HOME/file"
	tail -c +1 "$data/frames.data" | "$BIN/collapse-perf" > "$HOME/pipe"
	cmp "$HOME/text" "$HOME/file"
	cmp "$HOME/text" "$HOME/pipe"
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

@test "collapse-perf says how to unpack a compressed recording" {
	gzip -c "$data/frames.data" > "$BATS_TEST_TMPDIR/packed.gz"
	run "$BIN/collapse-perf" "$BATS_TEST_TMPDIR/packed.gz"
	[ "$status" -eq 1 ]
	[[ $output == *"unpack it first"* ]]
}
