/*
 * Random numbers that are the same on every machine: xorshift.
 */
#ifndef FG_TESTS_BENCH_RANDOM_H
#define FG_TESTS_BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 11;
}

static inline size_t below(uint64_t *state, size_t limit)
{
	return (size_t)(next(state) % limit);
}

/* Returns a number with the skew of real counts: i is about half as likely as i / 2. */
static inline size_t zipf(uint64_t *state, size_t limit)
{
	unsigned bits = 1;
	size_t n;

	while (limit >> bits)
		bits++;
	do {
		size_t magnitude = below(state, bits);

		n = ((size_t)1 << magnitude) + below(state, (size_t)1 << magnitude) - 1;
	} while (n >= limit);
	return n;
}

/* Returns any number from 0 on. 2n is `odds` / 16 times as likely as n. */
static inline uint32_t skewed(uint64_t *state, unsigned odds)
{
	uint32_t top = 1;

	while (top < 4096 && below(state, 16) < odds)
		top *= 2;
	return top - 1 + (uint32_t)below(state, top);
}

/* Returns a state that differs for each n. */
static inline uint64_t state_of(uint64_t n)
{
	n = (n + 1) * 0x9e3779b97f4a7c15;
	n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
	n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
	return (n ^ (n >> 31)) | 1;
}

#endif
