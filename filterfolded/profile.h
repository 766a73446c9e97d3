/*
 * Folded profiles read as one, each stack as options want it.
 *
 * All inputs have one count a line, or all have two, as their first lines say.
 */
#ifndef FG_FILTERFOLDED_PROFILE_H
#define FG_FILTERFOLDED_PROFILE_H

#include "lib/filter.h"
#include "lib/folded_input.h"
#include "lib/out.h"
#include "lib/reader.h"
#include "lib/tree.h"

struct fg_profile {
	struct fg_diag *diag;
	struct fg_filter *filter; /* borrowed; NULL where stacks stay as they are */
	bool reverse; /* stacks are turned round */
	struct fg_tree tree;
	struct fg_unit unit; /* what header lines say */
	struct fg_buf reversed; /* a stack */

	struct fg_folded_input lines;
	unsigned columns; /* 0: no input has had a stack */
	const char *first; /* the input that told */
	bool any_stack; /* counted, or left out by options */
};

/* Both arguments are borrowed. */
void fg_profile_init(struct fg_profile *p, struct fg_filter *filter,
		     struct fg_diag *diag);
void fg_profile_release(struct fg_profile *p);

/*
 * Reads all of `r`, says what was ignored, and finishes the tree: 0, or -1 after
 * reporting, also where no line of an input is a folded stack.
 */
int fg_profile_read(struct fg_profile *p, struct fg_reader *r);

/* Writes sorted lines: 0, or -1 after reporting that they would be too long. */
int fg_profile_write(const struct fg_profile *p, struct fg_out *out);

#endif
