#!/usr/bin/env bats
# docs/guide: its messages are those of the programs, and its options exist. What the chapter "What is slow at
# times" shows is seen with the programs of tests/data/src, which are recorded here if perf may.
bats_require_minimum_version 1.5.0
load libraries

setup_file()
{
	export live=$BATS_FILE_TMPDIR HOME=$BATS_FILE_TMPDIR PERF_CONFIG=/dev/null
	command -v perf gcc > /dev/null || return 0
	cd "$live" || return 1
	for name in stall periodic convoy warmup; do
		gcc -O1 -g -o $name "$BATS_TEST_DIRNAME/../data/src/$name.c" -lpthread || return 1
	done
	for name in stall periodic warmup; do
		perf record -q -N -e cpu-clock -F 997 --call-graph dwarf,4096 -o $name.data ./$name \
			> /dev/null 2>&1 || rm -f $name.data
	done
	perf record -q -N -F 499 -e cpu-clock -e sched:sched_switch --switch-events --call-graph dwarf,8192 \
		-o convoy.data ./convoy > /dev/null 2>&1 || rm -f convoy.data
}

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd) || return 1
	PATH=$BIN:$PATH
	export LC_ALL=C
	cd "$live" || return 1
	GUIDE=$TOP/docs/guide
	# the chapter's awk program
	awk '/^    \$ cat by-slice$/ { here = 1; next } !/^    / { here = 0 } here { sub(/^    /, ""); print }' \
		"$GUIDE/slow-at-times.md" > by-slice
	chmod +x by-slice
	[ "$(wc -l < by-slice)" -eq 3 ]
}

# sliced NAME OPTION... : folds the recording in slices, into NAME.folded.
sliced()
{
	needs_library libelf libdw
	[ -e "$1.data" ] || skip "perf cannot record this here"
	collapse-perf -q --header "${@:2}" "$1.data" > "$1.folded"
	./by-slice "$1.folded" > /dev/null
}

# slices_of FUNCTION NAME : prints the slices that contain the function, in order.
slices_of() { filter-folded --focus "^$1\$" "$2.folded" | ./by-slice | cut -d ' ' -f 2 | sort; }

# total FUNCTION : prints the function's total in the folded stacks on standard input.
total() { report-folded --sort total --limit 0 | awk -v name="$1" '$NF == name { print $3; found = 1 } END { if (!found) print 0 }'; }

@test "guide: a stall shows as consecutive slices, once" {
	sliced stall --slice 20ms
	slices_of rebuild_index stall > when
	[ "$(wc -l < when)" -ge 2 ]
	first=$(head -n 1 when | tr -d @)
	last=$(tail -n 1 when | tr -d @)
	filter-folded --from "$first" --to "$last" stall.folded > in.folded
	diff-folded -n stall.folded in.folded | report-folded --sort total > said
	grep -q 'rebuild_index$' <(sed -n 4,6p said)
}

@test "guide: a periodic job shows in slices all over the run" {
	sliced periodic --slice 20ms
	filter-folded --slice 100ms periodic.folded > wider.folded
	slices_of flush_journal wider | sed 's/^@//' > when
	[ "$(wc -l < when)" -ge 3 ]
	# over all of the run; how late each is depends on what else the machine does
	awk 'NR == 1 { first = $1 } END { exit $1 - first < 2 }' when
}

@test "guide: a lock convoy shows in wall-clock time, with who waits for it" {
	sliced convoy --wall --slice 200ms
	filter-folded --focus lll_lock_wait convoy.folded > lock.folded
	[ -s lock.folded ] || skip "the C library calls it otherwise"
	report-folded --callers lll_lock_wait --all-frames lock.folded | grep -q 'update_table$'
}

@test "guide: warm-up shows in the first second only" {
	sliced warmup --slice 20ms
	[ "$(filter-folded --to 1.1 warmup.folded | total parse_word)" -gt 0 ]
	[ "$(filter-folded --from 1.2 warmup.folded | total parse_word)" -eq 0 ]
}

# pieces : prints the constant parts of the messages in the guide, one a line. A message is a line of its own.
pieces()
{
	awk '/^(-| ) `[^`]*`$/ {
		gsub(/^(-| ) `|`$/, "")
		count = split($0, part, / ?(FILE|FOLDER|NAME|PROGRAM|REGEX|N|\.\.\.|samples|lines|messages|threads|events|perf (is|does) |input is empty|picture: |was|were|have|are|most)[ '"'"',:]*/)
		for (i = 1; i <= count; i++) {
			gsub(/^[ :%'"'"'-]+|[ :'"'"'-]+$/, "", part[i])
			if (length(part[i]) > 9) print part[i]
		}
	}' "$GUIDE/messages.md"
}

@test "guide: the messages it quotes are those of the programs" {
	find "$TOP/flame" "$TOP/record" "$TOP/lib" "$TOP/collapse" "$TOP/flamegraph" "$TOP/difffolded" "$TOP/filterfolded" \
		"$TOP/reportfolded" -name '*.[ch]' -exec cat {} + -o -name '*.sh' -exec cat {} + |
		tr -s ' \t\n' ' ' | sed "s/\" \"//g; s/[\"'] \\\\ [\"']/ /g; s/'s/s/g; s/%%/%/g" > text
	pieces | sed "s/'s/s/g" > wanted
	[ "$(wc -l < wanted)" -ge 40 ]
	while read -r piece; do
		grep -qF -e "$piece" text || { echo "nobody says: $piece"; missing=1; }
	done < wanted
	[ -z "${missing:-}" ]
}

@test "guide: its figures are those of the profiles in tests/data/slow" {
	for name in stall periodic convoy warmup; do
		xz -dc "$TOP/tests/data/slow/$name.folded.xz" > kept-$name
	done
	filter-folded --focus lll_lock_wait kept-convoy > kept-lock
	filter-folded --focus flush_journal kept-periodic > kept-job
	for name in stall job lock; do ./by-slice kept-$name; done > slices
	sed -n 's/^    \([0-9]* @\)/\1/p' "$GUIDE/slow-at-times.md" > shown
	[ "$(wc -l < shown)" -ge 10 ]
	while read -r line; do
		grep -qxF "$line" slices || { echo "not in them: $line"; return 1; }
	done < shown
	# tables of differences, up to the columns that are left out
	filter-folded --from 2 --to 2.2 kept-stall | diff-folded -n kept-stall - | report-folded --sort total > tables
	filter-folded --to 1 kept-warmup > start
	filter-folded --from 1 kept-warmup | diff-folded -n - start | report-folded --sort total >> tables
	grep -E '^ *[0-9]+ +[0-9.]+ +[0-9]+ +[0-9.]+ +[+-]' "$GUIDE/slow-at-times.md" | awk '{ print $1, $2, $3, $4, $5 }' > shown
	[ "$(wc -l < shown)" -eq 4 ]
	awk '{ print $1, $2, $3, $4, $5 }' tables > rows
	while read -r line; do
		grep -qxF -e "$line" rows || { echo "not in the tables: $line"; return 1; }
	done < shown
}

# commands FILE... : prints the commands that start with one of our programs, one a line: of blocks, and between
# backticks.
commands()
{
	sed -e ':join' -e '/\\$/{N;b join' -e '}' "$@" | awk '
		/^ *```/ { block = !block; next }
		block || /^    / { print; next }
		{ while (match($0, /`[^`]*`/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' |
		sed 's/ *\\\?| */\n/g; s/ > [^ ]*//g; s/"//g; s/ \\* *# .*//' | sed 's/^ *//; s/^[$#] //' |
		grep -E '^(sudo )?(cargo flame|flame|flamegraph|(diff|filter|report)-folded|collapse-[a-z]+) ' |
		sed 's/^sudo //; s/^cargo flame/cargo-flame/'
}

@test "guide: every option it names exists" {
	commands "$TOP/README.md" "$GUIDE"/*.md > given
	[ "$(wc -l < given)" -ge 100 ]
	while read -r program words; do
		[ -x "$BIN/$program" ] || { [[ $program == collapse-* ]] && continue; echo "no $program"; return 1; }
		[ -e "help-$program" ] || "$program" --help > "help-$program"
		for word in $words; do
			case $word in
			-- | -c) break ;;
			--?*) word=${word%%=*} ;;
			-[a-z]) ;;
			*) continue ;;
			esac
			grep -qE -e "(^|[ ,])$word([][ ,=]|\$)" "help-$program" || { echo "$program: $word"; wrong=1; }
		done
	done < given
	[ -z "${wrong:-}" ]
}
