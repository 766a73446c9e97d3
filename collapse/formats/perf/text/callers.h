/*
 * Callers that perf script did not find, though other samples have some.
 *
 * perf 7 unwinds copies of the stack by libdw alone. In code of a JIT, and of files
 * that are gone, it prints no frame at all; in what lld linked, only the function that
 * ran.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_CALLERS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_CALLERS_H

#include "lib/base/str.h"

struct perf;
struct perf_callers; /* in state.h */

/* Notes the event of a sample. Needed until either in_kernel or user_only is set. */
void perf_callers_note_event(struct perf_callers *c, struct fg_str event);

/* Notes a line of perf script --header that describes an event. */
void perf_callers_note_header(struct perf_callers *c, struct fg_str line);

/* Notes the chain of the open sample, which is complete. */
void perf_callers_note_chain(struct perf *p);

/* As many frames as a kernel records of a chain, and perf script prints, by default. */
#define PERF_CHAIN_MAX 127

/* Notes how many frames a chain has that may have been cut off. */
void perf_callers_note_depth(struct perf_callers *c, uint64_t frames);

/* Warns if many samples lack callers, and if chains were cut off. */
void perf_callers_finish(const struct perf *p);

#endif
