flamegraph: --cp keeps a colour for each function, but --colors library has one for each library: leave out one of them
