# Folded stacks, for the tests of the programs that read them; see manners.bash.
# shellcheck shell=bash

input()
{
	printf '%s\n' 'app;main;alpha 40' 'app;main;beta 60.5' 'app;main;0x7fFf;gamma 7'
}

big()
{
	awk 'BEGIN { for (i = 0; i < 20000; i++) print "app;main;f" i ";g" i % 7 " " i }'
}

long()
{
	echo "app;main;$(xs 1100000) 3"
	input
}
