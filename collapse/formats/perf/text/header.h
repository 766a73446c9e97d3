/*
 * The header line of a sample:
 *
 *     app 4242/4243 [003] 100.000001:  250000 cycles:u:   do_work+0x1e (/usr/bin/app)
 *     comm pid/tid  cpu   time         period event       what follows the event
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_HEADER_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_HEADER_H

#include "collapse/roots.h"

/* The fields of a header line. Its strings borrow from the line or from the memo. */
struct perf_header {
	/* its weight is the period, or 1 if none was printed */
	struct fg_sample sample;
	struct fg_str time; /* "100.000001", in seconds; .ptr is NULL if missing */
	/* the text after the event: a payload, flags, a frame */
	struct fg_str after_event;
	bool fields_only; /* after_event has only a payload, never a frame */
	bool timed; /* the line has a time stamp */
	bool malformed; /* we do not understand the text between ids and time stamp */
	/*
	 * comm, ids and CPU come from the memo, because an earlier line had the same
	 * text
	 */
	bool recalled;
};

/* The text on one side of a time stamp, and the fields that were read from it. */
struct perf_header_part {
	char text[64];
	size_t len; /* 0 if nothing is stored */
	/*
	 * has only the fields on that side of the time stamp, which borrow from `text`
	 */
	struct perf_header header;
};

/*
 * Parts that were read before. The same threads take turns, and most samples have the
 * same period.
 */
#define PERF_HEADER_PARTS 64

struct perf_header_memo {
	/* indexed by a hash of the text */
	struct perf_header_part left[PERF_HEADER_PARTS];
	struct perf_header_part right; /* the last right side that was read */
};

/*
 * Reads a line that has a time stamp. Returns false if the line is not a header. `memo`
 * may be NULL; the next call with it may overwrite the strings of `h`.
 */
bool perf_header_timed(struct fg_str line, struct perf_header_memo *memo,
		       struct perf_header *h);

/* Forgets the headers of a thread, or all of them if `tid` is not known. */
void perf_header_forget(struct perf_header_memo *memo, struct fg_id tid);

/*
 * Reads a line without a time stamp as a header, by its columns. Almost any line
 * passes, so treat it as a header only if a header may come here and a frame follows.
 */
bool perf_header_untimed(struct fg_str line, struct perf_header *h);

#endif
