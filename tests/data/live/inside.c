/*
 * Runs a program like a container does. `inside FOLDER PATH` makes FOLDER its root and
 * runs PATH there. With PIVOT it does so in the mount namespace that it was started in,
 * which must be one of its own. Without arguments it computes until it is killed, in a
 * function called NAME and in code that it makes, for similar times, because both have
 * the same loop; it writes the map of that code. x86-64 only.
 */
#define _GNU_SOURCE /* for MNT_DETACH */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Makes programs with different functions different for their build ids, too. */
#define TEXT(name) #name
#define TEXT_OF(macro) TEXT(macro)
__attribute__((used)) static const char name_of[] = TEXT_OF(NAME);

static int enter(const char *root, char **command)
{
#ifdef PIVOT
	if (mount(root, root, NULL, MS_BIND | MS_REC, NULL) || chdir(root) ||
	    syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH))
#else
	if (chroot(root))
#endif
		return 1;
	if (chdir("/"))
		return 1;
	execv(*command, command);
	return 1;
}

__attribute__((noinline)) void NAME(void)
{
	__builtin_frame_address(0); /* so that it has a frame pointer */
	for (int i = 0x800000; i; i--)
		__asm__ volatile("");
}

int main(int argc, char **argv)
{
	/* the loop of NAME: mov $0x800000, %eax; 1: dec %eax; jne 1b; ret */
	static const unsigned char code[] = { 0xb8, 0,	  0,	0x80, 0,
					      0xff, 0xc8, 0x75, 0xfc, 0xc3 };
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	void (*run)(void);
	FILE *map;

	if (argc > 2)
		return enter(argv[1], argv + 2);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(name, "w");
	if (page == MAP_FAILED || !map)
		return 1;
	fprintf(map, "%lx 40 Compiled:%s\n", (unsigned long)page, argv[0]);
	fclose(map);
	memcpy(page, code, sizeof(code));
	memcpy(&run, &page, sizeof(run));
	for (;;) {
		NAME();
		run();
	}
}
