collapse-perf: 2 samples kept, 1 ignored, 0 dropped
collapse-perf: kept event 'cycles' (2 samples); ignored 'page-faults' (1 sample) (--event-filter chooses others)
