/* Calls of itself and of the C library, which sorts and calls back. */
#include <stdlib.h>
#include <string.h>

#include "work.h"

#define COUNT 20000

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(int));
}

int main(void)
{
	int *numbers = calloc(COUNT, sizeof(*numbers));

	for (int i = 0; i < 30; i++) {
		for (int k = 0; k < COUNT; k++)
			numbers[k] = (int)(grind(10) + (unsigned)k * 7919);
		qsort(numbers, COUNT, sizeof(*numbers), compare);
		descend(8, 60000);
	}
	free(numbers);
	return 0;
}
