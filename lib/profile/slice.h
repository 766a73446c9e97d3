/*
 * Slices of time in folded stacks: header lines, and first frames that give the start
 * of a slice. See "Slices of time" in folded(5).
 *
 *     # slice: 20ms
 *     # start: 2026-11-23T14:05:00.250000000Z
 *     @00000.020;app;main 3
 *
 * All times are in nanoseconds.
 */
#ifndef FG_LIB_PROFILE_SLICE_H
#define FG_LIB_PROFILE_SLICE_H

#include "lib/base/buf.h"

/* The header lines. In a zeroed struct, the profile has no slices. */
struct fg_slice_header {
	uint64_t width; /* width of each slice; 0: there are no slices */
	bool has_start;
	uint64_t start; /* the time of @0, in ns since 1970 */
};

/*
 * Kinds of header lines. FG_SLICE_WIDTH begins the header of another recording, whose
 * start is not known yet.
 */
enum fg_slice_line {
	FG_SLICE_OTHER, /* another line */
	FG_SLICE_WIDTH,
	FG_SLICE_START,
	/*
	 * a line of the two kinds above whose value is malformed; the value is ignored
	 */
	FG_SLICE_WRONG,
};

/* Reads a header line, without its '\n'. */
enum fg_slice_line fg_slice_read(struct fg_slice_header *h, struct fg_str line);

/* Appends the header lines, or nothing if there are no slices. */
void fg_slice_add_header(struct fg_buf *b, const struct fg_slice_header *h);

/*
 * Reads a width such as "20ms", in ns, us, ms or s. Returns 0, or -1 if it is
 * malformed, 0, too large, or not a whole number of nanoseconds.
 */
int fg_slice_read_width(struct fg_str s, uint64_t *ns);

/* Reads a time, "1.5" (seconds) or with a unit, rounded down. Returns 0, or -1. */
int fg_slice_read_time(struct fg_str s, uint64_t *ns);

/* Appends a width in the largest unit that makes it a whole number: "20ms". */
void fg_slice_add_width(struct fg_buf *b, uint64_t ns);

/* The format of all slices of a profile, so that their text sorts by time. */
struct fg_slice_shape {
	unsigned digits; /* digits of the whole seconds */
	unsigned decimals;
};

/*
 * Returns the format for slices of this width. `last` is the start of the last slice.
 */
struct fg_slice_shape fg_slice_shape(uint64_t width, uint64_t last);

/* Appends the frame of the slice that starts at `ns`: "@00000.020". */
void fg_slice_add_frame(struct fg_buf *b, struct fg_slice_shape shape, uint64_t ns);

/*
 * Cuts a slice's frame, with the ';' after it, off the start of a stack; *ns becomes
 * the start of the slice. Returns false, and changes nothing, if the stack has none.
 */
bool fg_slice_cut(struct fg_str *stack, uint64_t *ns);

#endif
