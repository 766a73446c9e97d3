a;b 87 100
a;c 43 33
a;d 8 0
a;e 0 7
