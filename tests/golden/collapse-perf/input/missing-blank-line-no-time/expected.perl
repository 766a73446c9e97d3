oven;main;bake 1
oven;main;knead 1
