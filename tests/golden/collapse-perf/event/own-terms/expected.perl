oven;main;knead 250000
