oven;main;bake 250000
oven;main;knead 250000
