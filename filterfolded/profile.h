/*
 * Reads folded profiles as one and changes each stack as the options say. Sections that
 * count different things (lib/profile/sections.h) stay apart.
 *
 * The first lines of a section decide if it has one count per line or two, in all
 * inputs.
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
	struct fg_filter *filter; /* borrowed; NULL if stacks stay as they are */
	bool reverse; /* reverse each stack */
	bool keyed; /* each stack has a key and a tab before it, which are kept */
	const char *section; /* the only section to keep, or NULL for all; borrowed */
	struct fg_slicing *slicing; /* borrowed */
	struct fg_sections sections; /* with their header lines */
	struct fg_tree *trees; /* by section */
	size_t count, alloc;
	struct fg_buf reversed, with_key; /* scratch for a stack */

	struct fg_folded_input lines;
	/* by section: counts in a line; 0: no stack so far */
	unsigned columns[FG_SECTIONS_MAX];
	/* by section: the input that decided `columns` */
	const char *first[FG_SECTIONS_MAX];
	bool any_stack; /* there was a stack, even if options left it out */
	bool had_stacks; /* the current input had stacks in earlier sections */

	/*
	 * A bit for each section of the current input: the section has stacks, or
	 * header lines with the weight of a sample, the command, or the quality.
	 */
	uint64_t with_stacks, with_weight, with_command, with_quality;
	uint64_t had; /* a bit for each section that had stacks in earlier inputs */
};

/* All arguments are borrowed. */
void fg_profile_init(struct fg_profile *p, struct fg_filter *filter,
		     struct fg_slicing *slicing, struct fg_diag *diag);
void fg_profile_release(struct fg_profile *p);

/*
 * Reads all of `r`. Returns 0, or -1 after reporting, e.g. that no line is a folded
 * stack.
 */
int fg_profile_add(struct fg_profile *p, struct fg_reader *r);

/*
 * Reports what was ignored, and finishes the trees and their slices. Call it after the
 * last reader. p->section is an event or, if no section has that event, a unit. Returns
 * 0, or -1 after reporting.
 */
int fg_profile_finish(struct fg_profile *p);

/*
 * Returns how many counts each stack has now, 0 if there are no stacks, or -1 after
 * reporting that sections differ in this. For callers that do not handle sections.
 */
int fg_profile_columns(const struct fg_profile *p);

/* Writes sorted lines. Returns 0, or -1 after reporting that they would be too long. */
int fg_profile_write(const struct fg_profile *p, struct fg_out *out);

#endif
