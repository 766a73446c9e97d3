/*
 * gears-ibt.so and gears-lld.so, which have calls by .plt.sec, .plt.got and, linked by lld,
 * .plt:
 *
 * gcc -O1 -shared -nostdlib -fPIC -fcf-protection=full -Wl,-z,ibtplt \
 *     -Wl,-z,noseparate-code -Wl,--build-id=none -s -o gears-ibt.so gears.c
 * gcc -O1 -shared -nostdlib -fPIC -fuse-ld=lld -Wl,--build-id=none -s -o gears-lld.so gears.c
 *
 * gears-alt.so is the second with a section .gnu_debugaltlink, "common.dwz", a NUL and the
 * bytes 1 to 20, which objcopy --add-section added.
 */
extern int turn(int), grease(int), stop(int);
int (*lever)(int) = 0;

int run(int n)
{
	lever = stop;
	return turn(n) + grease(n) + stop(n);
}
