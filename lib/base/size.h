/*
 * Sums and products of sizes that end the process instead of overflowing. Compute each
 * size with them that depends on the input.
 */
#ifndef FG_LIB_BASE_SIZE_H
#define FG_LIB_BASE_SIZE_H

#include <stddef.h>

/*
 * Ends the process because a size or an index does not fit its type. Like the functions
 * for lack of memory, it is in xalloc.c and, for libflamepipe, in library/memory.c.
 */
_Noreturn void fg_size_overflow(void);

/* Return a + b or a * b, or call fg_size_overflow(). */
size_t fg_size_add(size_t a, size_t b);
size_t fg_size_mul(size_t a, size_t b);

/*
 * Returns the next capacity for an array with room for `have` elements that needs
 * `need`: at least double, so that appending costs O(1) on average. See FG_GROW.
 */
size_t fg_grown(size_t have, size_t need);

#endif
