#!/usr/bin/env bats
# The gate of report-folded: on profiles in tests/data/gate, of one program that was
# built with more and more work in one function; on builds that are profiled here, if
# perf may; and the job of docs/guide/ci.md.
# bats sets what a command left; grave accents are Markdown
# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load libraries

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd) || return 1
	DATA=$TOP/tests/data
	[ -x "$BIN/report-folded" ] || skip "no report-folded"
	PATH=$BIN:$PATH
	export LC_ALL=C
	cd "$BATS_TEST_TMPDIR" || return 1
}

# gate BEFORE AFTER OPTIONS... : runs report-folded on the difference of two profiles.
gate()
{
	diff-folded "$1" "$2" > both.folded
	run report-folded "${@:3}" both.folded
}

recorded() { gate "$DATA/gate/$1.folded" "$DATA/gate/$2.folded" "${@:3}"; }

# ends STATUS TEXT... : checks the exit status, and that the output contains each TEXT.
ends()
{
	local text
	[ "$status" -eq "$1" ] || { echo "exit status $status"; echo "$output"; return 1; }
	for text in "${@:2}"; do
		[[ $output == *"$text"* ]] || { echo "no '$text' in: $output"; return 1; }
	done
}

@test "gate: growth by 8 points is over a limit of 6, growth by 4 is not" {
	recorded base eight --max-growth 6%
	ends 3 "over the limit: total 20.28 % -> 29.05 %, +8.77 points" "): mix"
	[ "$(grep -c 'over the limit' <<< "$output")" -eq 1 ]
	recorded base four --max-growth 6%
	ends 0 "within the limit: total of" "none grew by more than 6 points"
	recorded base four --max-growth 3%
	ends 3 "): mix"
}

@test "gate: a second recording of the same build passes" {
	recorded base again --max-growth 1%
	ends 0 "within the limit"
	recorded base base --max-growth 0
	ends 0 "none grew by more than 0 points"
}

@test "gate: growth that few samples show is noise" {
	recorded few four --max-growth 3%
	ends 0 "except by noise (1)"
	recorded few four --max-growth 3% --confidence 80
	ends 3 "): mix"
	recorded few eight --max-growth 3%
	ends 3 "): mix"
}

@test "gate: scaled to the same total, samples are still counted" {
	diff-folded -n "$DATA/gate/few.folded" "$DATA/gate/four.folded" > both.folded
	run report-folded --max-growth 3% both.folded
	ends 0 "197 and 1989 samples, as the counts show" "except by noise (1)"
}

# The header line is scaled with the counts; a divisor of both columns is not the
# weight.
@test "gate: scaled to the same total, the header says how many samples there are" {
	printf '%s\n' '# sample-weight: 250000' 'm;a 14000000' 'm;b 30250000' 'm;c 25750000' > before
	printf '%s\n' '# sample-weight: 250000' 'm;a 18500000' 'm;b 31000000' 'm;c 25750000' > after
	diff-folded -n before after > both.folded
	run report-folded --max-growth 3% both.folded
	ends 0 "280 and 301 samples, as the input says" "except by noise (1)"
	grep -v '#' both.folded > without
	run report-folded --max-growth 3% without
	ends 0 "280 and 301 samples, as the counts show"
	diff-folded -n --before before before --after after after > both.folded
	run report-folded --max-growth 3% both.folded
	ends 0 "560 and 602 samples, as the input says"
}

@test "gate: it says how much growth the samples can show" {
	recorded few four --max-growth 3%
	ends 0 "with 197 and 1989 samples, growth of less than" "points may be noise: "
	recorded base four --max-growth 6%
	ends 0 "with 1903 and 1989 samples, growth of less than 3.60 points may be noise: mix"
	recorded few few-again --max-growth 3% --min-power 80%
	ends 4 "within the limit" "cannot tell: growth of twice the limit is noticed in" "asks for 80 %"
	recorded base again --max-growth 6% --min-power 80%
	ends 0 "within the limit"
	recorded base eight --max-growth 6% --min-power 80%
	ends 3 "): mix"
	recorded base again --max-growth 6% --fail-over 'mix:1%' --min-power 80%
	ends 4 "cannot tell" ": mix"
	# an exceeded limit wins
	recorded base eight --fail-over 'mix:1%' --fail-over 'rest:0.1%' --min-power 80%
	ends 3 "cannot tell" "): mix"
}

@test "gate: without known samples it cannot tell" {
	printf 'a 123456789 123456789\nb 987654321 987654999\n' > odd
	run report-folded --max-growth 3% --min-power 80% odd
	ends 4 "cannot tell: the number of samples is unknown"
	printf 'a 5 5\nb 3 3\n' > few
	run report-folded --max-growth 3% --min-power 80% few
	ends 4 "cannot tell: no function was checked"
	run report-folded --max-growth 3% few
	ends 0 "2 with fewer than 10 samples not checked"
}

@test "gate: -o is written even if it cannot tell" {
	diff-folded "$DATA/gate/few.folded" "$DATA/gate/few-again.folded" > both.folded
	echo old > summary
	run report-folded --max-growth 3% --min-power 80% -o summary both.folded
	[ "$status" -eq 4 ]
	grep -q "cannot tell" summary
}

@test "gate: with --absolute, three times the work is over the limit" {
	sed 's/[0-9]*$//' "$DATA/gate/base.folded" > stacks
	awk '{ $NF *= 3; print }' "$DATA/gate/base.folded" > three
	gate "$DATA/gate/base.folded" three --max-growth 3%
	ends 0 "within the limit"
	gate "$DATA/gate/base.folded" three --max-growth 3% --absolute
	ends 3 "over the limit: cost 100.00 % -> 300.00 %, +200.00 % of the former total" \
		"): all that was counted" "): mix"
	gate "$DATA/gate/base.folded" three --max-growth 250% --absolute
	ends 0 "and all that was counted, checked, none grew by more than 250 % of the former total"
	gate "$DATA/gate/base.folded" three --max-growth 199% --absolute --relative
	ends 3 "+200.00 % of its cost (limit 199 % of its cost"
	gate "$DATA/gate/base.folded" three --fail-over 'mix:30%' --absolute
	ends 3 "cost 20.28 % -> 60.85 %, +40.57 % of the former total"
	[[ $output != *"all that was counted"* ]]
	gate "$DATA/gate/base.folded" three --fail-over '^main$:30%' --absolute --self
	ends 0 "within the limit"
}

@test "gate: with --absolute, a faster program is within the limit" {
	recorded eight base --max-growth 3% --absolute
	ends 0 "within the limit"
	recorded base base --max-growth 0 --absolute
	ends 0 "within the limit"
	# this is 6.6 % more, but 2000 samples cannot show it
	recorded base again --max-growth 3% --absolute
	ends 0 "except by noise"
	recorded base eight --max-growth 3% --absolute
	ends 3 "cost 100.00 % -> 114.14 %" "): all that was counted"
}

@test "gate: --absolute takes the totals of scaled counts from the header" {
	awk '{ $NF *= 3; print }' "$DATA/gate/base.folded" > three
	diff-folded -n "$DATA/gate/base.folded" three > both.folded
	run report-folded --max-growth 3% --absolute both.folded
	ends 3 "over the limit: cost 100.00 % -> 300.00 %, +200.00 % of the former total" \
		"): all that was counted" "): mix"
	diff-folded -n "$DATA/gate/base.folded" "$DATA/gate/eight.folded" > both.folded
	run report-folded --max-growth 3% --absolute both.folded
	ends 3 "cost 100.00 % -> 114.14 %"
	diff-folded --compat perl -n "$DATA/gate/base.folded" "$DATA/gate/eight.folded" > both.folded
	run report-folded --max-growth 3% --absolute both.folded
	ends 1 "--absolute needs the header line '# totals:' of diff-folded, or no --normalize"
}

@test "gate: --sample-weight wins over the header" {
	recorded few four --max-growth 3% --sample-weight 2500
	ends 3 "19700 and" "as --sample-weight says"
	recorded few four --max-growth 3% --sample-weight 2500,250000
	ends 3 "19700 and 1989 samples, as --sample-weight says"
	{ echo '# sample-weight: 2500'; cat both.folded; } > with-header
	run report-folded --max-growth 3% with-header
	ends 3 "19700 and" "as the input says"
}

@test "gate: noise tests are off if the weight of a sample is unknown" {
	awk '{ $(NF - 1) += 7 * NR; print }' <(recorded few four; cat both.folded) > odd
	run report-folded --max-growth 3% odd
	ends 3 "noise tests are off"
}

@test "gate: --self and --relative choose what is compared" {
	recorded base eight --max-growth 6% --self
	ends 3 "over the limit: self" "): mix"
	recorded base eight --max-growth 40% --relative
	ends 3 "% of its share" "): mix"
	recorded base eight --max-growth 50% --relative
	ends 0 "none grew by more than 50 % of its share"
}

@test "gate: --fail-over sets a limit for the functions that match" {
	recorded base eight --fail-over '^mix$:+5%'
	ends 3 "): mix"
	recorded base eight --fail-over 'rest:+5%'
	ends 0 "1 function matching rest checked"
	recorded base eight --fail-over 'rest:+5%' --fail-over 'm.x:5' --max-growth 50%
	ends 3 "within the limit: total of 1 function matching rest" "): mix" \
		"none grew by more than 50 points"
}

@test "gate: --min-samples leaves out functions with few samples" {
	recorded few eight --max-growth 3% --min-samples 1000
	ends 0 "with fewer than 1000 samples not checked"
}

@test "gate: a new function is growth from zero" {
	printf 'a;b 500 500\na;c 0 100\n' > new
	run report-folded --max-growth 3% new --sample-weight 1
	ends 3 "total 0.00 % -> 16.67 %" "): c"
	run report-folded --max-growth 3% --relative new --sample-weight 1
	ends 3 ", new" "): c"
}

@test "gate: in other formats the verdict goes to standard error" {
	recorded base eight --max-growth 6% --format markdown
	ends 3 "- over the limit" '): `mix`'
	diff-folded "$DATA/gate/base.folded" "$DATA/gate/eight.folded" > both.folded
	for format in tsv json; do
		run --separate-stderr report-folded --max-growth 6% --format "$format" both.folded
		[ "$status" -eq 3 ]
		[[ $stderr == "report-folded: over the limit"*"): mix"$'\n'"report-folded: with 1903"* ]]
		[[ $output != *"over the limit"* ]]
		run --separate-stderr report-folded --max-growth 20% --format "$format" both.folded
		[ "$status" -eq 0 ]
		[[ $stderr == "report-folded: within the limit"*"samples, growth of less than"* ]]
	done
	command -v jq > /dev/null || skip "no jq"
	[ "$(jq -c '[.samples, .limits[0].verdict]' <<< "$output")" = '[[1903,2172],"within"]' ]
	run --separate-stderr report-folded --max-growth 6% --fail-over 'rest:1%' --min-power 80% --format json both.folded
	[ "$(jq -c '.limits[0] | [.limit, .unit, .of, .verdict, .exceeded[].name]' <<< "$output")" = \
		'[6,"points","total","exceeded","mix"]' ]
	[ "$(jq -c '.limits[1] | [.pattern, .verdict, .visible < 6, .visibleOf]' <<< "$output")" = \
		'["rest","cannot tell",true,"rest"]' ]
}

@test "gate: -o is written even if the gate fails" {
	diff-folded "$DATA/gate/base.folded" "$DATA/gate/eight.folded" > both.folded
	echo old > summary
	run report-folded --max-growth 6% -o summary both.folded
	[ "$status" -eq 3 ]
	grep -q "over the limit" summary
}

@test "gate: growth of exactly the limit passes" {
	# in floating point, this difference is more than 1
	printf 'a 13 14\nb 87 86\n' > it
	run report-folded --max-growth 1% --sample-weight 0.001 it
	ends 0 "within the limit"
	run report-folded --max-growth 0.99% --sample-weight 0.001 it
	ends 3 "): a"
}

# can_record : skips the test if perf cannot record.
can_record()
{
	needs_library libelf
	command -v perf > /dev/null || skip "no perf"
	perf record -q -e cpu-clock:u -F 4000 -g -o try.data -- true > /dev/null 2>&1 ||
		skip "perf may not record"
}

# build NAME MIX : builds the program of tests/data/src/gate.c.
build()
{
	mkdir -p "$1"
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -DMIX="$2" -DREST=800 -DROUNDS=800 \
		-o "$1/app" "$DATA/src/gate.c"
}

# Each has some 10,000 samples, so 2 points are four standard deviations.
@test "gate: it tells builds that differ by 4 and by 8 points apart" {
	can_record
	local build
	for build in base:200 four:253 eight:311; do
		build "${build%:*}" "${build#*:}"
		perf record -q -e cpu-clock:u -F 8000 -g -o perf.data -- "${build%:*}/app" > /dev/null
		collapse-perf -q perf.data > "${build%:*}.folded"
	done
	gate base.folded four.folded --max-growth 6%
	ends 0 "within the limit"
	gate base.folded eight.folded --max-growth 6%
	ends 3 "): mix"
}

# job : prepares the shell part of the job of docs/guide/ci.md.
job()
{
	awk '
		/run: \|$/ { match($0, /^ */); indent = RLENGTH; inside = 1; next }
		inside && NF { match($0, /^ */); if (RLENGTH <= indent) inside = 0 }
		inside { print }' "$TOP/docs/guide/ci.md" > job
	[ -s job ]
}

# run_job REF : runs it with a stand-in for gh that has main's artifact in the folder
# `kept`.
run_job()
{
	mkdir -p bin
	cat > bin/gh <<-'END'
		#!/bin/sh
		case "$1 $2" in
		"run list") [ ! -e no-workflow ] && { [ ! -e kept ] || echo 42; } ;;
		"run download") [ "$3 $4 $5 $6 $7" = "42 --name profile --dir main" ] && [ ! -e expired ] && cp -r kept main ;;
		*) exit 1 ;;
		esac
	END
	chmod +x bin/gh
	rm -rf main out summary
	run env PATH="$PWD/bin:$PATH" GITHUB_SHA=1234abc GITHUB_REF_NAME="$1" \
		GITHUB_STEP_SUMMARY=summary BENCHMARK=./app bash -e -o pipefail job
}

# flame_stand_in : makes a flame that returns RECORDED, which was recorded before.
flame_stand_in()
{
	mkdir -p bin
	cat > bin/flame <<-END
		#!/bin/sh
		while [ "\$1" != -- ]; do
			case \$1 in --folded) folded=\$2 ;; -o) picture=\$2 ;; esac
			shift
		done
		xz -dc "$DATA/\${RECORDED:-before}.perf.txt.xz" | collapse-perf -q --header > "\$folded"
		flamegraph -o "\$picture" "\$folded"
	END
	chmod +x bin/flame
}

@test "gate: the job of docs/guide/ci.md passes while main has no profile" {
	job
	flame_stand_in
	run_job change
	ends 0
	grep -q '^PASS: main has no profile yet' summary
	grep -q '</svg>' out/profile.svg
	[ ! -e out/diff.svg ]
	touch no-workflow
	run_job change
	ends 0
	grep -q 'main has no profile yet' summary
	# main has a profile, but it cannot be fetched any more
	rm no-workflow
	mkdir kept
	touch expired
	run_job change
	ends 0
	grep -q 'main has no profile yet' summary
}

@test "gate: the job of docs/guide/ci.md fails if a function grows" {
	job
	flame_stand_in
	run_job main
	ends 0
	grep -q '</svg>' out/profile.svg
	[ ! -e out/summary.md ]
	cp -r out kept
	run_job change
	ends 0
	grep -q '</svg>' out/diff.svg
	grep -q '^PASS: ' out/summary.md
	grep -q 'within the limit' out/summary.md
	cmp summary out/summary.md
	export RECORDED=after
	run_job change
	ends 3
	grep -q '^FAIL: `Linker::distance` has grown by ' out/summary.md
	grep -q 'over the limit.*`Linker::resolve`' out/summary.md
	cmp summary out/summary.md
	grep -q '</svg>' out/diff.svg
}

@test "gate: the job of docs/guide/ci.md works with perf itself" {
	can_record
	job
	build . 200
	run_job main
	ends 0
	cp -r out kept
	build . 311
	run_job change
	ends 3
	grep -q 'over the limit.*`mix`' out/summary.md
}
