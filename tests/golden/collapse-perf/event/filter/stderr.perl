collapse-perf: 1 sample kept, 1 ignored, 0 dropped
collapse-perf: kept event 'page-faults' (1 sample); ignored 'cycles' (1 sample) (--event-filter chooses others)
