/* chain [SECONDS [THREADS]] : computes below main, outer, middle and inner. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define NOT_INLINED __attribute__((noinline, noclone))

volatile unsigned long sum;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

NOT_INLINED static void inner(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sum += i * i;
	__asm__ volatile("");
}

NOT_INLINED static void middle(void)
{
	inner();
	__asm__ volatile("");
}

NOT_INLINED static void outer(double until)
{
	while (now() < until)
		middle();
	__asm__ volatile("");
}

static void *thread(void *until)
{
	outer(*(double *)until);
	return NULL;
}

int main(int argc, char **argv)
{
	int others = argc > 2 ? atoi(argv[2]) - 1 : 0;
	double until = now() + (argc > 1 ? atof(argv[1]) : 0.5);
	pthread_t t;

	while (others-- > 0)
		pthread_create(&t, NULL, thread, &until);
	outer(until);
	return 0;
}
