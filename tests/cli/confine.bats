#!/usr/bin/env bats
# What a collapser of root gives up while it reads: see SECURITY.md.
bats_require_minimum_version 1.5.0

# seen : how a collapser that waits for its input is confined, as the kernel says.
seen()
{
	cd "$BATS_TEST_TMPDIR" || return
	mkfifo input
	"$BIN/collapse-recursive" input > out 3>&- &
	exec 4> input
	sleep 0.3
	grep -E '^(NoNewPrivs|Seccomp):' "/proc/$!/status" | tr '\n\t' '  ' > state
	echo 'a;b 1' >&4
	exec 4>&-
	wait $!
}

confines()
{
	[ "$(id -u)" -eq 0 ] || skip 'not root'
	grep -q '^Seccomp:' /proc/self/status 2> /dev/null || skip 'no seccomp'
	case $(uname -m) in x86_64 | aarch64 | riscv64 | s390x) ;; *) skip 'not on this machine' ;; esac
}

@test 'as root, a collapser is confined before it reads' {
	confines
	seen
	[ "$(cat "$BATS_TEST_TMPDIR/state")" = 'NoNewPrivs: 1 Seccomp: 2 ' ]
	[ "$(cat "$BATS_TEST_TMPDIR/out")" = 'a;b 1' ]
}

@test 'as root, a file of -o is replaced all the same, by its name or by a link' {
	cd "$BATS_TEST_TMPDIR"
	mkdir folder
	ln -s folder/file link
	for name in folder/file link ./folder/file; do
		echo 'a;b 1' | "$BIN/collapse-recursive" -o "$name"
		[ "$(cat folder/file)" = 'a;b 1' ]
	done
	[ -L link ]
}
