gone 1
gone 2
gone 3
gone 4
gone 5
gone 6
gone 7
gone 8
