oven 250000
oven;main;knead 250000
