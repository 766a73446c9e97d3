/*
 * The slices of time of folded profiles: which are wanted, how wide they are, and those
 * of several recordings on one clock. See "Slices of time" in folded(5). Each section
 * (lib/profile/sections.h) has slices of its own width, or none; all have one clock.
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
	struct fg_place at; /* of the header */
};

struct fg_slicing_section {
	struct fg_slicing_recording *recordings; /* that have stacks */
	size_t count, alloc;
	size_t current; /* recording */
	uint64_t without_slice; /* stacks */
	bool has_with, has_without; /* such stacks in this input */
	const char *lacking; /* the first input that has only stacks without; or NULL */

	/* worked out at the end */
	uint64_t width;
	struct fg_slice_shape shape;
};

struct fg_slicing {
	struct fg_diag *diag;
	bool asked; /* an option wants slices */
	bool drops; /* no stack keeps its slice */
	uint64_t from, to; /* slices that overlap them are kept */
	bool chooses; /* by these */
	uint64_t width; /* wanted; 0: that of the widest */

	struct fg_slicing_recording read; /* without a width: no slices */
	struct fg_slicing_recording said; /* by the header lines since the last stack */
	bool has_said;
	struct fg_slicing_section *sections;
	size_t count, alloc;
	size_t section; /* that stacks are of */
	bool is_current; /* its recording is that which is read */

	struct fg_str whole, frame, rest; /* of the stack whose slice was cut off */
	struct fg_buf text; /* a stack */

	/* worked out at the end */
	bool has_start;
	uint64_t start;
};

/* 0, or -1 after reporting an option that is wrong. */
int fg_slicing_init(struct fg_slicing *s, const struct fg_slicing_options *o,
		    struct fg_diag *diag);
void fg_slicing_release(struct fg_slicing *s);

/* Another input starts. */
void fg_slicing_start_input(struct fg_slicing *s);

/* Takes what a line says that may be a header, for the stacks after it. */
void fg_slicing_header(struct fg_slicing *s, struct fg_str line,
		       const struct fg_place *at);

/* The next stacks are of that section, and as the header lines so far say. */
void fg_slicing_turn(struct fg_slicing *s, size_t section);

/* An input, whose name stays valid, ends. */
void fg_slicing_end_input(struct fg_slicing *s, const char *input);

/* Cuts the slice off a stack, if it has one, and keeps it for fg_slicing_join. */
void fg_slicing_cut(struct fg_slicing *s, struct fg_str *stack);

/*
 * Puts the slice that was cut off last before what became of the stack. Its frame may
 * be one that fg_slicing_finish renames. Borrowed until the next call.
 */
struct fg_str fg_slicing_join(struct fg_slicing *s, struct fg_str stack);

/* After all inputs: leaves only one section, which is 0 then. */
void fg_slicing_choose(struct fg_slicing *s, size_t section);

/*
 * Where options want slices, an input in which a section has stacks and none of them a
 * slice; or NULL.
 */
const char *fg_slicing_lacking(const struct fg_slicing *s, size_t section);

/*
 * When all stacks are in finished trees, one for each section: gives the slices their
 * final names, leaves out those that are not wanted, and warns of what was odd. 0, or
 * -1 after reporting widths that are no multiples.
 */
int fg_slicing_finish(struct fg_slicing *s, struct fg_tree *trees);

/* Whether stacks have slices in the end. */
bool fg_slicing_any(const struct fg_slicing *s);

/* Appends the header lines of a section. */
void fg_slicing_add_header(const struct fg_slicing *s, size_t section,
			   struct fg_buf *lines);

#endif
