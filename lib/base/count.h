/*
 * Counts of folded stacks, which are exact decimal numbers, and their sums.
 *
 * A count is digits / 10^decimals, so that 12.50 ms or 18446744073709551615 cycles add
 * up without loss. Sums have 128 bits. A sum that would need more is full: it is
 * 2^128-1 and stays so whatever is added. Sums of whole counts never get that large,
 * but sums of numbers with many decimals may.
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

/* Returns 10^exponent, for exponents up to 19. */
uint64_t fg_pow10(unsigned exponent);

/* Returns the greatest common divisor. If one number is 0, returns the other. */
uint64_t fg_common_divisor(uint64_t a, uint64_t b);

/*
 * Reads all of `s` as [0-9]+ or [0-9]+.[0-9]*. Drops decimals beyond
 * FG_COUNT_DECIMALS_MAX and decimals that do not fit into 64 bits. Returns 0, or -1 if
 * `s` is not a number or its integer part exceeds 2^64-1.
 */
int fg_count_parse(struct fg_str s, struct fg_count *count);

/*
 * Sets *digits to `count` with exactly `decimals` decimals, rounded half up. Returns 0,
 * or -1 if that overflows.
 */
int fg_count_scale(struct fg_count count, unsigned decimals, uint64_t *digits);

/*
 * Multiplies by 10^exponent, which may be negative. Rounds decimals beyond
 * FG_COUNT_DECIMALS_MAX half up. Returns 0, or -1 if that overflows; `count` is then
 * unchanged.
 */
int fg_count_shift(struct fg_count *count, int exponent);

/* Returns the sum of two counts, or 2^64-1 if it is more. */
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

/* Returns sum - n, or 0 if n is more. */
static inline struct fg_sum fg_sum_less(struct fg_sum sum, struct fg_sum n)
{
	uint64_t borrow = sum.low < n.low;

	if (sum.high < n.high || sum.high - n.high < borrow)
		return (struct fg_sum){ 0, 0 };
	return (struct fg_sum){ sum.low - n.low, sum.high - n.high - borrow };
}

/* Returns sum * n. */
struct fg_sum fg_sum_mul(struct fg_sum sum, uint64_t n);

/* Returns sum / n, rounded down; n > 0. Sets *rest, if not NULL, to the remainder. */
struct fg_sum fg_sum_div(struct fg_sum sum, uint64_t n, uint64_t *rest);

/*
 * Returns whole * part / of, rounded down: the share of `whole` that `part` is of `of`.
 * It is exact even if the product does not fit. part <= of, of > 0.
 */
struct fg_sum fg_sum_share(struct fg_sum whole, struct fg_sum part, struct fg_sum of);

static inline bool fg_sum_is_zero(struct fg_sum sum)
{
	return !sum.low && !sum.high;
}

double fg_sum_double(struct fg_sum sum);

/* Appends sum / 10^decimals in decimal, without zeros at the end of a fraction. */
void fg_buf_add_sum(struct fg_buf *b, struct fg_sum sum, unsigned decimals);

#endif
