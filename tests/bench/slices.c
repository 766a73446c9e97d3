/*
 * Generates a profile with slices of time, the same every time:
 *   slices SECONDS MS SAMPLES STACKS    in slices of MS milliseconds
 *
 * The stacks share callers. A few of them are frequent and most are rare, by Zipf's
 * law. In turns the machine does more and less.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

#define MOST_DEPTH 28
#define LEAST_DEPTH 8
/* 2^(SHARED - k) stacks share a frame of depth k. */
#define SHARED 17

static void print_stack(uint32_t stack)
{
	uint32_t spread = MOST_DEPTH - LEAST_DEPTH;
	uint32_t depth = LEAST_DEPTH + (stack * UINT32_C(2654435761) >> 8) % spread;

	fputs("app", stdout);
	for (uint32_t k = 0; k < depth; k++) {
		uint32_t shared = k < SHARED ? SHARED - k : 0;
		uint32_t x = (stack >> shared) * UINT32_C(2654435761) + k * 40503;

		x ^= x >> 13;
		printf(";Module%" PRIu32 "::function_%" PRIu32, x % 97,
		       (x >> 7) % 3000);
	}
}

/* Returns the sums of 1, 1/2, 1/3 and so on, as shares of all samples. */
static double *make_shares(size_t stacks)
{
	double *shares = malloc(stacks * sizeof(*shares)), sum = 0;

	for (size_t i = 0; shares && i < stacks; i++)
		shares[i] = sum += 1.0 / (double)(i + 1);
	return shares;
}

static size_t pick(const double *shares, size_t stacks, double share)
{
	size_t low = 0, high = stacks - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (shares[middle] < share)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Returns the stack of a rank. A prime makes the order of ranks differ from that of
 * names.
 */
static uint32_t stack_of(size_t rank, size_t stacks)
{
	return (uint32_t)(rank * 999983 % stacks);
}

/* Returns the load, from a half to one and a half, up and down in eight turns. */
static double load_at(double part)
{
	double turn = part * 8 - (double)(long)(part * 8);

	return 0.5 + 2 * (turn < 0.5 ? turn : 1 - turn);
}

/* Prints the stacks of a slice, and marks them in `seen`. */
static void print_slice(double seconds, size_t count, const double *shares,
			size_t stacks, uint32_t *counts, size_t *seen)
{
	static uint64_t state = 1;
	size_t distinct = 0;

	for (size_t i = 0; i < count; i++) {
		double share = (double)next(&state) / 9007199254740992.0;
		size_t rank = pick(shares, stacks, share * shares[stacks - 1]);

		if (!counts[rank]++)
			seen[distinct++] = rank;
	}
	for (size_t i = 0; i < distinct; i++) {
		printf("@%09.3f;", seconds);
		print_stack(stack_of(seen[i], stacks));
		printf(" %" PRIu32 "\n", counts[seen[i]]);
		counts[seen[i]] = 0;
	}
}

int main(int argc, char **argv)
{
	size_t slices, stacks, samples, *seen;
	uint32_t *counts;
	double *shares, ms;

	if (argc < 5)
		return 2;
	ms = strtod(argv[2], NULL);
	slices = (size_t)(strtod(argv[1], NULL) * 1000 / ms);
	samples = (size_t)strtoull(argv[3], NULL, 10);
	stacks = (size_t)strtoull(argv[4], NULL, 10);
	shares = make_shares(stacks);
	counts = calloc(stacks, sizeof(*counts));
	seen = calloc(stacks, sizeof(*seen));
	if (!shares || !counts || !seen || !slices)
		exit(1);
	printf("# event: cpu-clock\n# unit: samples\n# slice: %gms\n", ms);
	for (size_t slice = 0; slice < slices; slice++) {
		double mean = (double)samples / (double)slices;
		double load = load_at((double)slice / (double)slices);

		print_slice((double)slice * ms / 1000, (size_t)(mean * load + 0.5),
			    shares, stacks, counts, seen);
	}
	free(shares);
	free(counts);
	free(seen);
	return 0;
}
