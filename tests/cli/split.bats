#!/usr/bin/env bats
# --split: each value of a structured profile in a file of its own.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0

setup()
{
	load manners
	cd "$BATS_TEST_TMPDIR" || return
	cp "$BATS_TEST_DIRNAME/../golden/collapse-pprof/heap/input.pb.gz" heap.pb.gz
	values="alloc_objects alloc_space inuse_objects inuse_space"
}

@test "--split writes what --weight writes of each value" {
	"$BIN/collapse-pprof" --split out heap.pb.gz > names
	for value in $values; do
		echo "out/$value.folded"
		"$BIN/collapse-pprof" --weight "$value" --header heap.pb.gz |
			diff - "out/$value.folded" >&2
	done | diff names -
	"$BIN/collapse-guess" heap.pb.gz -- --split guessed | diff - <(sed s/out/guessed/ names)
	diff -r out guessed
}

@test "--split needs files, and no --weight" {
	run -1 "$BIN/collapse-pprof" --split out < heap.pb.gz
	[[ $output == *"not a pipe"* ]]
	run -1 "$BIN/collapse-pprof" --split out - heap.pb.gz
	run -2 "$BIN/collapse-pprof" --split out --weight cpu heap.pb.gz
	run -1 "$BIN/collapse-pprof" --split out none.pb.gz
	[ ! -e out ]
}

@test "--split keeps the old files if a value cannot be written" {
	mkdir -p out/alloc_space.folded
	run -1 "$BIN/collapse-pprof" --split out heap.pb.gz
	[[ $output == *alloc_space.folded* ]]
	[ -d out/alloc_space.folded ]
	echo kept > file
	run -1 "$BIN/collapse-pprof" --split file heap.pb.gz
	[ "$(cat file)" = kept ]
}

@test "--weight all writes each value as a section" {
	"$BIN/collapse-pprof" --split out heap.pb.gz > names
	"$BIN/collapse-pprof" --weight all heap.pb.gz > sections
	for value in $values; do cat "out/$value.folded"; done | diff sections -
	"$BIN/collapse-guess" heap.pb.gz -- --weight all | diff sections -
	"$BIN/flamegraph" sections > heap.svg
	for value in $values; do grep -q "fg:p=\"$value\"" heap.svg; done
	"$BIN/flamegraph" --extract heap.svg | diff sections -
	run -1 "$BIN/collapse-pprof" --weight all < heap.pb.gz
	[[ $output == *"--weight all reads its input once for each value"* ]]
	run -1 "$BIN/collapse-pprof" --weight all none.pb.gz
	# with samples, `all` is the name of a tracepoint's field
	run "$BIN/collapse-perf" --weight all /dev/null
	[[ $output != *"once for each value"* ]]
}

@test "values with the same name get different files" {
	local -a lines=('# event: x' '# unit: ns' 'a;b 100' '# event: x' '# unit: bytes' 'a;c 4096'
		'# event: y z' '# unit: n' 'a 7' '# event: y_z' '# unit: n' 'a 9'
		'# event: list' '# unit: n' 'a 11')
	printf '%s\n' "${lines[@]}" | "$BIN/report-folded" --format pprof > several.pb.gz
	printf '%s\n' "${lines[@]}" | sed 's/^# event: list/& (5)/; 4s/$/ (2)/' > sections
	"$BIN/collapse-pprof" --weight all several.pb.gz | grep -v '^# quality' | diff sections -
	"$BIN/collapse-pprof" --split out several.pb.gz > names
	while read -r name; do cat "$name"; done < names | grep -v '^# quality' | diff sections -
	[ "$(sort -u names | wc -l)" = 5 ]
	"$BIN/collapse-pprof" --weight list several.pb.gz | grep -Fx 'x (2) bytes'
	[ "$("$BIN/collapse-pprof" --weight 'x (2)' several.pb.gz)" = "a;c 4096" ]
	[ "$("$BIN/collapse-pprof" --weight x several.pb.gz)" = "a;b 100" ]
}

@test "more values than sections may have are an error" {
	local events
	events=$(seq 65 | sed 's/.*/E&/' | tr '\n' ' ')
	printf 'version: 1\nevents: %s\nfn=f\n1 1\n' "$events" > callgrind.out
	run -1 "$BIN/collapse-callgrind" --weight all callgrind.out
	[[ $output == *"there are more than 64 values: --weight NAME chooses one" ]]
	run -1 "$BIN/collapse-callgrind" --split out callgrind.out
	[ ! -e out ]
	sed -i 's/ E65//' callgrind.out
	sed -i "s/^1 1\$/1$(printf ' 1%.0s' $(seq 64))/" callgrind.out
	"$BIN/collapse-callgrind" -q --weight all callgrind.out > sections
	[ "$(grep -c '^# event' sections)" = 64 ]
}

@test "--split writes a value without a name to a visible file" {
	printf 'version: 1\nevents: (ns) Ir\nfn=f\n1 5 6\n' > callgrind.out
	[ "$("$BIN/collapse-callgrind" --split out callgrind.out)" = $'out/_.folded\nout/Ir.folded' ]
	[ "$(cat out/_.folded)" = $'# event: \n# unit: ns\n# quality: stacks=1\nf 5' ]
}
