/*
 * fold FORMAT FILE... : prints files as folded stacks, by the library. FORMAT ""
 * guesses.
 */
#include <flamepipe.h>

#include <stdio.h>

static int print_bytes(void *data, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, data) != size;
}

static void print_message(void *data, enum flamepipe_level level, const char *text)
{
	(void)level;
	fprintf(data, "%s\n", text);
}

int main(int argc, char **argv)
{
	struct flamepipe_profile *p = flamepipe_new();
	int status = argc < 2 || !p;

	if (p)
		flamepipe_on_message(p, print_message, stderr);
	for (int i = 2; !status && i < argc; i++)
		status = flamepipe_read(p, argv[i], *argv[1] ? argv[1] : NULL, NULL);
	if (!status)
		status = flamepipe_write_folded(p, print_bytes, stdout);
	flamepipe_free(p);
	return status != 0;
}
