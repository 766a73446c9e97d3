/* Radix sort of symbols by address: tables of some 100,000 are common. */
#include "collapse/perfdata/radix.h"

#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"

#define DIGITS 256

/* How many keys have each value of the byte at `shift`. */
static void count_digits(const struct fg_pd_keyed *keys, size_t count, unsigned shift,
			 size_t *counts)
{
	memset(counts, 0, DIGITS * sizeof(*counts));
	for (size_t i = 0; i < count; i++)
		counts[keys[i].key >> shift & (DIGITS - 1)]++;
}

/* Moves the keys to `to` by the byte at `shift`; false where all have the same. */
static int spread(const struct fg_pd_keyed *keys, size_t count, unsigned shift,
		  struct fg_pd_keyed *to)
{
	size_t starts[DIGITS], sum = 0;

	count_digits(keys, count, shift, starts);
	if (starts[keys[0].key >> shift & (DIGITS - 1)] == count)
		return 0;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		size_t n = starts[digit];

		starts[digit] = sum;
		sum += n;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[keys[i].key >> shift & (DIGITS - 1)]++] = keys[i];
	return 1;
}

void fg_pd_radix_sort(struct fg_pd_keyed *keys, size_t count)
{
	struct fg_pd_keyed *other, *from = keys, *to;

	if (count < 2)
		return;
	other = fg_xcalloc(count, sizeof(*other));
	to = other;
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if (!spread(from, count, shift, to))
			continue;
		from = to;
		to = from == keys ? other : keys;
	}
	if (from != keys)
		memcpy(keys, other, count * sizeof(*keys));
	free(other);
}
