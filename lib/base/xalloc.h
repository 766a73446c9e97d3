/*
 * Allocation that cannot fail.
 *
 * Every function here either succeeds or ends the process with a message and exit
 * status 1, so callers never check for NULL. In libflamepipe only the call ends, see
 * library/memory.h. Compute sizes with lib/base/size.h, which checks them.
 */
#ifndef FG_LIB_BASE_XALLOC_H
#define FG_LIB_BASE_XALLOC_H

#include "lib/base/size.h"

/* Ends the process because another library could not allocate memory. */
__attribute__((noreturn)) void fg_out_of_memory(void);

/*
 * Lets clean_up() run before the process ends because memory ran out. In libflamepipe
 * there is no such function, see fg_hold().
 */
void fg_xalloc_at_end(void (*clean_up)(void));

/*
 * Makes free() return large blocks to the system at once, so that a program takes no
 * more memory than it uses. Call it first in main().
 */
void fg_xalloc_start(void);

/*
 * Like malloc(), but never returns NULL. A size of 0 gives a block that can be freed.
 */
void *fg_xmalloc(size_t size);

/* Returns `count` zeroed elements of `size` bytes. Checks the product. */
void *fg_xcalloc(size_t count, size_t size);

/*
 * Resizes `block` to `count` elements of `size` bytes. Checks the product. The old
 * block is gone. For an array that grows, use FG_GROW below.
 */
void *fg_xrealloc(void *block, size_t count, size_t size);

/*
 * Returns the most bytes of memory that the program has had so far; in libflamepipe,
 * the bytes that the call has now; 0 if that is not known. It is a system call, so do
 * not call it for each line.
 */
size_t fg_xalloc_held(void);

/*
 * Allocates `size` bytes and frees them at once; ends the process if that fails. Call
 * it before you use a library that would leave out a part of its result for lack of
 * memory.
 */
void fg_xalloc_spare(size_t size);

/*
 * fg_hold() records an object that is more than memory, like a descriptor or the parser
 * of another library. If memory runs out in libflamepipe, the call ends but the process
 * does not, so release(what) is called. fg_let_go() forgets the object. In the
 * programs, both do nothing.
 */
void fg_hold(void (*release)(void *what), void *what);
void fg_let_go(const void *what);

/*
 * Makes space for `need` elements in `array`, whose capacity is the variable `cap`:
 *
 *     FG_GROW(names, names_alloc, count + 1);
 *     names[count++] = name;
 *
 * Old elements stay; new ones are not initialised.
 */
#define FG_GROW(array, cap, need)                                                \
	do {                                                                     \
		if ((size_t)(need) > (cap)) {                                    \
			(cap) = fg_grown((cap), (need));                         \
			(array) = fg_xrealloc((array), (cap), sizeof(*(array))); \
		}                                                                \
	} while (0)

#endif
