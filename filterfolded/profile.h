/*
 * Folded profiles read as one, each stack as options want it. Sections that count
 * different things (lib/profile/sections.h) stay apart.
 *
 * A section has one count a line in all inputs, or two, as its first lines say.
 */
#ifndef FG_FILTERFOLDED_PROFILE_H
#define FG_FILTERFOLDED_PROFILE_H

#include "filterfolded/slicing.h"
#include "lib/profile/filter.h"
#include "lib/profile/folded_input.h"
#include "lib/base/out.h"
#include "lib/base/reader.h"
#include "lib/profile/sections.h"
#include "lib/profile/tree.h"

struct fg_profile {
	struct fg_diag *diag;
	struct fg_filter *filter; /* borrowed; NULL where stacks stay as they are */
	bool reverse; /* stacks are turned round */
	bool keyed; /* before each stack are a key and a tab, which stay there */
	const char *section; /* the only one that is wanted, borrowed; NULL: all */
	struct fg_slicing *slicing; /* borrowed */
	struct fg_sections sections; /* what header lines say */
	struct fg_tree *trees; /* of each */
	size_t count, alloc;
	struct fg_buf reversed, with_key; /* a stack */

	struct fg_folded_input lines;
	unsigned columns[FG_SECTIONS_MAX]; /* of each; 0: it has had no stack */
	const char *first[FG_SECTIONS_MAX]; /* the input that told */
	bool any_stack; /* counted, or left out by options */
	bool had_stacks; /* the input has, in sections before this one */

	/* A bit for each section of this input: it has stacks, or such a line. */
	uint64_t with_stacks, with_weight, with_command;
	uint64_t had; /* the sections that earlier inputs had stacks of */
};

/* All arguments are borrowed. */
void fg_profile_init(struct fg_profile *p, struct fg_filter *filter,
		     struct fg_slicing *slicing, struct fg_diag *diag);
void fg_profile_release(struct fg_profile *p);

/* Reads all of `r`: 0, or -1 after reporting, also where no line is a folded stack. */
int fg_profile_add(struct fg_profile *p, struct fg_reader *r);

/*
 * After the last reader: says what was ignored, finishes the trees and their slices.
 * 0, or -1 after reporting. `section` is an event or, where none has it, a unit.
 */
int fg_profile_finish(struct fg_profile *p);

/*
 * How many counts stacks have after that, for who has no sections; 0: there are none.
 * -1 after reporting that some have one and others two.
 */
int fg_profile_columns(const struct fg_profile *p);

/* Writes sorted lines: 0, or -1 after reporting that they would be too long. */
int fg_profile_write(const struct fg_profile *p, struct fg_out *out);

#endif
