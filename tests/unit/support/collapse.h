/*
 * A run of collapse-perf in a test: text in memory to lines and messages in memory.
 */
#ifndef FG_TESTS_UNIT_SUPPORT_COLLAPSE_H
#define FG_TESTS_UNIT_SUPPORT_COLLAPSE_H

#include "lib/out.h"
#include "tests/unit/support/support.h"

/* What a run wrote, said and returned. */
struct collapsed {
	struct fg_out out;
	struct caught caught;
	int status;
};

/*
 * Folds `text` with `arguments`, which has blanks between them. `block_size` is the
 * reader's, or 0 for the usual one. Release the result.
 */
void collapse_text(struct fg_str text, size_t block_size, const char *arguments,
		   struct collapsed *result);
void collapsed_release(struct collapsed *result);

#endif
