collapse-perf: input: no sample was found: is this the output of perf script?
