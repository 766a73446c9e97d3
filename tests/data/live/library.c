/* A library whose functions have the names that are given when it is compiled. */
#include "work.h"

unsigned run(unsigned grains);
unsigned NAME(unsigned grains);

NOT_INLINE unsigned NAME(unsigned grains)
{
	return grind(grains) + 1;
}

unsigned run(unsigned grains)
{
	return NAME(grains) + 1;
}
