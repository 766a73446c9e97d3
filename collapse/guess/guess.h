/*
 * Which format the input of collapse-guess has.
 */
#ifndef FG_COLLAPSE_GUESS_GUESS_H
#define FG_COLLAPSE_GUESS_GUESS_H

#include "collapse/format.h"

/*
 * Sets *format to the one that the reader's first input has; nothing of it may have
 * been read before. `input` is its name for messages. Returns FG_EXIT_OK, or after
 * reporting FG_EXIT_USAGE if two formats fit, and FG_EXIT_FAILED if none does.
 */
int fg_guess_choose(const struct fg_format **format, struct fg_reader *reader,
		    const char *input, struct fg_diag *diag);

#endif
