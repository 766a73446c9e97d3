/* Radix sort of symbols by address: tables of some 100,000 are common. */
#include "collapse/formats/perf/data/radix.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/* More counts than the processor's first cache has room for: rounds are dearer. */
#define BITS_MAX 14
#define DIGITS_MAX ((size_t)1 << BITS_MAX)

/* A digit of keys: where it starts, and how many bits it has. */
struct digit {
	unsigned shift, bits;
};

static size_t digit_of(const struct fg_pd_keyed *keyed, struct digit digit)
{
	return (size_t)(keyed->key >> digit.shift) & (((size_t)1 << digit.bits) - 1);
}

/* Moves the keys to `to`, in the order of a digit. */
static void spread(const struct fg_pd_keyed *keys, size_t count, struct digit digit,
		   uint32_t *starts, struct fg_pd_keyed *to)
{
	uint32_t sum = 0;

	memset(starts, 0, sizeof(*starts) << digit.bits);
	for (size_t i = 0; i < count; i++)
		starts[digit_of(&keys[i], digit)]++;
	for (size_t i = 0; i < (size_t)1 << digit.bits; i++) {
		uint32_t n = starts[i];

		starts[i] = sum;
		sum += n;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[digit_of(&keys[i], digit)]++] = keys[i];
}

/* The bits that keys differ in, in as few digits as there can be, of like size. */
static struct digit first_digit(uint64_t differ)
{
	struct digit digit = { 0, 0 };
	unsigned bits = 0, digits;

	while (!(differ >> digit.shift & 1))
		digit.shift++;
	while (bits < 64 - digit.shift && differ >> digit.shift >> bits)
		bits++;
	digits = (bits + BITS_MAX - 1) / BITS_MAX;
	digit.bits = (bits + digits - 1) / digits;
	return digit;
}

/* Bits that all keys have in common are left out. */
void fg_pd_radix_sort(struct fg_pd_keyed *keys, size_t count, struct fg_pd_keyed *other)
{
	struct fg_pd_keyed *from = keys, *to = other;
	uint32_t *starts; /* too many for the stacks that some threads have */
	uint64_t differ = 0;
	struct digit digit;

	for (size_t i = 1; i < count; i++)
		differ |= keys[i].key ^ keys[0].key;
	if (!differ)
		return;
	starts = fg_xcalloc(DIGITS_MAX, sizeof(*starts));
	for (digit = first_digit(differ); digit.shift < 64 && differ >> digit.shift;
	     digit.shift += digit.bits) {
		spread(from, count, digit, starts, to);
		from = to;
		to = from == keys ? other : keys;
	}
	free(starts);
	if (from != keys)
		memcpy(keys, other, count * sizeof(*keys));
}
