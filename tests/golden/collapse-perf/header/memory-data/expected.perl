oven;main;knead 1
