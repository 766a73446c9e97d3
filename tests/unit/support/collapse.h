/* Runs a collapser in a test: from text in memory to lines and messages in memory. */
#ifndef FG_TESTS_UNIT_SUPPORT_COLLAPSE_H
#define FG_TESTS_UNIT_SUPPORT_COLLAPSE_H

#include "collapse/format.h"
#include "lib/base/out.h"
#include "tests/unit/support/support.h"

/* The output, messages and status of a run. */
struct collapsed {
	struct fg_out out;
	struct caught caught;
	int status;
};

struct collapse_how {
	const char *arguments; /* separated by spaces; files are ignored */
	size_t block_size; /* the block size of the reader; 0: the usual one */
};

/* Folds `text`. A wrong option gives the status -1. Release the result. */
void collapse_format(const struct fg_format *format, struct fg_str text,
		     struct collapse_how how, struct collapsed *result);
void collapsed_release(struct collapsed *result);

#endif
