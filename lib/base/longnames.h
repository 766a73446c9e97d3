/*
 * A budget for long names that we make of parts, such as functions and their lines.
 * Many frames can share a long part, so a small profile could make gigabytes of names.
 */
#ifndef FG_LIB_BASE_LONGNAMES_H
#define FG_LIB_BASE_LONGNAMES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A name of at least FG_LONG_NAME bytes is long. All long names together may take
 * FG_LONG_NAMES_MAX bytes.
 */
#define FG_LONG_NAME ((size_t)1024)
#define FG_LONG_NAMES_MAX ((size_t)64 << 20)

/*
 * Charges a name of `len` bytes to the budget. *taken is the part of the budget that is
 * spent; set it to 0 before the first call. Returns false if the name is long and
 * exceeds the rest of the budget.
 */
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
