oven;main;knead 3.68934881474191e+19
