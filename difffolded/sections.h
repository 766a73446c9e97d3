/*
 * Inputs that have several sections, each of another event: a section is compared with
 * that of the same event in the other column. See lib/profile/sections.h.
 *
 * Where both columns have one alone, these are compared, whatever they are of.
 */
#ifndef FG_DIFFFOLDED_SECTIONS_H
#define FG_DIFFFOLDED_SECTIONS_H

#include "difffolded/diff.h"

/* The comparisons of all sections, from 0 on: the first is `d`. */
size_t fg_diff_part_count(const struct fg_diff *d);
struct fg_diff *fg_diff_part(struct fg_diff *d, size_t i);

/* Before an input of a column is read, and after. */
void fg_diff_sections_start(struct fg_diff *d, unsigned column);
void fg_diff_sections_end(struct fg_diff *d, unsigned column);

/*
 * To be asked after header lines and at the start of an input: the comparison that the
 * next stacks belong to, or NULL after reporting that there are too many. Pointers to
 * others may be invalid then.
 */
struct fg_diff *fg_diff_turn(struct fg_diff *d, unsigned column,
			     const struct fg_place *at);

/*
 * Once both columns are read: marks those that only one column has, with a warning.
 * 0, or -1 after reporting that none is in both, or that it is not known which.
 */
int fg_diff_sections_check(struct fg_diff *d);

#endif
