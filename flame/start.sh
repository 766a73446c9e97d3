#!/bin/sh
# flame: records what a program does, and draws it: perf, collapse-perf and flamegraph in
# one command. `make` joins it from the parts in flame/; this is the first.
# Pipelines are kept as text, and functions are called from there.
# shellcheck disable=SC2016,SC2317
set -u
self=flame

# A standard stream that is closed, as who starts jobs may leave it, becomes /dev/null: else a
# file that we open gets its number, and the command reads that, or writes to it.
open_streams()
{
	(: 3<&0) 2> /dev/null || exec 0<> /dev/null
	(: 3>&1) 2> /dev/null || exec 1<> /dev/null
	(: 3>&2) || exec 2<> /dev/null
}

open_streams
