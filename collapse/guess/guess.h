/*
 * Which format an input is of: every descriptor's probe is asked.
 */
#ifndef FG_COLLAPSE_GUESS_GUESS_H
#define FG_COLLAPSE_GUESS_GUESS_H

#include "collapse/format.h"

/* How many first bytes to judge by: a perf script may begin with pages of comments. */
#define FG_GUESS_BYTES ((size_t)256 * 1024)

/* The formats that may be meant; `other` is NULL unless there are two. */
struct fg_guess {
	const struct fg_format *format; /* NULL: none */
	const struct fg_format *other;
};

/*
 * The format whose probe says yes, or where none does, maybe. Where two say the same,
 * both.
 */
struct fg_guess fg_guess(struct fg_str first_bytes);

#endif
