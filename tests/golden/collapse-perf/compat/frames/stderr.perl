collapse-perf: input:26: 3 lines were not understood, the first is here: '\t1010 noparen'
