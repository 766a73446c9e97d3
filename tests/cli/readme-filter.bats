#!/usr/bin/env bats
# What README.md says of filter-folded: every command runs, and does what it is said to do.
bats_require_minimum_version 1.5.0

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	README=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/README.md
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
	printf '#!/bin/sh\necho here\n' > bin/hostname
	chmod +x bin/perf bin/hostname
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

# commands HEADING : the indented lines from a heading, which is bold, to the next.
commands()
{
	awk -v heading="**$1**" '
		/^\*\*/ { here = index($0, heading) == 1 }
		here && /^    / { sub(/^    /, ""); print }' "$README"
}

run_all()
{
	commands "$1" > script
	[ "$(wc -l < script)" -ge 4 ]
	bash -e -o pipefail script 2> errors < /dev/null || { cat errors; return 1; }
}

@test "README: one question of a profile" {
	run_all "One question of a profile"
	printf '%s\n' 'malloc;parse;main;app 50' \
		'malloc;tokio::runtime::park;main;app 10' | cmp - callers.folded
	echo 'run;work 60' | cmp - worker.folded
	grep -q '</svg>' busy.svg
	flamegraph --extract own.svg > own
	grep -q '^app;main;tokio;malloc;brk 10$' own
	grep -q '^app;main;parse;compare 30$' own
}

@test "README: a fleet" {
	run_all "A fleet"
	[ -s hosts/here.folded ]
	grep -q '^worker;run;work 120$' fleet.folded
	[ "$(grep -c swapper fleet.folded)" -eq 0 ]
	wanted=$(cat hosts/*.folded | grep -v '^swapper' | awk '{ s += $NF } END { print s }')
	[ "$(awk '{ s += $NF } END { print s }' fleet.folded)" = "$wanted" ]
	flamegraph --extract week.svg > week
	grep -q '^worker;run;work 65.* 120$\|^worker;run;work 66 120$' week
}
