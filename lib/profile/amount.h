/* Amounts in their unit as one says them: 512.6 ms, 1.5 KiB, 1,234. */
#ifndef FG_LIB_PROFILE_AMOUNT_H
#define FG_LIB_PROFILE_AMOUNT_H

#include "lib/base/buf.h"

/*
 * Returns true if the unit is written with its numbers: "ns", "us", "ms", "s" and
 * "bytes". Other units are words that may follow a number.
 */
bool fg_amount_has_unit(struct fg_str unit);

/*
 * Appends an amount with four digits, in the largest unit that there is one of: "512.6
 * ms". Without such a unit it is a whole number with all digits.
 */
void fg_amount_add(struct fg_buf *text, struct fg_str unit, double number);

/*
 * Appends two amounts with an arrow between them, "0.334 s → 1.08 s": both in the unit
 * of the larger, if that leaves enough digits of the smaller.
 */
void fg_amount_add_both(struct fg_buf *text, struct fg_str unit, const double of[2]);

#endif
