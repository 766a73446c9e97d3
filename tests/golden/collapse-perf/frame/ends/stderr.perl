collapse-perf: input:2: 6 lines were not understood, the first is here: '\t    1010 b+0x5 (/bin/app'
