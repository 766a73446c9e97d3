/* Children that end with much memory, which the kernel frees after they have exited. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE ((size_t)64 << 20)
#define PAGE 4096

int main(void)
{
	volatile char *memory;

	for (int i = 0; i < 8; i++) {
		if (fork())
			continue;
		memory = malloc(SIZE);
		for (size_t k = 0; memory && k < SIZE; k += PAGE)
			memory[k] = 1;
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
