/* Feeds files to a fuzz target, without libFuzzer: fuzz-replay FILE... */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Mutators, which nothing calls here, are linked with it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	(void)data;
	(void)max_size;
	return size;
}

/* Exactly as large as its contents, so that the sanitizer sees a read past the end. */
struct input {
	uint8_t *data;
	size_t size;
};

static int read_input(struct input *input, FILE *file)
{
	long size;

	if (fseek(file, 0, SEEK_END) != 0)
		return -1;
	size = ftell(file);
	if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
		return -1;
	input->size = (size_t)size;
	input->data = malloc(input->size ? input->size : 1);
	if (!input->data)
		return -1;
	return fread(input->data, 1, input->size, file) == input->size ? 0 : -1;
}

static int replay(const char *path)
{
	struct input input = { NULL, 0 };
	FILE *file = fopen(path, "rb");
	int status = -1;

	if (file) {
		status = read_input(&input, file);
		fclose(file);
	}
	if (status == 0)
		LLVMFuzzerTestOneInput(input.data, input.size);
	else
		fprintf(stderr, "fuzz-replay: %s: %s\n", path, strerror(errno));
	free(input.data);
	return status;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]) != 0;
	return failed;
}
