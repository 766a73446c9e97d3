oven;main;knead 2
