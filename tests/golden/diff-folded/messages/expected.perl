app;main 3 1
cargo-flame: 12 0
collapse-perf;main;flame: 6 0
collapse-pprof: samples that are damaged: 4 0
flame: the command ended with status 7 0
flame::Span::new 2 0
flamegraph:render;flame::Span 5 0
