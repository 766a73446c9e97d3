12345;main;knead 250000
