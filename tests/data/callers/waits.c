/* Says which share of its waiting is below first(), whose callee calls nanosleep(). */
#include <stdio.h>
#include <time.h>

static volatile long sink;

__attribute__((noinline)) static void sleeps(long milliseconds)
{
	struct timespec t = { 0, milliseconds * 1000000 };

	nanosleep(&t, NULL);
	sink++;
}

__attribute__((noinline)) static void first(void)
{
	for (int i = 0; i < 10; i++)
		sleeps(60);
	sink++;
}

__attribute__((noinline)) static void second(void)
{
	for (int i = 0; i < 10; i++)
		sleeps(20);
	sink++;
}

int main(void)
{
	first();
	second();
	puts("75.00");
	return 0;
}
