/*
 * A run of a collapser in a test: text in memory to lines and messages in memory.
 */
#ifndef FG_TESTS_UNIT_SUPPORT_COLLAPSE_H
#define FG_TESTS_UNIT_SUPPORT_COLLAPSE_H

#include "collapse/format.h"
#include "lib/base/out.h"
#include "tests/unit/support/support.h"

/* What a run wrote, said and returned. */
struct collapsed {
	struct fg_out out;
	struct caught caught;
	int status;
};

struct collapse_how {
	const char *arguments; /* with blanks between them; files are left out */
	size_t block_size; /* the reader's, or 0 for the usual one */
};

/* Folds `text`; a wrong option is a failure. Release the result. */
void collapse_format(const struct fg_format *format, struct fg_str text,
		     struct collapse_how how, struct collapsed *result);
void collapsed_release(struct collapsed *result);

#endif
