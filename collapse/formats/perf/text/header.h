/*
 * The header line of a sample: comm, pid, tid, time, period, event, the rest.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_HEADER_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_HEADER_H

#include "collapse/roots.h"

/* A header line taken apart; the strings are borrowed from the line or its memo. */
struct perf_header {
	struct fg_sample sample; /* weight: the period, 1 where none was printed */
	/* seconds, with decimals; .ptr is NULL where none was printed */
	struct fg_str time;
	struct fg_str rest; /* after the event: payload, flags, a flat frame */
	bool fields_only; /* no frame is in the rest */
	bool timed; /* it has a time stamp */
	bool odd; /* what is between ids and time stamp was not understood */
	bool recalled; /* comm, ids and cpu are those of a line before, by the memo */
};

/* The text on one side of a time stamp, and what it says. */
struct perf_header_part {
	char text[64];
	size_t len; /* 0: there was none */
	struct perf_header says; /* one side of it, borrowed from `text` */
};

/*
 * Parts that were read before: the same threads take turns, and most samples have the
 * same period.
 */
#define PERF_HEADER_PARTS 64

struct perf_header_memo {
	struct perf_header_part left[PERF_HEADER_PARTS]; /* by hash */
	struct perf_header_part right; /* the last one */
};

/*
 * Reads a line that has a time stamp; false where it is no header. `memo` may be
 * NULL; the next line that is read with it may overwrite what `h` borrows.
 */
bool perf_header_timed(struct fg_str line, struct perf_header_memo *memo,
		       struct perf_header *h);

/* Forgets what was read of a thread, or of all if `tid` is unknown. */
void perf_header_forget(struct perf_header_memo *memo, struct fg_id tid);

/*
 * Reads a line without a time stamp as a header, by its columns. Almost any
 * line will do, so it counts only where a header is due and a frame follows.
 */
bool perf_header_untimed(struct fg_str line, struct perf_header *h);

#endif
