/*
 * Numbers as text for the hot path, without printf.
 *
 * An fg_put_* writes at `p`, where FG_NUMBER_MAX bytes are enough, and returns the
 * end of what it wrote.
 */
#ifndef FG_LIB_BASE_NUMBER_H
#define FG_LIB_BASE_NUMBER_H

#include <string.h>

#include "lib/base/buf.h"

#define FG_NUMBER_MAX 32

static inline char *fg_put_str(char *p, struct fg_str s)
{
	if (s.len)
		memcpy(p, s.ptr, s.len);
	return p + s.len;
}

char *fg_put_u64(char *p, uint64_t n);

/* With commas: 1,234,567. */
char *fg_put_thousands(char *p, uint64_t n);

/* digits / 10^decimals, exactly, without zeros at the end of the fraction. */
char *fg_put_decimal(char *p, uint64_t digits, unsigned decimals);

/* tenths / 10, not less than 0, without a fraction where it is whole: 12, 12.5. */
static inline char *fg_put_tenths(char *p, int64_t tenths)
{
	uint64_t n = (uint64_t)tenths;

	p = fg_put_u64(p, n / 10);
	if (n % 10) {
		*p++ = '.';
		*p++ = (char)('0' + n % 10);
	}
	return p;
}

/*
 * x * 10^decimals rounded to a whole number as printf's "%.1f" and "%.2f" round;
 * `decimals` is 1 or 2. What exceeds 10^15 is cut to that.
 */
int64_t fg_fixed(double x, unsigned decimals);

/* What fg_fixed gave, as printf writes it: 12.0 for 120 and one decimal. */
char *fg_put_fixed(char *p, int64_t fixed, unsigned decimals);

/*
 * What "%.1f" is to show of a share, in percent: only all of it is a hundred; what
 * rounding would make that is 99.9.
 */
double fg_percent(double part, double whole);

/* How many decimals: one, but two for what one would make 0.0 though it is not. */
int fg_percent_decimals(double part, double whole);

/* x >= 0 to the nearest whole number, halves to the even one; at most 2^64-1. */
uint64_t fg_rounded(double x);

/* The same, halves to the greater one. */
uint64_t fg_half_up(double x);

/* At most two decimals, no zeros at the end: 15, 7.5, 0.59. */
void fg_add_number(struct fg_buf *b, double x);

#endif
