/* Functions that are inlined, whose debug information is in a file of its own. */
volatile unsigned long sink;

static inline __attribute__((always_inline)) void knot(int n)
{
	for (int i = 0; i < n; i++)
		sink += (unsigned long)i;
}

static inline __attribute__((always_inline)) void row(int n)
{
	knot(n);
	sink ^= 1;
}

int main(void)
{
	for (int i = 0; i < 100; i++)
		row(1000000);
	return 0;
}
