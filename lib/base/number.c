/* Writes numbers as text, for hot paths. */
#include "lib/base/number.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/count.h"

#define FIXED_MAX 1e15

/*
 * Above this, a double has too few digits to tell how close a number times 100 is to a
 * half.
 */
#define EXACT_MAX 1e9

/*
 * If a scaled number is this close to a half, the multiplication may have moved it
 * across the half.
 */
#define NEAR_HALF 1e-6

static const char digit_pairs[] = "00010203040506070809"
				  "10111213141516171819"
				  "20212223242526272829"
				  "30313233343536373839"
				  "40414243444546474849"
				  "50515253545556575859"
				  "60616263646566676869"
				  "70717273747576777879"
				  "80818283848586878889"
				  "90919293949596979899";

static char *put_pair(char *p, unsigned n)
{
	memcpy(p, digit_pairs + 2 * n, 2);
	return p + 2;
}

/* Writes a number n < 100. */
static char *put_small(char *p, unsigned n)
{
	if (n >= 10)
		return put_pair(p, n);
	*p = (char)('0' + n);
	return p + 1;
}

static char *put_large(char *p, uint64_t n)
{
	char digits[FG_NUMBER_MAX];
	size_t at = sizeof(digits);

	for (; n >= 100; n /= 100)
		put_pair(digits + (at -= 2), (unsigned)(n % 100));
	p = put_small(p, (unsigned)n);
	return fg_put_str(p, fg_str_of(digits + at, sizeof(digits) - at));
}

char *fg_put_u64(char *p, uint64_t n)
{
	return n < 100 ? put_small(p, (unsigned)n) : put_large(p, n);
}

static char *put_three(char *p, unsigned n)
{
	*p++ = (char)('0' + n / 100);
	return put_pair(p, n % 100);
}

char *fg_put_thousands(char *p, uint64_t n)
{
	unsigned groups[7];
	size_t count = 0;

	for (; n >= 1000; n /= 1000)
		groups[count++] = (unsigned)(n % 1000);
	p = fg_put_u64(p, n);
	while (count) {
		*p++ = ',';
		p = put_three(p, groups[--count]);
	}
	return p;
}

char *fg_put_decimal(char *p, uint64_t digits, unsigned decimals)
{
	uint64_t unit;

	while (decimals && digits % 10 == 0) {
		digits /= 10;
		decimals--;
	}
	if (!decimals)
		return fg_put_u64(p, digits);
	unit = fg_pow10(decimals);
	p = fg_put_u64(p, digits / unit);
	*p++ = '.';
	digits %= unit;
	for (unsigned i = decimals; i-- > 0; digits /= 10)
		p[i] = (char)('0' + digits % 10);
	return p + decimals;
}

static int64_t printf_fixed(double x, unsigned decimals)
{
	char text[64];
	int64_t fixed = 0;

	snprintf(text, sizeof(text), "%.*f", (int)decimals, x);
	for (const char *c = text; *c; c++)
		if (fg_is_digit(*c))
			fixed = fixed * 10 + (*c - '0');
	return fixed;
}

int64_t fg_fixed(double x, unsigned decimals)
{
	double scaled, rest;
	int64_t whole;

	if (x < 0)
		return -fg_fixed(-x, decimals);
	if (!(x < FIXED_MAX))
		x = FIXED_MAX;
	scaled = x * (decimals == 1 ? 10 : 100);
	whole = (int64_t)scaled;
	rest = scaled - (double)whole;
	if (scaled > EXACT_MAX || (rest > 0.5 - NEAR_HALF && rest < 0.5 + NEAR_HALF))
		return printf_fixed(x, decimals);
	return whole + (rest > 0.5);
}

char *fg_put_fixed(char *p, int64_t fixed, unsigned decimals)
{
	uint64_t n = fixed < 0 ? -(uint64_t)fixed : (uint64_t)fixed;

	if (fixed < 0)
		*p++ = '-';
	p = fg_put_u64(p, n / (decimals == 1 ? 10 : 100));
	*p++ = '.';
	if (decimals == 1) {
		*p++ = (char)('0' + n % 10);
		return p;
	}
	return put_pair(p, (unsigned)(n % 100));
}

double fg_percent(double part, double whole)
{
	double percent = whole > 0 ? 100 * part / whole : 0;

	return part < whole && percent >= 99.95 ? 99.9 : percent;
}

char *fg_put_percent(char *p, double part, double whole)
{
	unsigned decimals = part > 0 && part / whole < 0.001 ? 2 : 1;

	if (whole > 0 && part >= whole)
		return fg_put_str(p, FG_STR("100%"));
	p = fg_put_fixed(p, fg_fixed(fg_percent(part, whole), decimals), decimals);
	*p++ = '%';
	return p;
}

uint64_t fg_rounded(double x)
{
	uint64_t whole;
	double rest;

	if (x >= 18446744073709551615.0)
		return UINT64_MAX;
	whole = (uint64_t)x;
	rest = x - (double)whole;
	return whole + (rest > 0.5 || (!(rest < 0.5) && whole % 2));
}

uint64_t fg_half_up(double x)
{
	uint64_t whole;

	if (x >= 18446744073709551615.0)
		return UINT64_MAX;
	whole = (uint64_t)x;
	return whole + (x - (double)whole >= 0.5);
}

void fg_add_number(struct fg_buf *b, double x)
{
	char text[FG_NUMBER_MAX];
	int64_t fixed = fg_fixed(x, 2);
	char *end = fg_put_fixed(text, fixed, 2);

	while (end[-1] == '0')
		end--;
	if (end[-1] == '.')
		end--;
	fg_buf_add(b, text, (size_t)(end - text));
}
