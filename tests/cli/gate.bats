#!/usr/bin/env bats
# The gate of report-folded: on profiles of one program that was built with more and more
# work in one function, in tests/data/gate; on builds that are profiled here, where perf
# can; and the job of the README.
# bats sets what a command left; grave accents are Markdown
# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0

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

# gate BEFORE AFTER OPTIONS... : of two profiles.
gate()
{
	diff-folded "$1" "$2" > both.folded
	run report-folded "${@:3}" both.folded
}

recorded() { gate "$DATA/gate/$1.folded" "$DATA/gate/$2.folded" "${@:3}"; }

# ends STATUS TEXT... : it ended so, and printed lines that have each TEXT.
ends()
{
	local text
	[ "$status" -eq "$1" ] || { echo "exit status $status"; echo "$output"; return 1; }
	for text in "${@:2}"; do
		[[ $output == *"$text"* ]] || { echo "no '$text' in: $output"; return 1; }
	done
}

@test "gate: 8 points more are over a limit of 6, 4 are not" {
	recorded base eight --max-growth 6%
	ends 3 "over the limit: total 20.28 % -> 29.05 %, +8.77 points" "): mix"
	[ "$(grep -c 'over the limit' <<< "$output")" -eq 1 ]
	recorded base four --max-growth 6%
	ends 0 "within the limit: total of" "none grew by more than 6 points"
	recorded base four --max-growth 3%
	ends 3 "): mix"
}

@test "gate: the same build, recorded again" {
	recorded base again --max-growth 1%
	ends 0 "within the limit"
	recorded base base --max-growth 0
	ends 0 "none grew by more than 0 points"
}

@test "gate: what few samples say is noise" {
	recorded few four --max-growth 3%
	ends 0 "but for noise (1)"
	recorded few four --max-growth 3% --confidence 80
	ends 3 "): mix"
	recorded few eight --max-growth 3%
	ends 3 "): mix"
}

@test "gate: scaled to the same total, samples are still counted" {
	diff-folded -n "$DATA/gate/few.folded" "$DATA/gate/four.folded" > both.folded
	run report-folded --max-growth 3% both.folded
	ends 0 "(197 samples)" "but for noise (1)"
}

@test "gate: --sample-weight and the header" {
	recorded few four --max-growth 3% --sample-weight 2500
	ends 3 "(19700 samples)" "as --sample-weight says"
	recorded few four --max-growth 3% --sample-weight 2500,250000
	ends 3 "(19700 samples)" "2500 before and 250000 after"
	{ echo '# sample-weight: 2500'; cat both.folded; } > with-header
	run report-folded --max-growth 3% with-header
	ends 3 "(19700 samples)" "as the input says"
}

@test "gate: where the weight of a sample is not known, noise tests are off" {
	awk '{ $(NF - 1) += 7 * NR; print }' <(recorded few four; cat both.folded) > odd
	run report-folded --max-growth 3% odd
	ends 3 "noise tests are off"
}

@test "gate: --self and --relative" {
	recorded base eight --max-growth 6% --self
	ends 3 "over the limit: self" "): mix"
	recorded base eight --max-growth 40% --relative
	ends 3 "% of its share" "): mix"
	recorded base eight --max-growth 50% --relative
	ends 0 "none grew by more than 50 % of its share"
}

@test "gate: --fail-over" {
	recorded base eight --fail-over '^mix$:+5%'
	ends 3 "): mix"
	recorded base eight --fail-over 'rest:+5%'
	ends 0 "1 function matching rest checked"
	recorded base eight --fail-over 'rest:+5%' --fail-over 'm.x:5' --max-growth 50%
	ends 3 "within the limit: total of 1 function matching rest" "): mix" \
		"none grew by more than 50 points"
}

@test "gate: --min-samples" {
	recorded few eight --max-growth 3% --min-samples 1000
	ends 0 "with fewer than 1000 samples not checked"
}

@test "gate: what is new" {
	printf 'a;b 500 500\na;c 0 100\n' > new
	run report-folded --max-growth 3% new --sample-weight 1
	ends 3 "total 0.00 % -> 16.67 %" "): c"
	run report-folded --max-growth 3% --relative new --sample-weight 1
	ends 3 ", new" "): c"
}

@test "gate: in other formats" {
	recorded base eight --max-growth 6% --format markdown
	ends 3 "- over the limit" '): `mix`'
	diff-folded "$DATA/gate/base.folded" "$DATA/gate/eight.folded" > both.folded
	for format in tsv json; do
		run --separate-stderr report-folded --max-growth 6% --format "$format" both.folded
		[ "$status" -eq 3 ]
		[[ $stderr == "report-folded: over the limit"*"): mix" ]]
		[[ $output != *"over the limit"* ]]
		run --separate-stderr report-folded --max-growth 20% --format "$format" both.folded
		[ "$status" -eq 0 ]
		[[ $stderr == "report-folded: within the limit"* ]]
	done
}

@test "gate: the file of --output is there" {
	diff-folded "$DATA/gate/base.folded" "$DATA/gate/eight.folded" > both.folded
	echo old > summary
	run report-folded --max-growth 6% -o summary both.folded
	[ "$status" -eq 3 ]
	grep -q "over the limit" summary
}

@test "gate: growth that is just the limit is not beyond it" {
	# whose difference is more than 1 in floating point
	printf 'a 13 14\nb 87 86\n' > it
	run report-folded --max-growth 1% --sample-weight 0.001 it
	ends 0 "within the limit"
	run report-folded --max-growth 0.99% --sample-weight 0.001 it
	ends 3 "): a"
}

# can_record : skips the test where perf cannot.
can_record()
{
	command -v perf > /dev/null || skip "no perf"
	perf record -q -e cpu-clock:u -F 4000 -g -o try.data -- true > /dev/null 2>&1 ||
		skip "perf may not record"
}

# build NAME MIX : the program of tests/data/src/gate.c.
build()
{
	mkdir -p "$1"
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -DMIX="$2" -DREST=800 -DROUNDS=800 \
		-o "$1/app" "$DATA/src/gate.c"
}

# Some 10,000 samples each: 2 points are four deviations.
@test "gate: two builds that differ by 4 and by 8 points" {
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

# job : the shell part of the README's job.
job()
{
	awk '
		/^## In CI/ { here = 1; next }
		/^## / { here = 0 }
		here && /run: \|$/ { match($0, /^ */); indent = RLENGTH; inside = 1; next }
		inside && NF { match($0, /^ */); if (RLENGTH <= indent) inside = 0 }
		inside { print }' "$TOP/README.md" > job
	[ -s job ]
}

# run_job REF : with a stand-in for gh, which has main's artifact in the folder `kept`.
run_job()
{
	mkdir -p bin
	cat > bin/gh <<-'END'
		#!/bin/sh
		case "$1 $2" in
		"run list") echo 42 ;;
		"run download") [ "$3 $4 $5 $6 $7" = "42 --name profile --dir main" ] && cp -r kept main ;;
		*) exit 1 ;;
		esac
	END
	chmod +x bin/gh
	rm -rf main out summary
	run env PATH="$PWD/bin:$PATH" GITHUB_SHA=1234abc GITHUB_REF_NAME="$1" \
		GITHUB_STEP_SUMMARY=summary BENCHMARK=./app bash -e -o pipefail job
}

@test "gate: the job of the README" {
	job
	mkdir bin
	# stands in for perf, which has recorded something before
	cat > bin/perf <<-END
		#!/bin/sh
		exec xz -dc "$DATA/\${RECORDED:-before}.perf.txt.xz" > perf.data
	END
	chmod +x bin/perf
	run_job main
	ends 0
	grep -q '</svg>' out/profile.svg
	[ ! -e out/summary.md ]
	cp -r out kept
	run_job change
	ends 0
	grep -q '</svg>' out/diff.svg
	grep -q 'within the limit' out/summary.md
	cmp summary out/summary.md
	export RECORDED=after
	run_job change
	ends 3
	grep -q 'over the limit.*`Linker::resolve`' out/summary.md
	cmp summary out/summary.md
	grep -q '</svg>' out/diff.svg
}

@test "gate: the job of the README, with perf" {
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
