/*
 * Regular expressions in Perl's syntax, by PCRE2 (https://www.pcre.org).
 *
 * Subjects are bytes; valid UTF-8 in them matches as characters. The work for each
 * match is limited, and so is the work for all matches of a pattern together. So a
 * pattern that backtracks without end is an error and not a hang.
 */
#ifndef FG_LIB_BASE_REGEX_H
#define FG_LIB_BASE_REGEX_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_regex;

/*
 * Compiles `pattern`. `subject` starts the messages: it names what the pattern is
 * matched against, or the option that has the pattern as its argument, like "--keep".
 * Borrows both as long as the result lives. Returns NULL after reporting what is wrong
 * with the pattern.
 */
struct fg_regex *fg_regex_new(const char *pattern, const char *subject,
			      struct fg_diag *diag);

/* Returns 1 if the pattern matches anywhere in `s`, 0 if not, or -1 after reporting. */
int fg_regex_match(struct fg_regex *re, struct fg_str s);

/* A replacement: text with $1, ${name}, \U and so on, as pcre2_substitute(3) says. */
struct fg_regex_text {
	const char *text; /* borrowed */
	bool all; /* every match, not only the first */
};

/* A replacement must not make a shorter subject longer than this many bytes. */
#define FG_REGEX_RESULT_MAX ((size_t)1 << 20)

/* Checks that a replacement is well formed. Returns 0, or -1 after reporting. */
int fg_regex_check(struct fg_regex *re, const struct fg_regex_text *with);

/*
 * Replaces the first match in `s`, or all, and appends the result to `out`. Returns 1;
 * 0 if nothing matches, and then appends nothing; or -1 after reporting, for example
 * that it takes too long or that the result is longer than both FG_REGEX_RESULT_MAX and
 * `s`.
 */
int fg_regex_replace(struct fg_regex *re, struct fg_str s,
		     const struct fg_regex_text *with, struct fg_buf *out);

/* Accepts NULL. */
void fg_regex_free(struct fg_regex *re);

#endif
