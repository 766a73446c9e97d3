// Touches fresh memory in several ways, for page-fault profiles.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static void touch_up(char *memory, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
}

static void touch_halves(char *memory, size_t pages)
{
	if (pages == 1) {
		memory[0] = 2;
		return;
	}
	touch_halves(memory, pages / 2);
	touch_halves(memory + pages / 2 * PAGE, pages - pages / 2);
}

static void with_map(void (*touch)(char *, size_t), size_t pages)
{
	char *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(1);
	madvise(memory, pages * PAGE, MADV_NOHUGEPAGE);
	touch(memory, pages);
	munmap(memory, pages * PAGE);
}

static void with_heap(size_t bytes)
{
	char *memory = malloc(bytes);
	if (memory == NULL)
		exit(1);
	memset(memory, 1, bytes);
	free(memory);
}

static char shared_page[64 * PAGE];

static void with_fork(void)
{
	memset(shared_page, 1, sizeof shared_page);
	pid_t child = fork();
	if (child == 0) {
		touch_up(shared_page, 64);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 3;
	for (int i = 0; i < rounds; i++) {
		with_map(touch_up, 150);
		with_map(touch_halves, 100);
		with_heap(80 * PAGE);
		with_fork();
	}
	return 0;
}
