rye;;malt;main;knead 250000
