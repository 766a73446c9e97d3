collapse-perf: --wall goes without --compat
