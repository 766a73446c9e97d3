/* Threads with names, which ask for the time (in the vdso) and allocate. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "work.h"

static void *run(void *name)
{
	struct timespec now;

	pthread_setname_np(pthread_self(), name);
	for (int i = 0; i < 60; i++) {
		descend(5, 20000);
		for (int k = 0; k < 20000; k++) {
			clock_gettime(CLOCK_MONOTONIC, &now);
			free(malloc((size_t)k % 4000 + 1));
		}
	}
	return NULL;
}

int main(void)
{
	static char *const names[] = { "worker 1", "worker 2" };
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, names[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
