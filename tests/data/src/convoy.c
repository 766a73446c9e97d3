// Six threads that share a table behind one lock. Once a second one of them holds the lock for
// 150 ms while it sleeps, as one that writes to a disk does, and all others queue up behind it:
// a lock convoy, in which nobody runs.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 6 };

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static unsigned rows;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void nap(long milliseconds)
{
	struct timespec pause = { 0, milliseconds * 1000000 };
	nanosleep(&pause, NULL);
}

static __attribute__((noinline)) unsigned compute(unsigned x)
{
	for (int i = 0; i < 300000; i++)
		x = x * 1664525u + 1013904223u;
	return x;
}

static __attribute__((noinline)) void update_table(unsigned x)
{
	pthread_mutex_lock(&table);
	rows += x;
	pthread_mutex_unlock(&table);
}

static __attribute__((noinline)) void save_table(void)
{
	pthread_mutex_lock(&table);
	nap(150);
	pthread_mutex_unlock(&table);
}

static void *serve(void *first)
{
	double start = now(), next = start + 1;
	unsigned x = 1;
	while (now() < start + 4) {
		x = compute(x);
		update_table(x);
		if (first && now() > next) {
			save_table();
			next += 1;
		}
		nap(2);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, serve, i ? NULL : &rows))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%u\n", rows);
	return 0;
}
