flamegraph: --cp keeps the colours of functions, --colors library has those of libraries: leave out one of them
