/*
 * Decimal numbers as profiles write them, "-12.5e-3", as whole numbers of a small unit:
 * nothing goes through a double.
 */
#ifndef FG_COLLAPSE_DECIMAL_H
#define FG_COLLAPSE_DECIMAL_H

#include "lib/base/count.h"

/*
 * Reads all of `s` as a number of JSON, times 10^shift. What is smaller than 1 then is
 * rounded, halves away from zero; digits behind the 19th or 20th, as 64 bits have room,
 * count as 0. Returns 0, or -1 where it is no number or does not fit.
 */
int fg_decimal_i64(struct fg_str s, int shift, int64_t *value);

/* The same of a sum, 0 on failure; `negative` says of which sign it is. */
int fg_decimal_sum(struct fg_str s, int shift, struct fg_sum *sum, bool *negative);

#endif
