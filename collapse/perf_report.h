/*
 * What was lost, and why nothing could be kept.
 */
#ifndef FG_COLLAPSE_PERF_REPORT_H
#define FG_COLLAPSE_PERF_REPORT_H

#include "lib/buf.h"
#include "lib/diag.h"

/* How many samples there were and what became of them. */
struct perf_tally {
	uint64_t samples; /* headers that opened a sample */
	uint64_t kept;
	uint64_t ignored; /* of events that were not asked for */
	uint64_t deselected; /* those ignored that are of kept events */
	uint64_t dropped; /* cut short, or without the field that is the weight */
	uint64_t nameless; /* those dropped that have neither root nor chain */
	uint64_t unweighted; /* those dropped for want of that field */
	uint64_t chains; /* those that had frame lines of their own */
	uint64_t lost; /* events that perf record lost, by its own account */
	uint64_t odd_lines; /* not understood */
	uint64_t odd_chunk; /* of the first one, its place in there, and its text */
	struct fg_place odd_place;
	struct fg_buf odd_text;
};

struct perf;

/* Notes a line that is not understood. */
void perf_odd_line(struct perf *p, struct fg_place at, struct fg_str line);

/*
 * Says what was lost, if anything. Returns 0, or -1 after reporting why nothing
 * could be kept, or that --strict does not allow what was lost.
 */
int perf_report(const struct perf *p, size_t lines_written);

#endif
