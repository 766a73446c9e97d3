/*
 * Regular expressions: Perl's syntax, by PCRE2 (https://www.pcre.org).
 *
 * Subjects are bytes; those that are valid UTF-8 match as text. Matching is compiled
 * to machine code where the platform can, and bounded, one match as well as all of a
 * pattern together: one that backtracks without end is an error, not a hang.
 */
#ifndef FG_LIB_REGEX_H
#define FG_LIB_REGEX_H

#include "lib/diag.h"
#include "lib/str.h"

struct fg_regex;

/*
 * Compiles `pattern`. `subject` names for messages what it is matched against
 * or where it was given, as in "--keep"; both are borrowed for as long as the
 * result lives. NULL after reporting what is wrong with the pattern and where.
 */
struct fg_regex *fg_regex_new(const char *pattern, const char *subject,
			      struct fg_diag *diag);

/* Whether the pattern occurs anywhere in `s`: 1, 0, or -1 after reporting. */
int fg_regex_match(struct fg_regex *re, struct fg_str s);

/* Accepts NULL. */
void fg_regex_free(struct fg_regex *re);

#endif
