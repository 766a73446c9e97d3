night__shift;main;knead 250000
