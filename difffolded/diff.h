/*
 * Two folded profiles, compared stack by stack.
 *
 * Both are read into one table, a column each; the result is its sorted lines.
 */
#ifndef FG_DIFFFOLDED_DIFF_H
#define FG_DIFFFOLDED_DIFF_H

#include "lib/counts.h"
#include "lib/reader.h"

struct fg_diff_options {
	bool normalize; /* scale the counts before to the total after */
	bool strip_hex; /* addresses become 0x..., so that they are equal */
};

/* One of the two profiles. */
struct fg_diff_input {
	const char *name; /* for messages; borrowed */
	uint64_t lines; /* that are not empty */
	uint64_t stacks; /* of them, those that were counted */
	const char *fault; /* what the first of the others has; NULL without any */
};

/* Lines that could not be counted, and what a message on the first of them says. */
struct fg_diff_ignored {
	uint64_t lines;
	struct fg_place first;
	struct fg_buf message;
};

/* The frames of the line read last, of which the next often has the first ones. */
struct fg_diff_frames {
	const char *text; /* borrowed from the block */
	size_t depth; /* 0 at the start of a block */
	uint32_t *ids;
	size_t ids_alloc;
	size_t *ends; /* of each frame in the text */
	size_t ends_alloc;
};

struct fg_diff {
	struct fg_diff_options options;
	struct fg_diag *diag;
	struct fg_intern names;
	struct fg_counts counts;
	struct fg_diff_input inputs[2]; /* before and after */
	struct fg_diff_ignored ignored;
	struct fg_diff_frames frames;
	struct fg_buf stripped;
};

/* `diag` is borrowed. */
void fg_diff_init(struct fg_diff *d, struct fg_diff_options options,
		  struct fg_diag *diag);
void fg_diff_release(struct fg_diff *d);

/*
 * Reads all of `r`, which messages call `name`, into column 0 (before) or 1
 * (after). Returns 0, or -1 after reporting what makes the profile unusable.
 * An input without any line is no failure here.
 */
int fg_diff_read(struct fg_diff *d, struct fg_reader *r, const char *name,
		 unsigned column);

/*
 * Once both are read: warns of what was left out, normalizes if asked to and
 * writes the lines. Returns 0, or -1 after reporting that both were empty.
 */
int fg_diff_write(struct fg_diff *d, struct fg_out *out);

#endif
