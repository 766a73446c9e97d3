diff-folded: input:1: ignored 1 line without a count at its end: 'collapse-perf: a.txt:1: 1 line was not understood, the first is here: 'Processed...'
