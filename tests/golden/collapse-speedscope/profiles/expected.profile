# event: weight
# unit: ns
# quality: stacks=4
events 1500000
events;(anonymous) 3000000
events;main:a.py:3 2750000
events;main:a.py:3;f:g:b.py 1250000
