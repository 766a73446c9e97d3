collapse-perf: --wall does not work with --compat
