/*
 * crank.so and crank, which choose functions when they start (ifuncs), and call them by
 * entries of .plt whose relocations have no symbol:
 *
 * gcc -O1 -shared -nostdlib -fPIC -Wl,-z,noseparate-code -Wl,--build-id=none -s -o crank.so crank.c
 * gcc -O1 -static -nostdlib -fno-pie -no-pie -DSTATIC -Wl,-z,noseparate-code -Wl,--build-id=none -o crank crank.c
 */
static int by_hand(int n)
{
	return n + 1;
}

static int (*choose(void))(int)
{
	return by_hand;
}

__attribute__((ifunc("choose"), visibility("protected"))) int crank(int);

int grease(int);

#ifdef STATIC
int _start(int n)
{
	return crank(n);
}
#else
static int (*choose_too(void))(int)
{
	return by_hand;
}

__attribute__((ifunc("choose_too"), visibility("hidden"))) int winch(int);

int run(int n)
{
	return crank(n) + winch(n) + grease(n);
}
#endif
