/* Writes amounts in the unit that a reader would choose: 512.6 ms, 1.5 KiB, 1,234. */
#ifndef FG_LIB_PROFILE_AMOUNT_H
#define FG_LIB_PROFILE_AMOUNT_H

#include "lib/base/buf.h"

/*
 * Returns true for a unit that fg_amount_add() writes after the number: "ns", "us",
 * "ms", "s" and "bytes". Other units are words, such as "cycles". The caller must write
 * these itself.
 */
bool fg_amount_has_unit(struct fg_str unit);

/*
 * Appends an amount with four digits, in the largest unit in which it is at least 1:
 * "512.6 ms". If the unit is a word, appends only the number, rounded, with all digits.
 */
void fg_amount_add(struct fg_buf *text, struct fg_str unit, double number);

/*
 * Appends two amounts with an arrow between them, "0.334 s → 1.08 s". Both are in the
 * unit of the larger one, if the smaller one then still has enough digits.
 */
void fg_amount_add_both(struct fg_buf *text, struct fg_str unit, const double of[2]);

#endif
