pool-?/3;main;knead 250000
