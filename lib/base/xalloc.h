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

/* Ends the process: `size` bytes could not be allocated. */
_Noreturn void fg_out_of_bytes(size_t size);

/* Ends the process: another library could not allocate something. */
__attribute__((noreturn)) void fg_out_of_memory(void);

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

/*
 * Returns how many bytes of memory the program has held at most so far, in libflamepipe
 * how many the call holds now; 0 if that is not known. It asks the system, so it is
 * nothing for each line.
 */
size_t fg_xalloc_held(void);

/*
 * Ends the process where `size` bytes are not to be had now: before a library is called
 * that goes on without what it got no memory for. Nothing is kept.
 */
void fg_xalloc_spare(size_t size);

/*
 * For what is not given back when the memory is, as a file or what another library has
 * made: `release` is to be called with it where the run ends for lack of memory and the
 * process does not, as in libflamepipe. Here neither does anything.
 */
void fg_hold(void (*release)(void *what), void *what);
void fg_let_go(const void *what);

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
