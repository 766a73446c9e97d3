#!/usr/bin/env bats
# README.md and docs/: their commands run and do what the text says, links lead somewhere, and the
# figures are those of the measurements. manuals.bats runs the other commands of the guide.
bats_require_minimum_version 1.5.0
load libraries

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd) || return 1
	export DATA
	DATA=$(cd "$BATS_TEST_DIRNAME/../data/perfdata" && pwd) || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin hosts monday tuesday
	cat > bin/perf <<-'END'
		#!/bin/sh
		# Stands in for perf: prints what it recorded before.
		case $1 in
		record) exec cat "$DATA/pipe.stream" ;;
		script) exec cat "$DATA/stacks.data.txt" ;;
		esac
	END
	cat > bin/stand-in <<-'END'
		#!/bin/sh
		# Stands in for the profilers of README: notes its arguments; the files exist already.
		echo "${0##*/} $*" >> "$ASKED"
	END
	for name in flame cargo sudo asprof node py-spy; do
		cp bin/stand-in bin/$name
	done
	export ASKED=$PWD/asked
	printf '#!/bin/sh\necho here\n' > bin/hostname
	chmod +x bin/*
	PATH=$PWD/bin:$BIN:$PATH
	export LC_ALL=C
	cat > cpu.folded <<-'END'
		app;main;parse;malloc 50
		app;main;parse;std::sort;compare 30
		app;main;tokio::runtime::park;malloc;brk 10
		swapper;idle 400
		worker;run;work 60
	END
	for host in a b; do
		sed 's/^worker;/worker-7;/' cpu.folded > hosts/$host.folded
		cp cpu.folded monday/$host.folded
		sed 's/ 60$/ 120/' cpu.folded > tuesday/$host.folded
	done
}

# commands CHAPTER HEADING : prints the indented lines of a section of the guide.
commands()
{
	awk -v heading="## $2" '
		/^## / { here = $0 == heading }
		here && /^    / { sub(/^    /, ""); print }' "$TOP/docs/guide/$1.md"
}

run_all()
{
	commands "$1" "$2" > script
	[ "$(wc -l < script)" -ge 4 ]
	bash -e -o pipefail script 2> errors < /dev/null || { cat errors; return 1; }
}

@test "guide: its commands answer their question" {
	run_all working "One question of a profile"
	printf '%s\n' 'malloc;parse;main;app 50' \
		'malloc;tokio::runtime::park;main;app 10' | cmp - callers.folded
	echo 'run;work 60' | cmp - worker.folded
	grep -q '</svg>' busy.svg
	flamegraph --extract own.svg > own
	grep -q '^app;main;tokio;malloc;brk 10$' own
	grep -q '^app;main;parse;compare 30$' own
}

@test "guide: many machines" {
	needs_library libelf
	run_all fleet "In short"
	[ -s hosts/here.folded ]
	grep -q '^worker;run;work 120$' fleet.folded
	[ "$(grep -c swapper fleet.folded)" -eq 0 ]
	wanted=$(cat hosts/*.folded | grep -v '^swapper' | awk '{ s += $NF } END { print s }')
	[ "$(awk '{ s += $NF } END { print s }' fleet.folded)" = "$wanted" ]
	flamegraph --extract week.svg > week
	grep -q '^worker;run;work 65.* 120$\|^worker;run;work 66 120$' week
}

# rows : prints the commands of the table "I have this, I run that", one per line.
rows()
{
	awk '/^## I have this/ { here = 1 } /^## More/ { exit } here && /^\| / {
		gsub(/\\\|/, "\001")
		split($0, cell, "|")
		while (match(cell[3], /`[^`]*`/)) {
			line = substr(cell[3], RSTART + 1, RLENGTH - 2)
			gsub("\001", "|", line)
			print line
			cell[3] = substr(cell[3], RSTART + RLENGTH)
		}
	}' "$TOP/README.md"
}

@test "README: its commands run" {
	needs_library libelf
	cp "$TOP/tests/golden/collapse-pprof/cpu/input.pb.gz" cpu.pb.gz
	gzip -dc "$TOP/tests/golden/collapse-jfr/jdk17/input.gz" > app.jfr
	cp "$TOP/tests/golden/collapse-cpuprofile/node/input" app.cpuprofile
	cp "$TOP/tests/golden/collapse-heaptrack/two/input" heaptrack.app.1.zst
	cp "$TOP/tests/golden/collapse-gperftools/basic/input" jeprof.1.0.f.heap
	cp "$DATA/frames.data" perf.data
	cp "$DATA/stacks.data.txt" perf.txt
	cp cpu.folded app.folded
	cp cpu.folded before.folded
	cp cpu.folded after.folded
	cp cpu.folded file
	rows | grep -v -x 'collapse-guess file' > script
	awk '/^## Three commands/ { here = 1 } /^## Why/ { exit } here && /^    /' "$TOP/README.md" >> script
	grep '^    perf script' "$TOP/README.md" >> script
	[ "$(wc -l < script)" -ge 22 ]
	bash -e -o pipefail script > out 2> errors < /dev/null || { cat errors; return 1; }
	grep -q '^flame --diff flamegraph.svg -- ./program arguments$' asked
	grep -q malloc out
	for picture in flame heap diff callers; do
		grep -q '</svg>' $picture.svg
	done
}

@test "README: it fits three screens" {
	[ "$(wc -l < "$TOP/README.md")" -le 120 ]
	run ! grep -E '^.{131,}$' <(grep -v '^|' "$TOP/README.md")
}

@test "docs: every link leads to a file" {
	for page in "$TOP"/README.md "$TOP"/docs/*.md "$TOP"/docs/guide/*.md; do
		grep -o -e '](\([^)]*\))' -e 'src="[^"]*"' "$page" | sed 's/^](//; s/)$//; s/^src="//; s/"$//' |
			grep -v '^http' | while read -r link; do
			[ -e "${page%/*}/${link%%#*}" ] || { echo "$page: $link"; exit 1; }
		done
	done
}

@test "docs: the tour's functions are in the files that it names" {
	# shellcheck disable=SC2016 # Markdown's code
	sed -n 's/^|.*| `\([A-Za-z_]*\)` | \[[^]]*](\.\.\/\([^)]*\)) |$/\1 \2/p' \
		"$TOP/docs/tour.md" > rows
	[ "$(wc -l < rows)" -ge 20 ]
	while read -r function file; do
		grep -q "\b$function(" "$TOP/$file" || { echo "$function: $file"; return 1; }
	done < rows
}

@test "docs: README.md or docs/README.md leads to every page, guide.md to every chapter" {
	for page in "$TOP"/docs/*.md; do
		grep -q "](\(docs/\)\?${page##*/})" "$TOP/README.md" "$TOP/docs/README.md" ||
			{ echo "$page"; return 1; }
	done
	for page in "$TOP"/docs/guide/*.md; do
		grep -q "](guide/${page##*/})" "$TOP/docs/guide.md" || { echo "$page"; return 1; }
	done
}

# Each number of seconds and megabytes in the tables must be one of the measurements,
# rounded the same way.
@test "README: its figures are those of the measurements" {
	awk '
	function number(text) { gsub(",", "", text); sub(/ .*/, "", text); return text + 0 }
	FILENAME !~ /README/ {
		count = split($0, cell, "|")
		for (i = 2; i <= count; i++) {
			gsub(/^ +/, "", cell[i])
			if (cell[i] ~ /^[0-9]/) value[number(cell[i])] = 1
		}
		next
	}
	/^## Why/ { here = 1 } /^## I have/ { here = 0 }
	!here || !/ (s|MB)( |,|\.|$)/ { next }
	{
		gsub(/577 MB of|fold 26 MB,/, "")
		while (match($0, /[0-9.]+ (s|MB)([ ,.]|$)/)) {
			split(substr($0, RSTART, RLENGTH), word, " ")
			$0 = substr($0, RSTART + RLENGTH)
			sub(/[,.]$/, "", word[2])
			digits = index(word[1], ".") ? length(word[1]) - index(word[1], ".") : 0
			found = 0
			for (v in value) {
				if (word[2] == "s" && sprintf("%." digits "f", v / 1000) == word[1]) found = 1
				if (word[2] == "MB" && sprintf("%." digits "f", v) == word[1]) found = 1
				if (word[2] == "MB" && sprintf("%." digits "f", v / 1e6) == word[1]) found = 1
			}
			checked++
			if (!found) { print "not measured: " word[1] " " word[2]; bad = 1 }
		}
	}
	END { exit bad || checked < 30 }' \
		"$TOP/tests/bench/RESULTS.md" "$TOP/tests/browser/RESULTS.md" "$TOP/README.md"
}
