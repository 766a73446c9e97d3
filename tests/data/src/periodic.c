// A service that works steadily, and writes its journal for 30 ms every half second:
// a periodic job.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) unsigned mix(unsigned x)
{
	for (int i = 0; i < 20000; i++)
		x = x * 1664525u + 1013904223u;
	return x;
}

static __attribute__((noinline)) unsigned handle_request(unsigned x)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + 0.001;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		x = mix(x) + 1;
	return x;
}

static __attribute__((noinline)) unsigned flush_journal(unsigned x)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + 0.03;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		x = mix(x) + 2;
	return x;
}

int main(void)
{
	double start = now(CLOCK_MONOTONIC), next = start + 0.5;
	struct timespec pause = { 0, 2000000 };
	unsigned x = 1;
	while (now(CLOCK_MONOTONIC) < start + 4) {
		x = handle_request(x) + 3;
		if (now(CLOCK_MONOTONIC) > next) {
			x = flush_journal(x) + 4;
			next += 0.5;
		}
		nanosleep(&pause, NULL);
	}
	printf("%u\n", x);
	return 0;
}
