/*
 * Structured profiles, like pprof's, for programs that read folded stacks. A child
 * process, collapse-guess, makes folded stacks of them.
 */
#ifndef FG_LIB_RECOGNIZE_STRUCTURED_H
#define FG_LIB_RECOGNIZE_STRUCTURED_H

#include "lib/base/reader.h"

/* Lets the reader convert inputs of all kinds that are structured. */
void fg_structured_accept(struct fg_reader *r);

#endif
