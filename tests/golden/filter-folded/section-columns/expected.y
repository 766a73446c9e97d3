# event: y
a 1 2
