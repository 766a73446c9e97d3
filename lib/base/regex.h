/*
 * Regular expressions: Perl's syntax, by PCRE2 (https://www.pcre.org).
 *
 * Subjects are bytes; those that are valid UTF-8 match as text. Matching is compiled
 * to machine code where the platform can, and bounded, one match as well as all of a
 * pattern together: one that backtracks without end is an error, not a hang.
 */
#ifndef FG_LIB_BASE_REGEX_H
#define FG_LIB_BASE_REGEX_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

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

/* What goes in the place of a match: text with $1, ${name}, \U as PCRE2 has them. */
struct fg_regex_text {
	const char *text; /* borrowed */
	bool all; /* every match, not only the first */
};

/* The most bytes that a replacement may make of a subject that is shorter. */
#define FG_REGEX_RESULT_MAX ((size_t)1 << 20)

/* Whether `with` is well formed for the pattern: 0, or -1 after reporting. */
int fg_regex_check(struct fg_regex *re, const struct fg_regex_text *with);

/*
 * Appends `s` with its first match, or all, replaced: 1; or 0 where there is none and
 * nothing is appended; or -1 after reporting, where it takes too long or the result is
 * larger than FG_REGEX_RESULT_MAX and than `s`.
 */
int fg_regex_replace(struct fg_regex *re, struct fg_str s,
		     const struct fg_regex_text *with, struct fg_buf *out);

/* Accepts NULL. */
void fg_regex_free(struct fg_regex *re);

#endif
