/*
 * Rules that rename frames: s/REGEX/TEXT/, or s/REGEX/TEXT/g for all matches.
 *
 * REGEX has the syntax of lib/base/regex.h. In TEXT, $1 or \1 stands for the text
 * matched in parentheses; PCRE2's extended substitution has more. Instead of '/' you
 * can use any character that is not a letter, digit, space or backslash; inside REGEX
 * and TEXT, write it with a backslash before it. The flags are g, and i to ignore the
 * case of letters.
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

/*
 * Adds a rule. Messages say that it comes from `where`, an option. Returns 0, or -1
 * after reporting.
 */
int fg_renames_add(struct fg_renames *r, struct fg_str rule, const char *where,
		   struct fg_diag *diag);

/*
 * Adds the rules of a file, one on each line. Skips empty lines and lines that start
 * with '#'. Returns 0, or -1 after reporting.
 */
int fg_renames_read(struct fg_renames *r, const char *file, struct fg_diag *diag);

/*
 * Applies all rules, one after the other, to a name. A ';' in the result becomes ':'.
 * Returns 0, or -1 after reporting.
 */
int fg_renames_apply(const struct fg_renames *r, struct fg_buf *name);

#endif
