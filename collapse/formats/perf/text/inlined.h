/*
 * --inline and --lines: looks up which functions were inlined at the frames of a
 * sample, and their source lines.
 *
 * The address of the running function is exact, and so is that of the user function
 * from which the kernel was entered. All other addresses are where calls return to, so
 * the call is just before them. To know which frame is the running function we need the
 * order of the chain, so we hold the frames until the sample ends.
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

/* Holds a frame. `value` has the frames to use if no inlined functions are known. */
void perf_inlined_hold(struct perf_inlined *n, const struct perf_frame *f,
		       struct fg_memo_value value, bool in_kernel);

/* Holds the source line of the frame that was held last. */
void perf_inlined_hold_source(struct perf_inlined *n, struct fg_str line);

/*
 * Adds all held frames, and the functions inlined into them, to the open stack.
 * `caller_first` says that they were held root first.
 */
void perf_inlined_push(struct perf *p, bool caller_first);

#endif
