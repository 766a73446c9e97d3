/*
 * Two folded profiles, compared stack by stack.
 *
 * A profile that was written by a collapser is sorted already, and two of those are
 * merged as they are read. Lines that are out of order, and those of further profiles
 * of a column, are put aside, sorted and merged as one profile more.
 */
#ifndef FG_DIFFFOLDED_DIFF_H
#define FG_DIFFFOLDED_DIFF_H

#include "difffolded/merge.h"
#include "difffolded/roots.h"
#include "lib/base/compat.h"
#include "lib/base/out.h"
#include "lib/base/reader.h"
#include "lib/profile/folded_input.h"
#include "lib/profile/sections.h"

struct fg_diff_options {
	bool normalize; /* scale the counts before to the total after */
	bool strip_hex; /* addresses become 0x..., so that they are equal */
	uint64_t ignore_root[2]; /* so many root frames of each column are left out */
	const char *root; /* what is in their place, or NULL; borrowed */
	enum fg_compat compat; /* FG_COMPAT_INFERNO: counts are cut to whole numbers */
};

/* One of the two columns. */
struct fg_diff_input {
	const char *name; /* of the first profile, for messages; borrowed */
	const char *empty; /* a profile without a line, or NULL */
	uint64_t profiles; /* of which it is the mean */
	uint64_t weighed; /* of them, those that say what a sample counts */
	uint64_t lines; /* that are not empty */
};

/* Lines that could not be counted, and what a message on the first of them says. */
struct fg_diff_ignored {
	uint64_t lines;
	struct fg_place first;
	struct fg_buf message;
};

/* Lines that were out of order and are not merged yet. */
struct fg_diff_pile {
	struct fg_buf text;
	struct fg_diff_aside *lines;
	size_t count;
	size_t alloc;
};

struct fg_diff {
	struct fg_diff_options options;
	struct fg_diag *diag;
	struct fg_merge merge;
	struct fg_diff_pile pile;
	bool aside; /* all lines go there, until it is merged */
	struct fg_sum totals[2]; /* in units of 10^-decimals */
	unsigned decimals; /* most of any count */
	struct fg_diff_input inputs[2]; /* before and after */
	struct fg_unit units[2]; /* what their header lines say */
	struct fg_diff_ignored ignored;
	bool cut; /* some counts were not whole numbers, with --compat=inferno */
	struct fg_odd_lines lost; /* whose count is too small */
	struct fg_odd_lines count_first;
	struct fg_odd_lines messages; /* of our programs, which were skipped */
	struct fg_diff_roots roots;
	uint64_t common; /* stacks with counts in both columns */
	struct fg_buf shown, stripped, rooted, closed; /* a stack that was changed */

	/* of several sections: this is the comparison of the first */
	struct fg_sections sections[2];
	size_t part_of[2][FG_SECTIONS_MAX]; /* of the first `placed` sections */
	size_t placed[2];
	struct fg_diff *others;
	size_t other_count, other_alloc;
	bool has[2]; /* stacks of either column */
	bool weighs; /* the input being read says what a sample counts */
	bool left_out; /* as one column has none */
};

/* `diag` is borrowed. */
void fg_diff_init(struct fg_diff *d, struct fg_diff_options options,
		  struct fg_diag *diag);
void fg_diff_release(struct fg_diff *d);

/*
 * In read.c: reads all of `r`, which messages call `name`, into column 0 (before) or 1
 * (after); several profiles of a column are their mean. Returns 0, or -1 after
 * reporting what makes the profile unusable. An input without any line is no
 * failure here.
 */
int fg_diff_read(struct fg_diff *d, struct fg_reader *r, const char *name,
		 unsigned column);

/* Once both are read: nothing is put aside any more. */
void fg_diff_merge_pile(struct fg_diff *d);

/*
 * Then, in write.c: warns of what was left out, normalizes if asked to and
 * writes the lines. Returns 0, or -1 after reporting that both were empty
 * or of different events.
 */
int fg_diff_write(struct fg_diff *d, struct fg_out *out);

#endif
