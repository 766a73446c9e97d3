/*
 * Allocates memory for a call of the library: like lib/base/xalloc.h, but for a process
 * that must not end.
 *
 * The objects of the library are compiled with -Dfree=fg_free, and memory.c takes the
 * place of lib/base/xalloc.c. Each block that a call allocates is in a list of that
 * call. If a block cannot be allocated, the call ends at once, by longjmp(), and the
 * whole list is freed. A block that has to outlive the call is taken out of the list by
 * fg_call_keep().
 *
 * The current call is a variable of the thread, so calls in several threads do not
 * interfere. A callback may make a call within a call.
 */
#ifndef FG_LIBRARY_MEMORY_H
#define FG_LIBRARY_MEMORY_H

#include <stddef.h>

/*
 * Frees a block that lib/base/xalloc.h or this header allocated. Accepts NULL. Works
 * within a call and outside of one.
 */
void fg_free(void *block);

/*
 * Runs `work` as a call, then frees the blocks left in its list. Returns the result of
 * `work`, or `no_memory` if memory runs out. In that case longjmp() leaves `work`, and
 * its stack is gone. So an object of fg_hold(), which is released after that, must not
 * be on the stack.
 */
int fg_call(int (*work)(void *data), void *data, int no_memory);

/* Runs a callback of the user within a call, in the locale of the caller. */
void fg_call_user(void (*f)(void *data), void *data);

/*
 * Takes a block, or NULL, out of the call's list and returns it. From then on, the
 * caller of fg_call() owns it.
 */
void *fg_call_keep(void *block);

/*
 * Resizes a kept block of `*have` bytes, or NULL, to at least `need` bytes; if it has
 * to grow, to at least twice its size. Returns the block and sets `*have`, or returns
 * NULL and leaves the old block alone.
 */
void *fg_kept_grow(void *block, size_t *have, size_t need);

#endif
