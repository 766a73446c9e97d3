/*
 * Finds out which of several profiles in one folded text a stack belongs to.
 *
 * A header line "# event:" or "# unit:" after stacks starts a new section, or continues
 * an earlier section that has the same event and unit. Stacks before the first header
 * belong to its section, too. See folded(5).
 */
#ifndef FG_LIB_PROFILE_SECTIONS_H
#define FG_LIB_PROFILE_SECTIONS_H

#include "lib/base/diag.h"
#include "lib/profile/unit.h"

/* The most sections; more are an error. */
#define FG_SECTIONS_MAX 64

struct fg_sections {
	struct fg_unit *items; /* the header lines of each section; at least one */
	size_t count, alloc;
	size_t current; /* the section of the next stack */
	struct fg_unit header; /* the header lines since the last stack */
	bool has_header;
};

void fg_sections_init(struct fg_sections *s);
void fg_sections_release(struct fg_sections *s);

/* Reads a line that is not a stack, such as a header line. */
void fg_sections_line(struct fg_sections *s, struct fg_str line);

/*
 * Finds or adds the section of a stack that comes after header lines, and makes it
 * current. Call it before such a stack. Returns the section's index, or -1 after
 * reporting that there are too many.
 */
int fg_sections_turn(struct fg_sections *s, const struct fg_place *at,
		     struct fg_diag *diag);

/* Ends an input that had stacks. Header lines at its end belong to those stacks. */
void fg_sections_end(struct fg_sections *s);

#endif
