/* Work for the programs of perfdata-live.bats. */
#ifndef FG_TESTS_LIVE_WORK_H
#define FG_TESTS_LIVE_WORK_H

#define NOT_INLINE __attribute__((noinline, noclone))

static volatile unsigned sink;

static NOT_INLINE unsigned grind(unsigned grains)
{
	for (unsigned i = 0; i < grains; i++)
		sink = sink * 31 + i;
	return sink;
}

/* Calls itself, so that chains differ. */
static NOT_INLINE unsigned descend(unsigned depth, unsigned grains)
{
	unsigned got = depth ? descend(depth - 1, grains) : 0;

	return got + grind(grains);
}

#endif
