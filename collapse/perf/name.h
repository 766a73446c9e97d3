/*
 * What perf prints as a symbol, as the name of a frame.
 */
#ifndef FG_COLLAPSE_PERF_NAME_H
#define FG_COLLAPSE_PERF_NAME_H

#include "lib/buf.h"

struct perf;
struct perf_frame;

/* Whether a function of that name is where a thread or program starts. */
bool perf_is_entry_point(struct fg_str symbol);

/* Whether it is one that the parent calls as well, where the thread is started. */
bool perf_is_clone(struct fg_str symbol);

/* Appends `line` without its parts in square brackets. */
void perf_add_unbracketed(struct fg_buf *b, struct fg_str line);

/*
 * Adds the frames of a symbol to p->run, root first: its name, tidied, with DSO and
 * annotation as options and `variant` ask. A perf_name_fn.
 */
void perf_name_symbol(struct perf *p, const struct perf_frame *f, unsigned variant);

/*
 * Whether frames of the symbol may have other names in another DSO: there is none, or
 * one that only a JIT prints like that.
 */
bool perf_name_depends_on_dso(struct fg_str symbol);

/*
 * The same for what addr2line calls the functions of a frame, root first and ';'
 * between them.
 */
void perf_name_inlined(struct perf *p, const struct perf_frame *f, struct fg_str names);

#endif
