/*
 * Compares two folded profiles stack by stack.
 *
 * Collapsers write sorted profiles, and two of those are merged as they are read. Lines
 * out of order, and all lines of a column's second and later profiles, go onto a pile.
 * The pile is sorted and merged as one more profile.
 *
 * Call fg_diff_read() for each input, then fg_diff_write().
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
	bool strip_hex; /* turn addresses into 0x..., so that they are equal */
	uint64_t ignore_root[2]; /* by column: number of root frames to leave out */
	const char *root; /* a root frame to put in their place, or NULL; borrowed */
	enum fg_compat compat; /* FG_COMPAT_INFERNO: counts are cut to whole numbers */
};

struct fg_diff_input {
	const char *name; /* name of the first profile, for messages; borrowed */
	const char *empty; /* name of the first profile that has no lines, or NULL */
	uint64_t profiles; /* number of profiles so far; the counts are their mean */
	uint64_t weighed; /* number of profiles that state the weight of a sample */
	uint64_t lines; /* number of lines that are not empty */
};

/*
 * The number of lines that could not be counted, and the message about the first one.
 */
struct fg_diff_ignored {
	uint64_t lines;
	struct fg_place first;
	struct fg_buf message;
};

/* Lines out of order that are not merged yet. */
struct fg_diff_pile {
	struct fg_buf text;
	struct fg_diff_pile_line *lines;
	size_t count;
	size_t alloc;
};

struct fg_diff {
	struct fg_diff_options options;
	struct fg_diag *diag;
	struct fg_merge merge;
	struct fg_diff_pile pile;
	bool piles; /* put all lines on the pile until it is merged */
	struct fg_sum totals[2]; /* in units of 10^-decimals */
	unsigned decimals; /* the most decimals that any count has */
	struct fg_diff_input inputs[2];
	struct fg_unit units[2]; /* from the header lines of each column */
	struct fg_diff_ignored ignored;
	bool cut; /* with --compat=inferno: some counts were not whole */
	struct fg_noted_lines lost; /* lines whose count is too small */
	struct fg_noted_lines count_first;
	struct fg_noted_lines messages; /* skipped messages of our own programs */
	struct fg_diff_roots roots;
	uint64_t common; /* number of stacks with counts in both columns */
	struct fg_buf shown, stripped, rooted, closed; /* scratch for a changed stack */

	/*
	 * If there are several sections, this struct is the comparison of the first
	 * one, and `others` has those of the other sections.
	 */
	struct fg_sections sections[2];
	/* by section: index of its comparison; set for the first `placed` sections */
	size_t part_of[2][FG_SECTIONS_MAX];
	size_t placed[2];
	struct fg_diff *others;
	size_t other_count, other_alloc;
	bool has[2]; /* by column: this section has stacks */
	bool weighs; /* the current input states the weight of a sample */
	bool left_out; /* not written, because one column has no stacks */
};

/* `diag` is borrowed. */
void fg_diff_init(struct fg_diff *d, struct fg_diff_options options,
		  struct fg_diag *diag);
void fg_diff_release(struct fg_diff *d);

/*
 * Reads all of `r` into column 0 (before) or 1 (after). Several profiles of a column
 * become their mean. Messages call the input `name`. Returns 0, or -1 after reporting
 * what makes the profile unusable; an input without any line is not a failure here.
 * Defined in read.c.
 */
int fg_diff_read(struct fg_diff *d, struct fg_reader *r, const char *name,
		 unsigned column);

/* Merges the rest of the pile. Call it when both columns are read. */
void fg_diff_merge_pile(struct fg_diff *d);

/*
 * Warns of what was left out, normalizes if asked to, and writes the lines. Returns 0,
 * or -1 after reporting that both inputs were empty or of different events. Defined in
 * write.c.
 */
int fg_diff_write(struct fg_diff *d, struct fg_out *out);

#endif
