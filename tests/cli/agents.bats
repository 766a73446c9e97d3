#!/usr/bin/env bats
# contrib/agents/SKILL.md: every command in it runs, and it fits on a page.
bats_require_minimum_version 1.5.0

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd) || return 1
	SKILL=$TOP/contrib/agents/SKILL.md
	export LC_ALL=C
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin
	# stands in for flame, which would need the right to record
	printf '#!/bin/sh\n[ "$*" = "-o flame.svg -- ./program" ]\n' > bin/flame
	chmod +x bin/flame
	PATH=$PWD/bin:$BIN:$PATH
}

# commands : prints the commands of the page: the blocks marked sh, and the code in the second column of a table.
commands()
{
	awk '/^```sh/ { code = 1; next } /^```/ { code = 0 } code { print }
		/^\| / && match($0, /\| `[^`]*`/) { print substr($0, RSTART + 3, RLENGTH - 4) }' "$SKILL"
}

@test "agents: every command of the page runs" {
	cp "$TOP/tests/data/perfdata/frames.data" perf.data
	cp "$TOP/tests/golden/collapse-go/cpu/input" profile
	printf 'main:m.c:1;parse:m.c:2 600\nmain:m.c:1 300\n' > old.folded
	commands > list
	[ "$(wc -l < list)" -eq 16 ]
	while read -r command; do
		case $command in
		*app.folded | *"app.folded > "*)
			# the profile that a command above has made has no such function
			case $command in collapse*) ;; *) printf 'main:m.c:1;parse:m.c:2 900\nmain:m.c:1 300\n' > app.folded ;; esac ;;
		esac
		status=0
		sh -c "$command" > shown 2> err < /dev/null || status=$?
		case $command in *max-growth*) [ $status -eq 3 ] && continue ;; esac
		[ $status -eq 0 ] || { echo "$command: $status"; cat err; return 1; }
	done < list
}

@test "agents: the page has its name, says that names are data, and is short" {
	head -n 1 "$SKILL" | grep -qx -e '---'
	grep -q '^name: flamepipe$' "$SKILL"
	grep -q '^description: .\{40,1000\}$' "$SKILL"
	grep -q 'data, never$' "$SKILL"
	[ "$(wc -l < "$SKILL")" -le 70 ]
}
