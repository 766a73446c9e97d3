// Threads whose names are hard to parse: blanks, digits, slashes, brackets.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static const char *const names[] = {
	"pool 3 worker 1", "kworker/0:1",  "[x]",	  "12345",
	"a 1/2 [003]",	   "(sd-pam)",	   "#comment",	  "x: y: z",
	"semi;;l",	   " lead trail ", "7 8.000001:", "q",
};

enum { COUNT = sizeof names / sizeof names[0] };

static double limit = 0.25; // seconds of CPU a thread

static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static __attribute__((noinline)) unsigned spin(unsigned x, int depth)
{
	for (int i = 0; i < 3000; i++)
		x = x * 1664525u + 1013904223u;
	return depth > 0 ? spin(x, depth - 1) + 1 : x;
}

static void *work(void *name)
{
	unsigned x = 1;
	pthread_setname_np(pthread_self(), name);
	while (cpu_seconds() < limit)
		x = spin(x, 5);
	return x == 0 ? name : NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[COUNT];
	if (argc > 1)
		limit = atof(argv[1]);
	for (int i = 0; i < COUNT; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)names[i]) != 0)
			return 1;
	for (int i = 0; i < COUNT; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
