/* Allocation that cannot fail. */
#include "lib/base/xalloc.h"

#include <stdlib.h>
#include <sys/resource.h>

#ifdef __GLIBC__
#include <malloc.h>

/* Blocks of this size and more are given back to the system when they are freed. */
#define LARGE (1 << 20)
#endif

/* Bytes that ru_maxrss counts in. */
#ifdef __APPLE__
#define MAXRSS_UNIT 1
#else
#define MAXRSS_UNIT 1024
#endif

/* Left alone, glibc maps no block that is smaller than the largest it has freed. */
void fg_xalloc_start(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

/* Of what the system may know, this is there everywhere, and in confinement. */
size_t fg_xalloc_held(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) || usage.ru_maxrss < 0)
		return 0;
	return (size_t)usage.ru_maxrss * MAXRSS_UNIT;
}

/* Compilers may leave out a block that nobody uses. */
void fg_xalloc_spare(size_t size)
{
	void *volatile block = malloc(size);

	if (!block)
		fg_out_of_bytes(size);
	free(block);
}

/* The system gives everything back: library/memory.c is where there is more to do. */
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
		fg_out_of_bytes(size);
	return block;
}

void *fg_xcalloc(size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	void *block = calloc(1, total ? total : 1);

	if (!block)
		fg_out_of_bytes(total);
	return block;
}

void *fg_xrealloc(void *block, size_t count, size_t size)
{
	size_t total = fg_size_mul(count, size);
	void *grown = realloc(block, total ? total : 1);

	if (!grown)
		fg_out_of_bytes(total);
	return grown;
}
