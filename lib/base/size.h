/* Sums and products of sizes that cannot overflow. */
#ifndef FG_LIB_BASE_SIZE_H
#define FG_LIB_BASE_SIZE_H

#include <stddef.h>

/*
 * Ends the process: a size or an index does not fit its type. It is in xalloc.c and, in
 * libflamepipe, in library/memory.c, with the other ends for lack of memory.
 */
_Noreturn void fg_size_overflow(void);

/* a + b and a * b, or fg_size_overflow(). */
size_t fg_size_add(size_t a, size_t b);
size_t fg_size_mul(size_t a, size_t b);

/*
 * The next capacity for an array that has `have` elements allocated and needs
 * `need`: at least double, so that appending costs O(1) amortised.
 */
size_t fg_grown(size_t have, size_t need);

#endif
