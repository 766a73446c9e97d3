/*
 * Warns if many samples lack callers that perf script should have found.
 *
 * perf 7 unwinds copies of the stack by libdw alone. In JIT code, and in files that are
 * gone, it prints no frame at all; in a program that lld linked, it prints only the
 * function that ran.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_CALLERS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_CALLERS_H

#include "collapse/formats/perf/data/ends.h"
#include "lib/base/str.h"

struct perf;
struct perf_callers; /* in state.h */

/* Notes the event of a sample. Call it until in_kernel or user_only is set. */
void perf_callers_note_event(struct perf_callers *c, struct fg_str event);

/* Notes a line "# event : ..." of perf script --header. */
void perf_callers_note_header(struct perf_callers *c, struct fg_str line);

/* Notes the chain of the open sample when it is complete. */
void perf_callers_note_chain(struct perf *p);

/* Notes the length of a chain that may have been cut off: FG_PD_CHAIN_MAX or more. */
void perf_callers_note_depth(struct perf_callers *c, uint64_t frames);

/* Warns if many samples lack callers, and if chains were cut off. */
void perf_callers_finish(const struct perf *p);

#endif
