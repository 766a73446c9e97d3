/* Says which share of its time is below first(), whose callee calls memcmp(). */
#include <stdio.h>
#include <string.h>
#include <time.h>

static char a[1 << 16], b[1 << 16];
static volatile long sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void compares(void)
{
	for (int i = 0; i < 2000; i++) {
		sink += memcmp(a, b, sizeof(a));
		__asm__ volatile("" ::: "memory");
	}
}

__attribute__((noinline)) static void spins(void)
{
	for (long i = 0; i < 2000000; i++)
		sink += i;
}

static double repeat(void (*f)(void), double seconds)
{
	double start = now();

	while (now() - start < seconds)
		f();
	return now() - start;
}

__attribute__((noinline)) static double first(void)
{
	return repeat(compares, 0.9) + (double)(sink & 0);
}

int main(void)
{
	double time = first();

	repeat(spins, 0.6);
	printf("%.2f\n", 100 * time / now());
	return 0;
}
