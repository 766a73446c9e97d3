/*
 * Counts: exact decimal numbers as folded stacks have them, and sums of them.
 *
 * A count is digits / 10^decimals, so that 12.50 ms or 18446744073709551615
 * cycles are added without loss. Sums have 128 bits. One that would need more is full,
 * 2^128-1, and stays so whatever is added: no number of samples makes one of whole
 * counts so, but numbers of a profile with many decimals may.
 */
#ifndef FG_LIB_BASE_COUNT_H
#define FG_LIB_BASE_COUNT_H

#include "lib/base/buf.h"

/* More decimals than this are dropped when a count is read. */
#define FG_COUNT_DECIMALS_MAX 9

struct fg_count {
	uint64_t digits;
	unsigned decimals;
};

/* An integer of 128 bits, high * 2^64 + low. */
struct fg_sum {
	uint64_t low;
	uint64_t high;
};

/* 10^exponent, for exponents up to 19. */
uint64_t fg_pow10(unsigned exponent);

/* The greatest one; of 0 and a number, that number. */
uint64_t fg_common_divisor(uint64_t a, uint64_t b);

/*
 * Reads all of `s` as [0-9]+ or [0-9]+.[0-9]*. Decimals beyond the limit, or
 * beyond what fits, are dropped. Returns 0, or -1 where it is not a number or
 * its integer part exceeds 2^64-1.
 */
int fg_count_parse(struct fg_str s, struct fg_count *count);

/*
 * `count` with exactly `decimals` decimals: 0, or -1 where that overflows.
 * Decimals that go are rounded half up.
 */
int fg_count_scale(struct fg_count count, unsigned decimals, uint64_t *digits);

/*
 * Multiplies by 10^exponent, which may be negative; decimals beyond the limit are
 * rounded half up. 0, or -1 where that overflows; `count` is then unchanged.
 */
int fg_count_shift(struct fg_count *count, int exponent);

/* The sum of two counts, or 2^64-1 where it is more. */
static inline uint64_t fg_count_add(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static inline bool fg_sum_is_full(struct fg_sum sum)
{
	return sum.low == UINT64_MAX && sum.high == UINT64_MAX;
}

static inline void fg_sum_add_sum(struct fg_sum *sum, struct fg_sum n)
{
	uint64_t low = sum->low + n.low, high = sum->high + n.high;
	uint64_t carry = low < n.low;

	if (__builtin_expect(high < n.high || high + carry < carry, 0))
		*sum = (struct fg_sum){ UINT64_MAX, UINT64_MAX };
	else
		*sum = (struct fg_sum){ low, high + carry };
}

static inline void fg_sum_add(struct fg_sum *sum, uint64_t n)
{
	fg_sum_add_sum(sum, (struct fg_sum){ n, 0 });
}

/* sum - n, or 0 where n is more. */
static inline struct fg_sum fg_sum_less(struct fg_sum sum, struct fg_sum n)
{
	uint64_t borrow = sum.low < n.low;

	if (sum.high < n.high || sum.high - n.high < borrow)
		return (struct fg_sum){ 0, 0 };
	return (struct fg_sum){ sum.low - n.low, sum.high - n.high - borrow };
}

/* sum * n */
struct fg_sum fg_sum_mul(struct fg_sum sum, uint64_t n);

/* sum / n rounded down, n > 0; the remainder goes to *rest, which may be NULL. */
struct fg_sum fg_sum_div(struct fg_sum sum, uint64_t n, uint64_t *rest);

/*
 * whole * part / of, rounded down: `part` of `of` carried over to `whole`. Exact
 * whatever the product; part <= of, of > 0.
 */
struct fg_sum fg_sum_share(struct fg_sum whole, struct fg_sum part, struct fg_sum of);

static inline bool fg_sum_is_zero(struct fg_sum sum)
{
	return !sum.low && !sum.high;
}

double fg_sum_double(struct fg_sum sum);

/* sum / 10^decimals in decimal, without zeros at the end of a fraction. */
void fg_buf_add_sum(struct fg_buf *b, struct fg_sum sum, unsigned decimals);

#endif
