collapse-perf: 53 samples kept, 20 ignored, 0 dropped
collapse-perf: kept event 'cpu-clock' (53 samples); ignored 'page-faults' (1 sample), 'context-switches' (19 samples) (--event-filter chooses others)
