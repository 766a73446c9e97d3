/*
 * loft-arm64 is a program for another machine; it needs no recording. loft-stripped is
 * loft-arm64 without symbols, but with a link to its name:
 *
 * clang --target=aarch64-linux-gnu -O1 -fomit-frame-pointer -fasynchronous-unwind-tables \
 *     -nostdlib -c loft.c
 * aarch64-linux-gnu-ld --build-id --eh-frame-hdr -z noseparate-code -o loft-arm64 loft.o
 * aarch64-linux-gnu-objcopy --strip-all loft-arm64 loft-stripped
 * aarch64-linux-gnu-objcopy --add-gnu-debuglink=loft-arm64 loft-stripped
 *
 * And loft-32, whose debug information is packed:
 *
 * gcc -m32 -O2 -g -gz -fno-pic -no-pie -nostdlib -static -Wl,-z,noseparate-code \
 *     -Wl,--build-id=none -fdebug-prefix-map="$PWD=shed" -o loft-32 loft.c
 */
__attribute__((noinline)) int leaf(int n)
{
	volatile int sum = n;

	while (n--)
		sum += n;
	return sum;
}

__attribute__((noinline)) int mid(int n)
{
	return leaf(n) + 1;
}

__attribute__((noinline)) int top(int n)
{
	return mid(n) + 2;
}

void _start(void)
{
	for (;;)
		top(3);
}
