collapse-perf: input:3: 1 line was not understood, the first is here: 'the oven is hot'
