collapse-perf: input:40: 46 lines were not understood, the first is here: ' lead trail   2894  1699.719387:    5025125 cpu-clock: '
