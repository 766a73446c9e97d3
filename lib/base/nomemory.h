/*
 * The end for lack of memory: a message on standard error and exit status 1. In
 * libflamepipe the end of a call, see library/memory.h.
 */
#ifndef FG_LIB_BASE_NOMEMORY_H
#define FG_LIB_BASE_NOMEMORY_H

#include <stddef.h>

/* So many bytes could not be had. */
_Noreturn void fg_out_of_bytes(size_t size);

/* A size or an index does not fit its type. */
_Noreturn void fg_size_overflow(void);

/* A library that allocates by itself could not. */
__attribute__((noreturn)) void fg_out_of_memory(void);

#endif
