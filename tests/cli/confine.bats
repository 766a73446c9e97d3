#!/usr/bin/env bats
# Rights that a collapser run by root gives up before it reads; see SECURITY.md.
bats_require_minimum_version 1.5.0

# seen PROGRAM : writes to `state` how the kernel confines a collapser that has opened
# its input. The input is a pipe, which opens once both sides have opened it.
seen()
{
	cd "$BATS_TEST_TMPDIR" || return
	[ -p input ] || mkfifo input
	"$1" input > out 2> error 3>&- &
	exec 4> input
	grep -E '^(NoNewPrivs|Seccomp):' "/proc/$!/status" | tr '\n\t' '  ' > state
	echo 'a;b 1' >&4
	exec 4>&-
	wait $! || true
}

confines()
{
	[ "$(id -u)" -eq 0 ] || skip 'not root'
	grep -q '^Seccomp:' /proc/self/status 2> /dev/null || skip 'no seccomp'
	case $(uname -m) in x86_64 | aarch64 | riscv64 | s390x) ;; *) skip 'not on this machine' ;; esac
}

@test 'as root, every collapser is confined before it reads' {
	local program
	confines
	for program in "$BIN"/collapse-*; do
		case $program in */collapse-guess) continue ;; esac
		echo "$program"
		seen "$program"
		[ "$(cat state)" = 'NoNewPrivs: 1 Seccomp: 2 ' ]
	done
	seen "$BIN/collapse-recursive"
	[ "$(cat out)" = 'a;b 1' ]
}

@test "as root, -o replaces its file, also through a link" {
	cd "$BATS_TEST_TMPDIR"
	mkdir folder
	ln -s folder/file link
	for name in folder/file link ./folder/file; do
		echo 'a;b 1' | "$BIN/collapse-recursive" -o "$name"
		[ "$(cat folder/file)" = 'a;b 1' ]
	done
	[ -L link ]
}
