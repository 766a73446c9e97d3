// A server that takes requests of a millisecond, and once, after two seconds of four,
// rebuilds its index for 200 ms: a stall that the sum of the run hides.
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

static __attribute__((noinline)) unsigned rebuild_index(unsigned x)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + 0.2;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		x = mix(x) + 2;
	return x;
}

int main(void)
{
	double start = now(CLOCK_MONOTONIC);
	struct timespec pause = { 0, 2000000 };
	unsigned x = 1;
	int rebuilt = 0;
	while (now(CLOCK_MONOTONIC) < start + 4) {
		x = handle_request(x) + 3;
		if (!rebuilt && now(CLOCK_MONOTONIC) > start + 2) {
			x = rebuild_index(x) + 4;
			rebuilt = 1;
		}
		nanosleep(&pause, NULL);
	}
	printf("%u\n", x);
	return 0;
}
