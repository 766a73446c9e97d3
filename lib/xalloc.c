/* Allocation that cannot fail; the only place in the library that exits. */
#define _GNU_SOURCE /* for MADV_HUGEPAGE and the program's name */
#include "lib/xalloc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* No page of memory is smaller. */
#define PAGE 4096

/* Bytes of a large page, where the machine has them, and of malloc's own header. */
#define LARGE_PAGE ((size_t)2 << 20)
#define BESIDE 32

/* Blocks of this size and more are given large pages. */
#define LARGE ((size_t)1 << 20)

/* Left alone, glibc maps no block that is smaller than the largest it has freed. */
void fg_xalloc_start(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, (int)LARGE);
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

/* More than half of all addresses is never granted, so it is asked for unchanged. */
static bool is_large(size_t size)
{
	return size >= LARGE && size <= PTRDIFF_MAX / 2;
}

/*
 * The size to ask for: a block that is mapped as whole large pages stays at the border
 * of one when it is enlarged.
 */
static size_t in_large_pages(size_t size)
{
	size_t rest;

	if (!is_large(size))
		return size ? size : 1;
	rest = (size + BESIDE) % LARGE_PAGE;
	return rest ? size + LARGE_PAGE - rest : size;
}

/*
 * Asks for large pages, which take a tenth of the time to get and are faster to look
 * up. The advice covers all pages that the block touches: a mapping that differs in a
 * part can only be enlarged by copying.
 */
static void prefer_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
	uintptr_t at = (uintptr_t)block, start = at - at % PAGE;
	uintptr_t end = at + size + PAGE - 1;

	if (is_large(size))
		madvise((void *)start, end - end % PAGE - start, MADV_HUGEPAGE);
#else
	(void)block;
	(void)size;
#endif
}

void *fg_xmalloc(size_t size)
{
	size_t whole = in_large_pages(size);
	void *block = is_large(size) ? aligned_alloc(LARGE_PAGE, whole + BESIDE) :
				       malloc(whole);

	if (!block)
		out_of_memory(size);
	prefer_large_pages(block, whole);
	return block;
}

void *fg_xcalloc(size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	size_t whole = in_large_pages(total);
	void *block = calloc(1, whole);

	if (!block)
		out_of_memory(total);
	prefer_large_pages(block, whole);
	return block;
}

void *fg_xcalloc_table(size_t count, size_t size)
{
	char *block = fg_xcalloc(count, size);

	for (size_t at = 0; at < count * size; at += PAGE)
		*(volatile char *)(block + at) = 0;
	return block;
}

void *fg_xrealloc(void *block, size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	size_t whole = in_large_pages(total);
	void *grown = realloc(block, whole);

	if (!grown)
		out_of_memory(total);
	prefer_large_pages(grown, whole);
	return grown;
}
