/*
 * Long names that are made of parts which any number of frames share, such as functions
 * and their lines: a small profile could stand for gigabytes of them.
 */
#ifndef FG_LIB_BASE_LONGNAMES_H
#define FG_LIB_BASE_LONGNAMES_H

#include <stdbool.h>
#include <stddef.h>

/* From so many bytes on a name is long; so much all long ones may take. */
#define FG_LONG_NAME ((size_t)1024)
#define FG_LONG_NAMES_MAX ((size_t)64 << 20)

/* Takes room for a name that is made; false: it is long, and there is no more. */
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
