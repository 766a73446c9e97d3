/*
 * Memory of a call of the library: what lib/base/xalloc.h does where nothing may end.
 *
 * The objects of the library are compiled with -Dfree=fg_free, and memory.c stands in
 * for lib/base/xalloc.c. Each block that a call allocates is in a list
 * of that call; where one cannot be had, the call ends at once, by longjmp, and all of
 * the list is freed. What a call leaves behind, it takes out of the list by
 * fg_call_keep.
 *
 * A call is known by its thread: nothing else here outlives one, and calls in several
 * threads know nothing of each other. A callback may make a call within a call.
 */
#ifndef FG_LIBRARY_MEMORY_H
#define FG_LIBRARY_MEMORY_H

#include <stddef.h>

/* Frees a block of lib/base/xalloc.h or of below, in or out of a call; accepts NULL. */
void fg_free(void *block);

/*
 * Runs `work` as a call and frees what that has left in its list: what it returns, or
 * `no_memory`. Nothing of `work` that has to be undone may be on its own stack.
 */
int fg_call(int (*work)(void *data), void *data, int no_memory);

/* Within a call, runs what is the user's: in the locale that the call was made in. */
void fg_call_aside(void (*f)(void *data), void *data);

/* The block belongs to the caller of fg_call from now on; accepts NULL. */
void *fg_call_keep(void *block);

/*
 * Resizes a block that is kept, or NULL, to at least `need` bytes and at least twice
 * `*have`, which are those it has: the block, or NULL, and the old one stays.
 */
void *fg_kept_grow(void *block, size_t *have, size_t need);

#endif
