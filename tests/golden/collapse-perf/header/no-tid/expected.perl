oven___100.000001:;main;knead 250000
