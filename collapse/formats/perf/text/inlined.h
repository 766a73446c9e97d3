/*
 * --inline: the functions that were inlined where the frames of a text are.
 *
 * Only the address of the running function is exact, and that of a function in user
 * space from which the kernel was entered. All others are where calls return to, so
 * that the call is in front of them. Which one runs depends on the order of the chain,
 * so frames are held until the sample ends.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_INLINED_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_INLINED_H

#include "collapse/formats/perf/text/frame.h"
#include "collapse/memo.h"

struct perf;
struct perf_inlined;

struct perf_inlined *perf_inlined_new(void);
void perf_inlined_free(struct perf_inlined *n); /* accepts NULL */

bool perf_inlined_is_empty(const struct perf_inlined *n);

/* Holds a frame, which `value` stands for if nothing is inlined there. */
void perf_inlined_hold(struct perf_inlined *n, const struct perf_frame *f,
		       struct fg_memo_value value, bool in_kernel);

/* Holds the source line of the frame before. */
void perf_inlined_hold_source(struct perf_inlined *n, struct fg_str line);

/* Adds what is held to the open stack; afterwards nothing is. */
void perf_inlined_push(struct perf *p, bool caller_first);

#endif
