/*
 * Records the code that a program built by tests/break/mutate runs. The compiler calls
 * this for each basic block; at exit the addresses go to a file in the folder $COVER.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST (16u << 20)

extern const char __ehdr_start[];
void __sanitizer_cov_trace_pc(void);

static unsigned char seen[MOST];
static int wanted;

void __sanitizer_cov_trace_pc(void)
{
	uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start;

	if (wanted && at < MOST)
		seen[at] = 1;
}

__attribute__((constructor)) static void begin(void)
{
	wanted = getenv("COVER") != NULL;
}

/* CASE is the golden case that runs; slashes are not part of a name of a file. */
__attribute__((destructor)) static void end(void)
{
	const char *folder = getenv("COVER");
	const char *test = getenv("CASE");
	char path[1024];
	FILE *file;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, test ? test : "unit");
	for (char *c = path + strlen(folder) + 1; *c; c++)
		if (*c == '/')
			*c = '%';
	file = fopen(path, "ab");
	if (!file)
		return;
	for (uint32_t at = 0; at < MOST; at++)
		if (seen[at])
			fwrite(&at, sizeof(at), 1, file);
	fclose(file);
}
