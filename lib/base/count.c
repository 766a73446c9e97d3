/* Reads, scales and adds exact decimal counts, in sums of 128 bits. */
#include "lib/base/count.h"

uint64_t fg_pow10(unsigned exponent)
{
	static const uint64_t powers[] = {
		UINT64_C(1),
		UINT64_C(10),
		UINT64_C(100),
		UINT64_C(1000),
		UINT64_C(10000),
		UINT64_C(100000),
		UINT64_C(1000000),
		UINT64_C(10000000),
		UINT64_C(100000000),
		UINT64_C(1000000000),
		UINT64_C(10000000000),
		UINT64_C(100000000000),
		UINT64_C(1000000000000),
		UINT64_C(10000000000000),
		UINT64_C(100000000000000),
		UINT64_C(1000000000000000),
		UINT64_C(10000000000000000),
		UINT64_C(100000000000000000),
		UINT64_C(1000000000000000000),
		UINT64_C(10000000000000000000),
	};

	return powers[exponent];
}

uint64_t fg_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Returns true if another digit fits into 64 bits. */
static bool has_room(uint64_t digits, unsigned digit)
{
	return digits < UINT64_MAX / 10 || digits <= (UINT64_MAX - digit) / 10;
}

/* Appends the digits of `fraction` to count->digits while they fit. */
static int add_decimals(struct fg_count *count, struct fg_str fraction)
{
	for (size_t i = 0; i < fraction.len; i++) {
		unsigned digit = (unsigned)(fraction.ptr[i] - '0');

		if (digit > 9)
			return -1;
		if (count->decimals != i || i == FG_COUNT_DECIMALS_MAX ||
		    !has_room(count->digits, digit))
			continue;
		count->digits = count->digits * 10 + digit;
		count->decimals++;
	}
	return 0;
}

int fg_count_parse(struct fg_str s, struct fg_count *count)
{
	size_t whole;

	*count = (struct fg_count){ 0, 0 };
	for (whole = 0; whole < s.len && s.ptr[whole] != '.'; whole++) {
		unsigned digit = (unsigned)(s.ptr[whole] - '0');

		if (digit > 9 || !has_room(count->digits, digit))
			return -1;
		count->digits = count->digits * 10 + digit;
	}
	if (!whole || add_decimals(count, fg_str_from_pos(s, whole + 1)))
		return -1;
	while (count->decimals && count->digits % 10 == 0) {
		count->digits /= 10;
		count->decimals--;
	}
	return 0;
}

int fg_count_scale(struct fg_count count, unsigned decimals, uint64_t *digits)
{
	uint64_t power;

	if (count.decimals == decimals) {
		*digits = count.digits;
		return 0;
	}
	if (count.decimals > decimals) {
		power = fg_pow10(count.decimals - decimals);
		*digits = count.digits / power + (count.digits % power >= power / 2);
		return 0;
	}
	power = fg_pow10(decimals - count.decimals);
	if (count.digits > UINT64_MAX / power)
		return -1;
	*digits = count.digits * power;
	return 0;
}

/* The most digits of a uint64_t. */
#define DIGITS_MAX 20

int fg_count_shift(struct fg_count *count, int exponent)
{
	long decimals = (long)count->decimals - exponent;

	if (decimals < 0) {
		struct fg_count whole = { count->digits, 0 };

		if (decimals <= -DIGITS_MAX && whole.digits)
			return -1;
		if (whole.digits &&
		    fg_count_scale(whole, (unsigned)-decimals, &whole.digits))
			return -1;
		*count = whole;
		return 0;
	}
	if (decimals > FG_COUNT_DECIMALS_MAX) {
		unsigned extra = (unsigned)(decimals - FG_COUNT_DECIMALS_MAX);
		struct fg_count small = { count->digits, extra };

		decimals = FG_COUNT_DECIMALS_MAX;
		if (extra >= DIGITS_MAX)
			count->digits = 0;
		else
			fg_count_scale(small, 0, &count->digits);
	}
	count->decimals = (unsigned)decimals;
	return 0;
}

/* Returns low * n, which always fits. */
static struct fg_sum multiply(uint64_t low, uint64_t n)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 u128;
	u128 product = (u128)low * n;

	return (struct fg_sum){ (uint64_t)product, (uint64_t)(product >> 64) };
#else
	uint64_t low_low = (low & UINT32_MAX) * (n & UINT32_MAX);
	uint64_t high_low = (low >> 32) * (n & UINT32_MAX);
	uint64_t low_high = (low & UINT32_MAX) * (n >> 32);
	struct fg_sum product = { low_low, (low >> 32) * (n >> 32) };

	fg_sum_add(&product, high_low << 32);
	fg_sum_add(&product, low_high << 32);
	product.high += (high_low >> 32) + (low_high >> 32);
	return product;
#endif
}

struct fg_sum fg_sum_mul(struct fg_sum sum, uint64_t n)
{
	struct fg_sum product = multiply(sum.low, n);

	if (n && sum.high > UINT64_MAX / n)
		return (struct fg_sum){ UINT64_MAX, UINT64_MAX };
	fg_sum_add_sum(&product, (struct fg_sum){ 0, sum.high * n });
	return product;
}

struct fg_sum fg_sum_div(struct fg_sum sum, uint64_t n, uint64_t *rest)
{
	struct fg_sum quotient = { sum.low / n, 0 };
	uint64_t left = sum.low % n;

	if (sum.high) {
		quotient.low = 0;
		quotient.high = sum.high / n;
		left = sum.high % n;
		for (int bit = 63; bit >= 0; bit--) {
			bool carry = left >> 63;

			left = left << 1 | (sum.low >> bit & 1);
			if (carry || left >= n) {
				left -= n;
				quotient.low |= UINT64_C(1) << bit;
			}
		}
	}
	if (rest)
		*rest = left;
	return quotient;
}

/* Returns true if a >= b. */
static bool reaches(struct fg_sum a, struct fg_sum b)
{
	return a.high != b.high ? a.high > b.high : a.low >= b.low;
}

/*
 * Adds n to *rest modulo `of`; both are less than `of`. Returns true if the sum
 * reached `of`.
 */
static bool add_modulo(struct fg_sum *rest, struct fg_sum n, struct fg_sum of)
{
	bool wrapped;

	rest->low += n.low;
	rest->high += n.high + (rest->low < n.low);
	wrapped = !reaches(*rest, n) || reaches(*rest, of);
	if (wrapped) {
		rest->high -= of.high + (rest->low < of.low);
		rest->low -= of.low;
	}
	return wrapped;
}

/* If the product may exceed 128 bits, multiplies bit by bit and divides at each bit. */
struct fg_sum fg_sum_share(struct fg_sum whole, struct fg_sum part, struct fg_sum of)
{
	struct fg_sum quotient = { 0, 0 }, rest = { 0, 0 };

	if (reaches(part, of))
		return whole;
#ifdef __SIZEOF_INT128__
	if (!whole.high && !of.high) {
		__extension__ typedef unsigned __int128 u128;

		quotient.low = (uint64_t)((u128)whole.low * part.low / of.low);
		return quotient;
	}
#endif
	for (int bit = whole.high ? 127 : 63; bit >= 0; bit--) {
		uint64_t word = bit < 64 ? whole.low : whole.high;

		fg_sum_add_sum(&quotient, quotient);
		fg_sum_add(&quotient, add_modulo(&rest, rest, of));
		if (word >> (bit % 64) & 1)
			fg_sum_add(&quotient, add_modulo(&rest, part, of));
	}
	return quotient;
}

double fg_sum_double(struct fg_sum sum)
{
	return (double)sum.high * 0x1p64 + (double)sum.low;
}

/* Appends the digits of `sum`, with zeros before them up to `width`. */
static void add_digits(struct fg_buf *b, struct fg_sum sum, unsigned width)
{
	char digits[40];
	size_t at = sizeof(digits);

	while (!fg_sum_is_zero(sum) || sizeof(digits) - at < width) {
		uint64_t digit;

		sum = fg_sum_div(sum, 10, &digit);
		digits[--at] = (char)('0' + digit);
	}
	fg_buf_add(b, digits + at, sizeof(digits) - at);
}

void fg_buf_add_sum(struct fg_buf *b, struct fg_sum sum, unsigned decimals)
{
	uint64_t fraction;

	if (!sum.high && !decimals) {
		fg_buf_add_u64(b, sum.low);
		return;
	}
	sum = fg_sum_div(sum, fg_pow10(decimals), &fraction);
	add_digits(b, sum, 1);
	if (!fraction)
		return;
	while (fraction % 10 == 0) {
		fraction /= 10;
		decimals--;
	}
	fg_buf_add_char(b, '.');
	add_digits(b, (struct fg_sum){ fraction, 0 }, decimals);
}
