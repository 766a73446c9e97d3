/*
 * Reads decimal numbers, "-12.5e-3", as whole numbers of a small unit. This is
 * exact, because no double is involved.
 */
#ifndef FG_COLLAPSE_DECIMAL_H
#define FG_COLLAPSE_DECIMAL_H

#include "lib/base/count.h"

/*
 * Sets *value to the JSON number `s` times 10^shift, rounded to a whole number, halves
 * away from zero. Only the first 19 or 20 digits, as many as fit into 64 bits, are
 * exact; later ones count as 0. Returns -1 if `s` is not a number or the result does
 * not fit.
 */
int fg_decimal_i64(struct fg_str s, int shift, int64_t *value);

/*
 * Like fg_decimal_i64(), but sets a sum and its sign. The sum is 0 on failure.
 */
int fg_decimal_sum(struct fg_str s, int shift, struct fg_sum *sum, bool *negative);

#endif
