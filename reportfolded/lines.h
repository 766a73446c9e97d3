/*
 * The source lines of a profile whose frames have them, "NAME:FILE:NUMBER" (line.h).
 *
 * Every name of such a profile is one line of one function. So sums by name are sums by
 * line, and functions are groups of names.
 */
#ifndef FG_REPORTFOLDED_LINES_H
#define FG_REPORTFOLDED_LINES_H

#include "lib/base/diag.h"
#include "lib/findings/functions.h"

/* The parts of a name FUNCTION:FILE:NUMBER. Other names have only a function. */
struct fg_named_line {
	uint32_t function; /* id in fg_lines.functions */
	uint32_t file; /* id in fg_lines.files; unused without a line */
	uint32_t number; /* 0: the name has no line */
};

struct fg_lines {
	struct fg_intern functions; /* names without lines */
	struct fg_intern files;
	struct fg_named_line *of; /* indexed by id of the name */
	uint32_t *groups; /* like `of`: only the function */
	/*
	 * set by fg_lines_merge(), indexed by function: id of its name in the new tree,
	 * or FG_NO_GROUP
	 */
	uint32_t *merged;
	bool any; /* the profile has lines */
};

void fg_lines_init(struct fg_lines *l, const struct fg_intern *names);
void fg_lines_release(struct fg_lines *l);

/* Adds up the functions of the profile. `name` of each is an id in l->functions. */
void fg_lines_functions(const struct fg_lines *l, const struct fg_columns *p,
			struct fg_functions *functions);

/*
 * Makes a profile like `p`, without its unit, whose frames have no lines, and in which
 * a function that calls itself is one frame. If it has times of waiting, functions of
 * the scheduler at the end of a stack count for their caller. Returns 0, or -1 after
 * reporting that the counts are too large. Release `made` in either case.
 */
int fg_lines_merge(struct fg_lines *l, const struct fg_columns *p,
		   struct fg_columns *made, struct fg_diag *diag);

#endif
