#!/usr/bin/env bats
# The examples of the manuals: every command runs, and prints what the page shows.
bats_require_minimum_version 1.5.0

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	MAN=$(cd "$BATS_TEST_DIRNAME/../../man" && pwd) || return 1
	export DATA
	DATA=$(cd "$BATS_TEST_DIRNAME/../data/perfdata" && pwd) || return 1
	for program in collapse-bpftrace collapse-perf collapse-recursive diff-folded flamegraph; do
		[ -x "$BIN/$program" ] || skip "no $program"
	done
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin
	cat > bin/perf <<-'END'
		#!/bin/sh
		# Stands in for perf: has recorded something before, prints a profile.
		case "$*" in
		record*"-o -"*) exec cat "$DATA/pipe.stream" ;;
		record*) exec cp "$DATA/frames.data" perf.data ;;
		script*) ;;
		*) exit 0 ;;
		esac
		for t in 1 2 3; do
			echo "app 41/4$t [000] 100.00000$t: 10$t cycles: "
			echo "  ffffffff8100000$t ksys_write+0x1 ([kernel.kallsyms])"
			echo "      55d0c0ffee1$t step_$t+0x2 (/usr/bin/app)"
			echo "      55d0c0ffee10 main+0x1 (/usr/bin/app)"
			echo
		done
	END
	cat > bin/bpftrace <<-'END'
		#!/bin/sh
		# Stands in for bpftrace: traces nothing, prints a map.
		if [ "$1" = -f ]; then
			printf '%s\n' '{"type": "map", "data": {"@cpu": {"\n    alpha+1\n    main+2\n": 7}}}'
			exit
		fi
		printf '@[\n    vfs_read+1\n    do_syscall_64+9\n, \n    main+2\n, app]: 5\n'
	END
	chmod +x bin/perf bin/bpftrace
	PATH=$PWD/bin:$BIN:$PATH
	export LC_ALL=C
}

# examples PAGE WHAT : the commands in the page's examples, or what they print.
examples()
{
	awk -v what="$2" '
	/^\.Sh / { here = /EXAMPLES/ }
	/^\.Bd -literal/ { literal = 1; next }
	/^\.Ed/ { literal = command = 0 }
	!here || !literal { next }
	{
		gsub(/\\e/, "\\"); gsub(/\\&/, "")
		if (/^\$ /) command = 1
		else if (!/^  /) command = 0
		sub(/^\$ /, "")
	}
	command == (what == "commands")' "$MAN/$1"
}

check_examples()
{
	local last
	examples "$1" commands > script
	examples "$1" output > expected
	[ -s script ]
	bash -e -o pipefail -x script > output 2> errors < /dev/null || {
		echo "failed with status $?:"
		tail -n 5 errors
		return 1
	}
	diff -u expected output
	for last in *.svg; do
		[ ! -e "$last" ] || grep -q '</svg>' "$last"
	done
}

@test "manuals: the examples of collapse-bpftrace.1" { check_examples collapse-bpftrace.1; }
@test "manuals: the examples of collapse-perf.1" { check_examples collapse-perf.1; }
@test "manuals: the examples of collapse-recursive.1" { check_examples collapse-recursive.1; }
@test "manuals: the examples of diff-folded.1" { check_examples diff-folded.1; }
@test "manuals: the examples of flamegraph.1" { check_examples flamegraph.1; }
@test "manuals: the examples of folded.5" { check_examples folded.5; }
@test "manuals: the examples of flamepipe.7" { check_examples flamepipe.7; }

@test "manuals: no option without its default" {
	for page in collapse-bpftrace.1 collapse-perf.1 collapse-recursive.1 diff-folded.1 flamegraph.1; do
		awk -v page=$page '
		function check() {
			if (option != "" && !has_default) { print page ": " option; bad = 1 }
		}
		/^\.(It|El|Sh)/ { check(); option = ""; has_default = 0 }
		/^\.It Fl / && !/-(help|version|all|encoding|quiet|random)/ { option = $0 }
		/[Dd]efault/ { has_default = 1 }
		END { exit bad }' "$MAN/$page"
	done
}
