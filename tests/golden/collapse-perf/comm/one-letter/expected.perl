q_;main;knead 250000
