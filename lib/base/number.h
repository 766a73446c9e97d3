/*
 * Writes numbers as text without printf(), which is too slow for the hot path.
 *
 * Each fg_put_*() writes at most FG_NUMBER_MAX bytes at `p` and returns their end.
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

/* Writes n with commas: 1,234,567. */
char *fg_put_thousands(char *p, uint64_t n);

/* Writes digits / 10^decimals exactly, without zeros at the end of the fraction. */
char *fg_put_decimal(char *p, uint64_t digits, unsigned decimals);

/* Writes tenths / 10, without a fraction if it is whole: 12, 12.5. tenths >= 0. */
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
 * Returns x * 10^decimals as a whole number, rounded like "%.1f" or "%.2f" of printf()
 * round x. `decimals` is 1 or 2. An x above 10^15 counts as 10^15.
 */
int64_t fg_fixed(double x, unsigned decimals);

/* Writes a result of fg_fixed() like printf(): 12.0 for 120 and one decimal. */
char *fg_put_fixed(char *p, int64_t fixed, unsigned decimals);

/*
 * Returns `part` in percent of `whole`, to be printed by "%.1f". A part that is less
 * than the whole but would be printed as 100.0 becomes 99.9.
 */
double fg_percent(double part, double whole);

/*
 * Writes "12.5%": `part` in percent of `whole`, with one decimal, or with two if it is
 * below 0.1 but not 0. Writes "100%" only for the whole.
 */
char *fg_put_percent(char *p, double part, double whole);

/* Rounds x >= 0 to a whole number, halves to the even one; at most 2^64-1. */
uint64_t fg_rounded(double x);

/* Like fg_rounded(), but rounds halves up. */
uint64_t fg_half_up(double x);

/* Appends x with at most two decimals and no zeros at the end: 15, 7.5, 0.59. */
void fg_add_number(struct fg_buf *b, double x);

#endif
