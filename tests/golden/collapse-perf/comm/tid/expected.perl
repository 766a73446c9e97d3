oven-4242/4243;main;knead 250000
oven-4242/4244;main;knead 250000
