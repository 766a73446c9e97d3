collapse-perf: input:1: 1 line was not understood, the first is here: ' 4242   100.000001:     250000 cycles: '
collapse-perf: input: no sample was found: is this the output of perf script?
