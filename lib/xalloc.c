/* Allocation that cannot fail; the only place in the library that exits. */
#define _GNU_SOURCE /* for the program's name */
#include "lib/xalloc.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

/* Blocks of this size and more are given back to the system when they are freed. */
#define LARGE (1 << 20)
#endif

/* Left alone, glibc maps no block that is smaller than the largest it has freed. */
void fg_xalloc_start(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

/* There is no diag here; the C library knows by which name it was called. */
static const char *program_name(void)
{
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__)
	return getprogname();
#else
	return program_invocation_short_name;
#endif
}

/*
 * Of several threads that fail one says so; the others wait here for the end. No two
 * may call exit().
 */
static _Noreturn void end(const char *why)
{
	flockfile(stderr);
	fprintf(stderr, "%s: out of memory%s\n", program_name(), why);
	_exit(1);
}

static _Noreturn void out_of_memory(size_t size)
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

size_t fg_size_add(size_t a, size_t b)
{
	if (a > SIZE_MAX - b)
		fg_size_overflow();
	return a + b;
}

size_t fg_size_mul(size_t a, size_t b)
{
	if (b && a > SIZE_MAX / b)
		fg_size_overflow();
	return a * b;
}

size_t fg_grown(size_t have, size_t need)
{
	size_t cap = have < 16 ? 16 : have;

	while (cap < need)
		cap = fg_size_mul(cap, 2);
	return cap;
}

void *fg_xmalloc(size_t size)
{
	void *block = malloc(size ? size : 1);

	if (!block)
		out_of_memory(size);
	return block;
}

void *fg_xcalloc(size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	void *block = calloc(1, total ? total : 1);

	if (!block)
		out_of_memory(total);
	return block;
}

void *fg_xrealloc(void *block, size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	void *grown = realloc(block, total ? total : 1);

	if (!grown)
		out_of_memory(total);
	return grown;
}
