/*
 * The quality of a recording, as far as a collapser knows it: a header line of folded
 * text.
 *
 *     # quality: samples=1200 lost=12 truncated=3
 *
 * Each word is a number of samples. A number that is 0 is left out, except for
 * `samples`. In a profile with two columns, each has two numbers: "lost=12,0".
 */
#ifndef FG_LIB_PROFILE_QUALITY_H
#define FG_LIB_PROFILE_QUALITY_H

#include "lib/base/buf.h"

enum fg_quality_kind {
	FG_QUALITY_SAMPLES, /* samples that were kept */
	FG_QUALITY_LOST, /* events that the profiler lost */
	FG_QUALITY_DROPPED, /* samples that were incomplete, and left out */
	FG_QUALITY_TRUNCATED, /* samples that lack their outermost callers */
	FG_QUALITY_FRAMELESS, /* samples in functions without a frame pointer */
	FG_QUALITY_MALFORMED, /* lines that were not understood */
	FG_QUALITY_KINDS,
};

/* A zeroed struct says nothing. */
struct fg_quality {
	/* Other parts of the profile have no such line. So nothing is known. */
	bool partial;
	bool known[2]; /* indexed by column; one column is FG_AFTER of tree.h */
	uint64_t of[2][FG_QUALITY_KINDS];
};

/*
 * Reads the value of a header line and adds its numbers. Words that are not known are
 * ignored. Returns 0, or -1 if the text is malformed; *q is then unchanged.
 */
int fg_quality_read(struct fg_quality *q, struct fg_str value);

/* Adds the numbers of another profile. */
void fg_quality_add(struct fg_quality *q, const struct fg_quality *other);

/* Appends the header line, if there is anything to say. */
void fg_quality_add_line(const struct fg_quality *q, struct fg_buf *lines);

#endif
