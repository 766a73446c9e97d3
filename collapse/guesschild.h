/*
 * Structured profiles, such as pprof's, for programs that read folded stacks: by way of
 * a child, collapse-guess.
 */
#ifndef FG_COLLAPSE_GUESSCHILD_H
#define FG_COLLAPSE_GUESSCHILD_H

#include "lib/base/reader.h"

/* From now on inputs of structured kinds are recognised, and read as folded stacks. */
void fg_guesschild_accept(struct fg_reader *r);

#endif
