/*
 * Adds and multiplies sizes, and ends the process instead of overflowing. Use these
 * functions for each size that depends on the input.
 */
#ifndef FG_LIB_BASE_SIZE_H
#define FG_LIB_BASE_SIZE_H

#include <stddef.h>

/*
 * Ends the process because a size or an index does not fit its type. Like
 * fg_out_of_memory(), it is defined in xalloc.c and, for libflamepipe, in
 * library/memory.c.
 */
_Noreturn void fg_size_overflow(void);

/* Return a + b or a * b, or call fg_size_overflow(). */
size_t fg_size_add(size_t a, size_t b);
size_t fg_size_mul(size_t a, size_t b);

/*
 * Returns the new capacity of an array that has space for `have` elements and needs
 * space for `need`. It doubles, so that appending costs O(1) on average. See FG_GROW.
 */
size_t fg_grown(size_t have, size_t need);

#endif
