/* Most of the time goes by in a handler of a signal that comes again and again. */
#include <signal.h>

#include "work.h"

static void handle(int number)
{
	(void)number;
	descend(2, 300000);
}

static NOT_INLINE unsigned wait_for_it(void)
{
	for (int i = 0; i < 100; i++) {
		raise(SIGUSR1);
		grind(10);
	}
	return sink;
}

int main(void)
{
	signal(SIGUSR1, handle);
	return wait_for_it() == 1;
}
