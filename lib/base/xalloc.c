/* Allocates memory or ends the process. */
#define _GNU_SOURCE /* for program_invocation_short_name */
#include "lib/base/xalloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

/* Blocks of this size and more are returned to the system when they are freed. */
#define LARGE (1 << 20)
#endif

/* The unit of ru_maxrss, in bytes. */
#ifdef __APPLE__
#define MAXRSS_UNIT 1
#else
#define MAXRSS_UNIT 1024
#endif

/* The function of fg_xalloc_at_end(). end() has no other way to get at it. */
static void (*at_end)(void);

/* Returns the name we were called by. We have no fg_diag here, but libc knows it. */
static const char *program_name(void)
{
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__)
	return getprogname();
#else
	return program_invocation_short_name;
#endif
}

/*
 * Ends the process with a message. If several threads get here, one writes it and the
 * others wait for the end, because no two may call exit().
 */
static _Noreturn void end(const char *why)
{
	void (*clean_up)(void);

	flockfile(stderr);
	fprintf(stderr, "%s: out of memory%s\n", program_name(), why);
	clean_up = at_end;
	at_end = NULL; /* because it may run out of memory itself */
	if (clean_up)
		clean_up();
	_exit(1);
}

static _Noreturn void out_of_bytes(size_t size)
{
	char why[64];

	snprintf(why, sizeof(why), " (%zu bytes wanted)", size);
	end(why);
}

_Noreturn void fg_size_overflow(void)
{
	end(" (a size does not fit in memory)");
}

_Noreturn void fg_out_of_memory(void)
{
	end("");
}

void fg_xalloc_at_end(void (*clean_up)(void))
{
	at_end = clean_up;
}

/*
 * By default, glibc keeps freed blocks that are smaller than the largest one freed
 * before.
 */
void fg_xalloc_start(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

/* Uses getrusage(), which exists on all systems and still works when confined. */
size_t fg_xalloc_held(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) || usage.ru_maxrss < 0)
		return 0;
	return (size_t)usage.ru_maxrss * MAXRSS_UNIT;
}

/* `volatile` keeps the compiler from removing the block, which is not used. */
void fg_xalloc_spare(size_t size)
{
	void *volatile block = malloc(size);

	if (!block)
		out_of_bytes(size);
	free(block);
}

/*
 * Does nothing: when the process ends, the system frees everything. libflamepipe has
 * its own function in library/memory.c.
 */
void fg_hold(void (*release)(void *what), void *what)
{
	(void)release;
	(void)what;
}

void fg_let_go(const void *what)
{
	(void)what;
}

void *fg_xmalloc(size_t size)
{
	void *block = malloc(size ? size : 1);

	if (!block)
		out_of_bytes(size);
	return block;
}

void *fg_xcalloc(size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	void *block = calloc(1, total ? total : 1);

	if (!block)
		out_of_bytes(total);
	return block;
}

void *fg_xrealloc(void *block, size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	void *grown = realloc(block, total ? total : 1);

	if (!grown)
		out_of_bytes(total);
	return grown;
}
