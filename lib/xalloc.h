/*
 * Allocation that cannot fail, and size arithmetic that cannot overflow.
 *
 * Every function here either succeeds or ends the process with a message on
 * standard error and exit status 1. It is the library's only exit: callers
 * never check for NULL and never compute a size unchecked.
 */
#ifndef FG_LIB_XALLOC_H
#define FG_LIB_XALLOC_H

#include <stddef.h>

/*
 * For main, before anything else: from now on large blocks that are freed go back to
 * the system at once, so that a program's memory is what it holds and no more.
 */
void fg_xalloc_start(void);

/* Like malloc; never NULL. A size of 0 gives a block that may be freed. */
void *fg_xmalloc(size_t size);

/* `count` zeroed elements of `size` bytes; the product is checked. */
void *fg_xcalloc(size_t count, size_t size);

/*
 * Resizes `block` to `count` elements of `size` bytes; the product is checked.
 * The old block belongs to the call, the new one to the caller.
 */
void *fg_xrealloc(void *block, size_t count, size_t size);

/* Ends the process as out of memory: a size or an index does not fit its type. */
_Noreturn void fg_size_overflow(void);

/* The same: a library that allocates by itself could not. */
_Noreturn void fg_out_of_memory(void);

/* a + b and a * b, or fg_size_overflow(). */
size_t fg_size_add(size_t a, size_t b);
size_t fg_size_mul(size_t a, size_t b);

/*
 * The next capacity for an array that has `have` elements allocated and needs
 * `need`: at least double, so that appending costs O(1) amortised.
 */
size_t fg_grown(size_t have, size_t need);

/*
 * Makes room for `need` elements in `array`, whose capacity is the lvalue
 * `cap`. Existing elements are kept, new ones are not initialised.
 */
#define FG_GROW(array, cap, need)                                                \
	do {                                                                     \
		if ((size_t)(need) > (cap)) {                                    \
			(cap) = fg_grown((cap), (need));                         \
			(array) = fg_xrealloc((array), (cap), sizeof(*(array))); \
		}                                                                \
	} while (0)

#endif
