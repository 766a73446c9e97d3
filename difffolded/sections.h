/*
 * Compares inputs with several sections, each for one event. A section is compared with
 * the section of the same event in the other column. See lib/profile/sections.h.
 *
 * If both columns have just one section, the two are compared even if their events
 * differ.
 */
#ifndef FG_DIFFFOLDED_SECTIONS_H
#define FG_DIFFFOLDED_SECTIONS_H

#include "difffolded/diff.h"

/*
 * The comparisons of all sections: fg_diff_part_count() returns their number, and
 * fg_diff_part() one of them. Number 0 is `d` itself.
 */
size_t fg_diff_part_count(const struct fg_diff *d);
struct fg_diff *fg_diff_part(struct fg_diff *d, size_t i);

/* Call the first before each input of a column is read, and the second after it. */
void fg_diff_sections_start(struct fg_diff *d, unsigned column);
void fg_diff_sections_end(struct fg_diff *d, unsigned column);

/*
 * Returns the comparison that the next stacks belong to, or NULL after reporting too
 * many sections. Call it after header lines and at the start of an input. Pointers to
 * other comparisons may become invalid.
 */
struct fg_diff *fg_diff_turn(struct fg_diff *d, unsigned column,
			     const struct fg_place *at);

/*
 * Marks sections that only one column has, with a warning. Call it when both columns
 * are read. Returns 0, or -1 after reporting that no section is in both, or that we
 * cannot tell which sections belong together.
 */
int fg_diff_sections_check(struct fg_diff *d);

#endif
