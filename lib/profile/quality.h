/*
 * The length and the quality of a recording, as far as a collapser knows them: a header
 * line of folded text.
 *
 *     # quality: samples=1200 ns=2500000000 lost=12 truncated=3
 *
 * A number that is 0 is left out. If all are, the line has "samples=0". In a profile
 * with two columns, each word has two numbers: "lost=12,0".
 */
#ifndef FG_LIB_PROFILE_QUALITY_H
#define FG_LIB_PROFILE_QUALITY_H

#include "lib/base/buf.h"

enum fg_quality_kind {
	FG_QUALITY_SAMPLES, /* samples that were kept */
	/* stacks that were kept, instead of samples: the profiler may have merged its
	 * samples */
	FG_QUALITY_STACKS,
	FG_QUALITY_NS, /* the time of the recording in nanoseconds; 0: not known */
	FG_QUALITY_LOST, /* events that the profiler lost */
	FG_QUALITY_DROPPED, /* samples that were incomplete, and left out */
	FG_QUALITY_TRUNCATED, /* samples that lack their outermost callers */
	FG_QUALITY_FRAMELESS, /* samples in functions without a frame pointer */
	FG_QUALITY_MALFORMED, /* lines and entries that were not understood */
	FG_QUALITY_CUT, /* inputs that end early */
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

/* Appends the value of the header line, or nothing if nothing is known. */
void fg_quality_add_value(const struct fg_quality *q, struct fg_buf *value);

/* Appends the header line, if anything is known. */
void fg_quality_add_line(const struct fg_quality *q, struct fg_buf *lines);

#endif
