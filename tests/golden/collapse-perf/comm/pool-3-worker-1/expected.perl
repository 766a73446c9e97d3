pool;main;knead 250000
