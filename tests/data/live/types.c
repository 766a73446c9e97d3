/* Functions with names that are types or operators to demanglers of C++. */
#include "work.h"

#define FUNCTION(name, number)                           \
	static NOT_INLINE unsigned name(unsigned grains) \
	{                                                \
		return descend(2, grains) + (number);    \
	}

/* If they did the same, they would be one function with several names. */
FUNCTION(f, 1)
FUNCTION(h, 2)
FUNCTION(i, 3)
FUNCTION(z, 4)
FUNCTION(ps, 5)
FUNCTION(Pi, 6)
FUNCTION(PK11_FreeSymKey, 7)

int main(void)
{
	unsigned n = 20000, sum = 0;

	for (int k = 0; k < 200; k++)
		sum += f(n) + h(n) + i(n) + z(n) + ps(n) + Pi(n) + PK11_FreeSymKey(n);
	return sum == 0;
}
