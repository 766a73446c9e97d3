#!/usr/bin/env bats
# Programs that read folded stacks also read structured profiles.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0

setup()
{
	load manners
	cd "$BATS_TEST_TMPDIR" || return
	cp "$BATS_TEST_DIRNAME/../golden/collapse-pprof/heap/input.pb.gz" heap.pb.gz
	"$BIN/collapse-pprof" --header heap.pb.gz > heap.folded
}

@test "a pprof profile is read without collapsing it first" {
	"$BIN/flamegraph" heap.folded > want.svg
	"$BIN/flamegraph" heap.pb.gz | cmp - want.svg
	"$BIN/flamegraph" < heap.pb.gz | cmp - want.svg
	"$BIN/report-folded" heap.pb.gz | diff - <("$BIN/report-folded" heap.folded)
	"$BIN/filter-folded" heap.pb.gz | diff - <("$BIN/filter-folded" heap.folded)
	"$BIN/diff-folded" heap.pb.gz heap.folded |
		diff - <("$BIN/diff-folded" heap.folded heap.folded)
}

@test "the message of collapse-guess is shown, and nothing is drawn" {
	gzip -dc heap.pb.gz | head -c 300 > cut.pb
	printf '\377\377\377' >> cut.pb
	run -1 --separate-stderr "$BIN/flamegraph" cut.pb
	[ -z "$output" ]
	[[ $stderr == *collapse-guess:* ]]
	[[ $stderr == *cut.pb* ]]
}

@test "without collapse-guess a message says that it is missing" {
	mkdir bin
	cp "$BIN/flamegraph" bin
	PATH=$PWD/bin:/usr/bin:/bin run -1 bin/flamegraph heap.pb.gz
	[[ $output == *"collapse-guess"*"neither beside this program nor on PATH"* ]]
}

# Then no program can learn how another one has ended.
@test "programs that start others work if their parent ignores SIGCHLD" {
	deaf() { env --ignore-signal=CHLD "$@"; }
	deaf true || skip "env cannot ignore signals"
	deaf "$BIN/collapse-pprof" --header -o it.folded heap.pb.gz
	cmp heap.folded it.folded
	deaf "$BIN/flamegraph" -o it.svg heap.pb.gz
	deaf "$BIN/report-folded" -o it it.svg
	deaf "$BIN/flame" -q -o flame.svg --perfdata heap.folded
	"$BIN/report-folded" heap.folded | diff it -
	[ -s flame.svg ]
}
