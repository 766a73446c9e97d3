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
