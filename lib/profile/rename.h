/*
 * Rules that give frames other names: s/REGEX/TEXT/, or s/REGEX/TEXT/g for all matches.
 *
 * REGEX is as in lib/base/regex; TEXT has $1 or \1 for what was in parentheses, and
 * what else PCRE2's extended substitution knows. Any character that is no letter,
 * digit, blank or backslash may be in the place of '/', and is itself after a
 * backslash. After the last one come flags: g, and i where the letter case does not
 * matter.
 */
#ifndef FG_LIB_PROFILE_RENAME_H
#define FG_LIB_PROFILE_RENAME_H

#include "lib/base/diag.h"
#include "lib/base/str.h"

struct fg_buf;
struct fg_rename;

/* A list of rules; a zeroed one is empty. */
struct fg_renames {
	struct fg_rename **rules;
	size_t count, alloc;
};

void fg_renames_release(struct fg_renames *r);

/* Adds a rule that was given to the option `where`: 0, or -1 after reporting. */
int fg_renames_add(struct fg_renames *r, struct fg_str rule, const char *where,
		   struct fg_diag *diag);

/*
 * Adds the rules of a file, one a line; empty lines and those that start with '#' are
 * none. 0, or -1 after reporting, with file and line.
 */
int fg_renames_read(struct fg_renames *r, const char *file, struct fg_diag *diag);

/*
 * Applies all rules, one after the other, to a name, in which ';' becomes ':'. 0, or -1
 * after reporting.
 */
int fg_renames_apply(const struct fg_renames *r, struct fg_buf *name);

#endif
