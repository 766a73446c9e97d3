/*
 * Folded stacks with time: slices of a recording, as the first frames of stacks and
 * header lines say them. See "Slices of time" in folded(5).
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

/* What the header lines say; zeroed: the profile has no slices. */
struct fg_slice_header {
	uint64_t width; /* of each slice; 0: there are none */
	bool has_start;
	uint64_t start; /* of the slice @0, since 1970 */
};

/*
 * What a line is to a header: FG_SLICE_WIDTH starts that of another recording, whose
 * start is not known yet.
 */
enum fg_slice_line {
	FG_SLICE_OTHER, /* another line */
	FG_SLICE_WIDTH,
	FG_SLICE_START,
	FG_SLICE_WRONG, /* one of these lines, of which nothing was taken */
};

/* Takes what a line says, which has no '\n'. */
enum fg_slice_line fg_slice_read(struct fg_slice_header *h, struct fg_str line);

/* Appends the lines; nothing where there are no slices. */
void fg_slice_add_header(struct fg_buf *b, const struct fg_slice_header *h);

/*
 * "20ms", with one of the units ns, us, ms and s, as whole nanoseconds: 0, or -1 where
 * it is none, 0 or does not fit.
 */
int fg_slice_read_width(struct fg_str s, uint64_t *ns);

/* "1.5", seconds, or with a unit; rounded down: 0, or -1 where it is no such time. */
int fg_slice_read_time(struct fg_str s, uint64_t *ns);

/* Appends a width in the largest unit of which it is a whole number: "20ms". */
void fg_slice_add_width(struct fg_buf *b, uint64_t ns);

/* The shape of all frames of a profile, so that their order is that of time. */
struct fg_slice_shape {
	unsigned digits; /* of whole seconds */
	unsigned decimals;
};

/* For slices of that width, the last of which starts at `last`. */
struct fg_slice_shape fg_slice_shape(uint64_t width, uint64_t last);

/* Appends the frame of the slice that starts at `ns`: "@00000.020". */
void fg_slice_add_frame(struct fg_buf *b, struct fg_slice_shape shape, uint64_t ns);

/*
 * Cuts the frame of a slice, and the ';' after it, off the start of a stack, and says
 * when it starts. False where the stack has none, and stays.
 */
bool fg_slice_cut(struct fg_str *stack, uint64_t *ns);

#endif
