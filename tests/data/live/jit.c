/*
 * Code that is made at run time, function after function, and the map of it that perf
 * reads. x86-64 only.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define METHODS 8

int main(void)
{
	/* mov $0x8000000, %eax; 1: dec %eax; jne 1b; ret */
	static const unsigned char code[] = { 0xb8, 0, 0, 0, 8, 0xff,
					      0xc8, 0x75, 0xfc, 0xc3 };
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *map;

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(name, "w");
	if (page == MAP_FAILED || !map)
		return 1;
	puts(name);
	for (size_t i = 0; i < METHODS; i++) {
		void (*run)(void);
		unsigned char *at = page + 64 * i;

		memcpy(at, code, sizeof(code));
		fprintf(map, "%lx %x Compiled:method_%zu(int)\n", (unsigned long)at,
			(unsigned)sizeof(code), i);
		fflush(map);
		memcpy(&run, &at, sizeof(run));
		run();
	}
	fclose(map);
	return 0;
}
