/* For the tests of the gate: two functions; MIX says how much of the work mix does. */
#include <stdint.h>
#include <stdio.h>

/* MIX of MIX + REST is the share of mix. */
#ifndef MIX
#define MIX 20
#endif
#ifndef REST
#define REST 80
#endif
#ifndef ROUNDS
#define ROUNDS 4000
#endif

/* Each step waits for the one before, so that it takes the same time everywhere. */
#define STEP(x) ((x)*UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407))
#define STEPS 1000

__attribute__((noinline)) uint64_t mix(uint64_t x, unsigned times)
{
	for (unsigned i = 0; i < times * STEPS; i++)
		x = STEP(x);
	return x + 1;
}

__attribute__((noinline)) uint64_t rest(uint64_t x, unsigned times)
{
	for (unsigned i = 0; i < times * STEPS; i++)
		x = STEP(x);
	return x + 2;
}

__attribute__((noinline)) uint64_t work(uint64_t x)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		x = mix(x, MIX);
		x = rest(x, REST);
	}
	return x;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)work(1));
	return 0;
}
