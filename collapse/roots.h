/*
 * The text of a sample's root frames: event, comm, pid, tid, cpu.
 */
#ifndef FG_COLLAPSE_ROOTS_H
#define FG_COLLAPSE_ROOTS_H

#include "collapse/options.h"
#include "lib/buf.h"

struct fg_sample;

/* Appends one root frame as options ask; nothing where the sample does not say it. */
void fg_add_root(struct fg_buf *b, const struct fg_samples_options *o,
		 enum fg_root root, const struct fg_sample *sample);

/* Appends `s` as one word within one frame: blanks become '_' and ';' becomes ':'. */
void fg_add_word(struct fg_buf *b, struct fg_str s);

#endif
