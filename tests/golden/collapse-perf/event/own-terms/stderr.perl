collapse-perf: 1 sample kept, 4 ignored, 0 dropped
collapse-perf: kept event 'cycles/freq=99/' (1 sample); ignored 'instructions/freq=99/' (1 sample), 'task-clock/freq=99,call-graph=dwarf,stack-size=8192/u' (1 sample), 'cpu_core/cycles,freq=99/' (1 sample), 'branch-misses/no-inherit,percore,period=50/pp' (1 sample) (--event-filter chooses others)
