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
 * both. None where a reader refuses the input, see lib/base/sniff.h.
 */
struct fg_guess fg_guess(struct fg_str first_bytes);

/*
 * Before anything of a reader is read: sets *format to the only one that its input may
 * be of. An enum fg_exit, but for FG_EXIT_OK after reporting.
 */
int fg_guess_choose(const struct fg_format **format, struct fg_reader *reader,
		    const char *input, struct fg_diag *diag);

#endif
