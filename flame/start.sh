#!/bin/sh
# flame: records what a program does, and draws it: perf, collapse-perf and flamegraph in
# one command. `make` joins it from the parts in flame/; this is the first.
# Pipelines are kept as text, and functions are called from there.
# shellcheck disable=SC2016,SC2317
set -u
version=@VERSION@

# Programs that were built or installed together find each other, after those on PATH.
case $0 in
*/*) PATH=$PATH:${0%/*} ;;
esac

# say TEXT... : a message, which -q turns off.
say()
{
	[ -n "$quiet" ] || printf 'flame: %s\n' "$*" >&2
}

# fail STATUS TEXT... : the message of an error; ends the run.
fail()
{
	status=$1; shift
	printf 'flame: %s\n' "$*" >&2
	exit "$status"
}

misuse()
{
	fail 2 "$* (see flame --help)"
}
