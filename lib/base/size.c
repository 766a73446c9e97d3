/* Adds and multiplies sizes, and ends the process instead of overflowing. */
#include "lib/base/size.h"

#include <stdint.h>

size_t fg_size_add(size_t a, size_t b)
{
	if (a > SIZE_MAX - b)
		fg_size_overflow();
	return a + b;
}

size_t fg_size_mul(size_t a, size_t b)
{
	if (b && a > SIZE_MAX / b)
		fg_size_overflow();
	return a * b;
}

size_t fg_grown(size_t have, size_t need)
{
	size_t cap = have < 16 ? 16 : have;

	while (cap < need)
		cap = fg_size_mul(cap, 2);
	return cap;
}
