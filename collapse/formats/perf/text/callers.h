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

/* What was seen of chains in the text so far. All zero: nothing. */
struct perf_callers {
	uint64_t samples; /* whose chains were to be printed */
	uint64_t without; /* callers, of those */
	bool in_kernel, in_user; /* some frame is there */
	bool user_only; /* some event has no samples in the kernel */
	bool by_copies; /* perf script --header says --call-graph dwarf */
	bool is_usual; /* chains that have frames need only be counted */
};

/* Notes the event of a sample. Needed until either in_kernel or user_only is set. */
void perf_callers_note_event(struct perf_callers *c, struct fg_str event);

/* Notes a line of perf script --header that describes an event. */
void perf_callers_note_header(struct perf_callers *c, struct fg_str line);

/* Notes the chain of the open sample, which is complete. */
void perf_callers_note_chain(struct perf *p);

/* Warns if many samples lack callers. */
void perf_callers_finish(const struct perf *p);

#endif
