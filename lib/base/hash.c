/* Makes seeds for hashes that the author of an input cannot know. */
#define _DEFAULT_SOURCE /* for getentropy */
#include "lib/base/hash.h"

#include <time.h>
#include <unistd.h>

uint64_t fg_hash_seed(void)
{
	struct timespec now = { 0, 0 };
	uint64_t seed;

	if (!getentropy(&seed, sizeof(seed)))
		return seed;
	/*
	 * getentropy() fails on an old kernel or in a sandbox. The stack's address and
	 * the time are hard to guess, too.
	 */
	clock_gettime(CLOCK_REALTIME, &now);
	return fg_hash_mix((uint64_t)(uintptr_t)&seed ^ FG_HASH_K0,
			   (uint64_t)now.tv_nsec ^ FG_HASH_K1);
}
