#!/bin/sh
# flame: records what a program does and draws a flame graph of it: perf, collapse-perf and
# flamegraph in one command. `make` joins it from the parts in flame/; this is the first one.
# Pipelines are built as text, and functions are called from that text.
# shellcheck disable=SC2016,SC2317
set -u
self=flame

# open_streams : opens closed standard streams as /dev/null. Programs that start jobs may
# leave them closed; then the next file that we open would get that number, and the command
# would read it or write to it.
open_streams()
{
	(: 3<&0) 2> /dev/null || exec 0<> /dev/null
	(: 3>&1) 2> /dev/null || exec 1<> /dev/null
	(: 3>&2) || exec 2<> /dev/null
}

open_streams
