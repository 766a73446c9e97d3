/*
 * Chooses and widens slices of time, and puts several recordings on one clock. See
 * "Slices of time" in folded(5). Each section (lib/profile/sections.h) has slices of
 * its own width, or none. All share a clock.
 */
#ifndef FG_FILTERFOLDED_SLICING_H
#define FG_FILTERFOLDED_SLICING_H

#include "lib/base/diag.h"
#include "lib/base/out.h"
#include "lib/profile/slice.h"
#include "lib/profile/tree.h"

struct fg_slicing_options {
	const char *from; /* NULL: the first */
	const char *to; /* NULL: the last */
	const char *slice; /* NULL: as wide as they are */
	bool no_slice;
};

struct fg_slicing_recording {
	struct fg_slice_header header;
	struct fg_place at; /* the header's place */
};

struct fg_slicing_section {
	struct fg_slicing_recording *recordings; /* only recordings with stacks */
	size_t count, alloc;
	size_t current; /* index of the current recording */
	uint64_t without_slice; /* number of stacks */
	bool has_with, has_without; /* stacks of the current input */
	/* the first input with stacks but without slices; or NULL */
	const char *lacking;

	/* Set by fg_slicing_finish(). */
	uint64_t width;
	struct fg_slice_shape shape;
};

struct fg_slicing {
	struct fg_diag *diag;
	bool wants_slices; /* an option is about slices */
	bool drops; /* no stack keeps its slice */
	uint64_t from, to; /* slices that overlap the range are kept */
	bool has_range; /* there is a range */
	uint64_t width; /* from --slice; 0: that of the widest */

	/* the current recording; width 0: it has no slices */
	struct fg_slicing_recording recording;
	/* the recording of the header lines since the last stack */
	struct fg_slicing_recording pending;
	bool has_pending;
	struct fg_slicing_section *sections;
	size_t count, alloc;
	size_t section; /* the section of the next stacks */
	bool is_current; /* the section's current recording is `recording` */

	struct fg_str whole, frame, rest; /* the stack whose slice was cut off */
	struct fg_buf text; /* scratch for a stack */

	/* Set by fg_slicing_finish(). */
	bool has_start;
	uint64_t start;
};

/* Returns 0, or -1 after reporting a wrong option. */
int fg_slicing_init(struct fg_slicing *s, const struct fg_slicing_options *o,
		    struct fg_diag *diag);
void fg_slicing_release(struct fg_slicing *s);

/* Starts another input. */
void fg_slicing_start_input(struct fg_slicing *s);

/* Takes a line that may be a header, for the stacks after it. */
void fg_slicing_header(struct fg_slicing *s, struct fg_str line,
		       const struct fg_place *at);

/* Starts the stacks of a section. The header lines so far are for them. */
void fg_slicing_turn(struct fg_slicing *s, size_t section);

/* Ends an input. Its name stays valid. */
void fg_slicing_end_input(struct fg_slicing *s, const char *input);

/* Cuts the slice off a stack, if it has one, and keeps it for fg_slicing_join(). */
void fg_slicing_cut(struct fg_slicing *s, struct fg_str *stack);

/*
 * Returns the stack with the slice that was cut off last. Its frame may be a temporary
 * one that fg_slicing_finish() renames. Borrowed until the next call.
 */
struct fg_str fg_slicing_join(struct fg_slicing *s, struct fg_str stack);

/* Keeps only one section, which becomes section 0. Call it after the last input. */
void fg_slicing_choose(struct fg_slicing *s, size_t section);

/*
 * Returns an input in which a section has stacks but none with a slice, if an option
 * wants slices. Else returns NULL.
 */
const char *fg_slicing_lacking(const struct fg_slicing *s, size_t section);

/*
 * Gives the slices their final names, leaves out those outside the range, and warns of
 * stacks without slices. Call it when all stacks are in finished trees, one for each
 * section. Returns 0, or -1 after reporting widths that are not multiples.
 */
int fg_slicing_finish(struct fg_slicing *s, struct fg_tree *trees);

/* Returns true if stacks have slices in the end. */
bool fg_slicing_any(const struct fg_slicing *s);

/* Appends the header lines of a section. */
void fg_slicing_add_header(const struct fg_slicing *s, size_t section,
			   struct fg_buf *lines);

#endif
