/*
 * A budget for long names that we make of parts, such as functions and their lines. Any
 * number of frames may share the parts, so a small profile could make gigabytes of
 * them.
 */
#ifndef FG_LIB_BASE_LONGNAMES_H
#define FG_LIB_BASE_LONGNAMES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A name of so many bytes is long; all long names together may take FG_LONG_NAMES_MAX.
 */
#define FG_LONG_NAME ((size_t)1024)
#define FG_LONG_NAMES_MAX ((size_t)64 << 20)

/* Charges a name to the budget. Returns false if it is long and the budget is spent. */
static inline bool fg_long_names_add(size_t *taken, size_t len)
{
	if (len < FG_LONG_NAME)
		return true;
	if (len > FG_LONG_NAMES_MAX - *taken)
		return false;
	*taken += len;
	return true;
}

#endif
