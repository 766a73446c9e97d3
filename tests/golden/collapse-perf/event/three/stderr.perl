collapse-perf: --compat=perl allows only the options of stackcollapse-perf.pl, --keep and --drop
