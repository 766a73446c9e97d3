/*
 * Chooses the format for collapse-guess.
 */
#ifndef FG_COLLAPSE_GUESS_GUESS_H
#define FG_COLLAPSE_GUESS_GUESS_H

#include "collapse/format.h"

/*
 * Sets *format to the format of the reader's first input. Call it before anything is
 * read. `input` is the name of the input for messages. Returns FG_EXIT_OK. If two
 * formats fit, it reports that and returns FG_EXIT_USAGE; if none fits, FG_EXIT_FAILED.
 */
int fg_guess_choose(const struct fg_format **format, struct fg_reader *reader,
		    const char *input, struct fg_diag *diag);

#endif
