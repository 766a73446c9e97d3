/*
 * Lets programs that read folded stacks read structured profiles, like pprof's, too. A
 * child process, collapse-guess, makes folded stacks of them.
 */
#ifndef FG_LIB_RECOGNIZE_STRUCTURED_H
#define FG_LIB_RECOGNIZE_STRUCTURED_H

#include "lib/base/reader.h"

/* Lets the reader convert inputs of all kinds that are structured. */
void fg_structured_accept(struct fg_reader *r);

#endif
