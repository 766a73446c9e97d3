/* The two-proportion z-test. */
#include "reportfolded/significance.h"

#include <math.h>

double fg_two_proportions(struct fg_proportion before, struct fg_proportion after)
{
	double pooled, deviation;

	if (!(before.n > 0) || !(after.n > 0))
		return 0;
	pooled = (before.x + after.x) / (before.n + after.n);
	deviation = sqrt(pooled * (1 - pooled) * (1 / before.n + 1 / after.n));
	if (!(deviation > 0))
		return 0; /* in none of the samples, or in all */
	return (after.x / after.n - before.x / before.n) / deviation;
}

double fg_two_sided(double z)
{
	return erfc(fabs(z) / sqrt(2));
}
