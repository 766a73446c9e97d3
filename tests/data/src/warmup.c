// A service that looks words up. For the first second most are not in its cache yet, and are
// parsed, which is slow: warm-up. What is the price of the start, and what of the steady state?
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

static __attribute__((noinline)) unsigned parse_word(unsigned x)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + 0.004;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		x = mix(x) + 1;
	return x;
}

static __attribute__((noinline)) unsigned find_in_cache(unsigned x)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + 0.001;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		x = mix(x) + 2;
	return x;
}

static __attribute__((noinline)) unsigned look_up(unsigned x, double age)
{
	x = find_in_cache(x) + 3;
	if (age < 1 && x % 100 >= (unsigned)(age * 100))
		x = parse_word(x) + 4;
	return x;
}

int main(void)
{
	double start = now(CLOCK_MONOTONIC), age;
	struct timespec pause = { 0, 1000000 };
	unsigned x = 1;
	while ((age = now(CLOCK_MONOTONIC) - start) < 4) {
		x = look_up(x, age) + 5;
		nanosleep(&pause, NULL);
	}
	printf("%u\n", x);
	return 0;
}
