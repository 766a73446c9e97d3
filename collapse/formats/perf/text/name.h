/*
 * What perf prints as a symbol, as the name of a frame.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_NAME_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_NAME_H

#include "lib/base/buf.h"

struct perf;
struct perf_frame;

/* Appends `line` without its parts in square brackets. */
void perf_add_unbracketed(struct fg_buf *b, struct fg_str line);

/*
 * Adds the frames of a symbol to p->run, root first: its name, tidied, with DSO and
 * annotation as options and `variant` ask. A perf_name_fn.
 */
void perf_name_symbol(struct perf *p, const struct perf_frame *f, unsigned variant);

/*
 * The same for what addr2line calls the functions of a frame, root first and ';'
 * between them.
 */
void perf_name_inlined(struct perf *p, const struct perf_frame *f, struct fg_str names);

/* Appends a row of --fields +srcline to the name of the frame that was pushed last. */
void perf_name_source_line(struct perf *p, struct fg_str line);

#endif
