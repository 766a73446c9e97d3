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
	const char *from; /* NULL: from the first slice on */
	const char *to; /* NULL: up to the last slice */
	const char *slice; /* NULL: slices keep their width */
	bool no_slice;
};

struct fg_slicing_recording {
	struct fg_slice_header header;
	struct fg_place at; /* place of the header line with the width */
};

struct fg_slicing_section {
	struct fg_slicing_recording *recordings; /* only recordings with stacks */
	size_t count, alloc;
	size_t current; /* index of the current recording */
	uint64_t without_slice; /* number of stacks that have no slice */
	/* the current input has stacks with a slice, and stacks without */
	bool has_with, has_without;
	/* the first input with stacks but without slices; or NULL */
	const char *lacking;

	/* Set by fg_slicing_finish(). */
	uint64_t width;
	struct fg_slice_shape shape;
};

struct fg_slicing {
	struct fg_diag *diag;
	bool wants_slices; /* an option needs slices */
	bool drops; /* no stack keeps its slice */
	uint64_t from, to; /* slices that overlap the range are kept */
	bool has_range; /* --from or --to was given */
	uint64_t width; /* from --slice; 0: use the width of the widest slices */

	/* the current recording; width 0: it has no slices */
	struct fg_slicing_recording recording;
	/* the recording of the header lines since the last stack */
	struct fg_slicing_recording pending;
	bool has_pending;
	struct fg_slicing_section *sections;
	size_t count, alloc;
	size_t section; /* the section of the next stacks */
	bool is_current; /* the section's current recording is `recording` */

	/* the last stack, its slice, and the stack without its slice */
	struct fg_str whole, frame, rest;
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

/*
 * Reads a line that may be a header line of slices. It applies to the stacks after it.
 */
void fg_slicing_header(struct fg_slicing *s, struct fg_str line,
		       const struct fg_place *at);

/*
 * Switches to the section of the next stacks. The header lines read so far apply to
 * these.
 */
void fg_slicing_turn(struct fg_slicing *s, size_t section);

/* Ends an input. Its name must stay valid until the end. */
void fg_slicing_end_input(struct fg_slicing *s, const char *input);

/* Cuts the slice off a stack, if it has one, and keeps it for fg_slicing_join(). */
void fg_slicing_cut(struct fg_slicing *s, struct fg_str *stack);

/*
 * Puts the slice that was cut off last back before `stack`, and returns the result,
 * borrowed until the next call. The frame of the slice may be a temporary one that
 * fg_slicing_finish() renames.
 */
struct fg_str fg_slicing_join(struct fg_slicing *s, struct fg_str stack);

/* Keeps only one section, which becomes section 0. Call it after the last input. */
void fg_slicing_choose(struct fg_slicing *s, size_t section);

/*
 * Returns the name of an input in which a section has stacks but no slices, if an
 * option needs slices. Else returns NULL.
 */
const char *fg_slicing_lacking(const struct fg_slicing *s, size_t section);

/*
 * Gives the slices their final names, leaves out those outside the range, and warns of
 * stacks without slices. Call it when all stacks are in finished trees, one for each
 * section. Returns 0, or -1 after reporting widths that are not multiples.
 */
int fg_slicing_finish(struct fg_slicing *s, struct fg_tree *trees);

/* Returns true if any stacks still have slices in the output. */
bool fg_slicing_any(const struct fg_slicing *s);

/* Appends the header lines of a section. */
void fg_slicing_add_header(const struct fg_slicing *s, size_t section,
			   struct fg_buf *lines);

#endif
