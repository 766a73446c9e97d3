/*
 * Inputs that are changed in one place: a byte is missing, added, replaced, or one more
 * or less. Whatever such an input gives, it must not depend on where the reader's
 * blocks end.
 */
#ifndef FG_TESTS_UNIT_SUPPORT_NEAR_H
#define FG_TESTS_UNIT_SUPPORT_NEAR_H

#include "lib/base/buf.h"

/* Replaces `result` by the output, messages and status of a run that reads `text`. */
typedef void near_read(const void *data, struct fg_str text, const char *arguments,
		       size_t block_size, struct fg_buf *result);

/*
 * Reads `count` changed copies of `text`, each at once and in small blocks, and fails
 * the test if the results differ. `name` seeds the changes and is shown with a failure.
 */
void near_try(const char *name, struct fg_str text, const char *arguments, size_t count,
	      near_read *read, const void *data);

#endif
