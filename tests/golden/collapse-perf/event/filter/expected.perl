oven;main;bake 7
