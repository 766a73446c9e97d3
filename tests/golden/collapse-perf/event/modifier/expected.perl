oven;main;knead 500000
