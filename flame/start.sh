#!/bin/sh
# flame: records what a program does, and draws it: perf, collapse-perf and flamegraph in
# one command. `make` joins it from the parts in flame/; this is the first.
# Pipelines are kept as text, and functions are called from there.
# shellcheck disable=SC2016,SC2317
set -u
self=flame
