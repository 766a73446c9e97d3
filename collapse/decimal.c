/* Reads decimal numbers as whole numbers of a small unit. */
#include "collapse/decimal.h"

#define DIGITS_MAX 19

/* A larger exponent makes no difference. */
#define EXPONENT_MAX 100000

/* The number digits * 10^exponent. */
struct decimal {
	uint64_t digits;
	int exponent;
	/* a digit did not fit into `digits`; it and all later digits are dropped */
	bool full;
	bool negative;
};

/*
 * Cuts the digits off the start of `s` and appends them to *d. `decimals` says that
 * they are after the decimal point. Returns false if there are none.
 */
static bool cut_digits(struct fg_str *s, struct decimal *d, bool decimals)
{
	size_t count = fg_str_span(*s, fg_is_digit);

	for (size_t i = 0; i < count; i++) {
		unsigned digit = (unsigned)(s->ptr[i] - '0');

		d->full = d->full || d->digits > (UINT64_MAX - digit) / 10;
		if (!d->full)
			d->digits = d->digits * 10 + digit;
		if (d->full != decimals && d->exponent < EXPONENT_MAX &&
		    d->exponent > -EXPONENT_MAX)
			d->exponent += decimals ? -1 : 1;
	}
	*s = fg_str_from_pos(*s, count);
	return count;
}

/* Cuts off an exponent, "e-12". */
static bool cut_exponent(struct fg_str *s, struct decimal *d)
{
	struct decimal e = { 0, 0, false, false };
	int exponent;

	*s = fg_str_from_pos(*s, 1);
	e.negative = fg_str_starts(*s, FG_STR("-"));
	if (e.negative || fg_str_starts(*s, FG_STR("+")))
		*s = fg_str_from_pos(*s, 1);
	if (!cut_digits(s, &e, false))
		return false;
	exponent = e.exponent || e.digits > EXPONENT_MAX ? EXPONENT_MAX : (int)e.digits;
	d->exponent += e.negative ? -exponent : exponent;
	return true;
}

static bool parse(struct fg_str s, struct decimal *d)
{
	*d = (struct decimal){ 0, 0, false, false };
	d->negative = fg_str_cut_start(&s, FG_STR("-"));
	if (!cut_digits(&s, d, false))
		return false;
	if (fg_str_cut_start(&s, FG_STR(".")) && !cut_digits(&s, d, true))
		return false;
	if (s.len && (s.ptr[0] == 'e' || s.ptr[0] == 'E') && !cut_exponent(&s, d))
		return false;
	return !s.len;
}

/* Returns n / 10^exponent, rounded half up. */
static struct fg_sum divide(uint64_t n, unsigned exponent)
{
	struct fg_sum sum = { 0, 0 };
	uint64_t rest;

	if (exponent > DIGITS_MAX)
		return sum;
	sum = fg_sum_div((struct fg_sum){ n, 0 }, fg_pow10(exponent), &rest);
	/* Do not compare 2 * rest, because it may overflow. */
	fg_sum_add(&sum, rest && rest >= fg_pow10(exponent) - rest);
	return sum;
}

static int multiply(struct fg_sum *sum, uint64_t n)
{
	struct fg_sum product = fg_sum_mul(*sum, n);
	struct fg_sum back = fg_sum_div(product, n, NULL);

	if (sum->high && (back.low != sum->low || back.high != sum->high))
		return -1;
	*sum = product;
	return 0;
}

int fg_decimal_sum(struct fg_str s, int shift, struct fg_sum *sum, bool *negative)
{
	struct fg_sum product;
	struct decimal d;
	int exponent;

	*sum = (struct fg_sum){ 0, 0 };
	if (!parse(s, &d))
		return -1;
	*negative = d.negative && d.digits;
	product = (struct fg_sum){ d.digits, 0 };
	exponent = d.exponent + shift;
	if (!d.digits)
		return 0;
	if (exponent < 0) {
		*sum = divide(d.digits, (unsigned)-exponent);
		return 0;
	}
	for (; exponent > DIGITS_MAX; exponent -= DIGITS_MAX)
		if (multiply(&product, fg_pow10(DIGITS_MAX)))
			return -1;
	if (multiply(&product, fg_pow10((unsigned)exponent)))
		return -1;
	*sum = product;
	return 0;
}

int fg_decimal_i64(struct fg_str s, int shift, int64_t *value)
{
	struct fg_sum sum;
	bool negative;

	if (fg_decimal_sum(s, shift, &sum, &negative) || sum.high ||
	    sum.low > INT64_MAX)
		return -1;
	*value = negative ? -(int64_t)sum.low : (int64_t)sum.low;
	return 0;
}
