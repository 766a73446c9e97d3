/*
 * A recording whose binary is the input: any bytes in the place of the ELF file give
 * names, callers and inlined functions, or none.
 */
#include "tests/fuzz/file.h"
#include "tests/fuzz/recording.h"

#define RECORDING "tests/data/perfdata/inlines.data"
#define BINARY ".build-id/e5/8df60aaa49af81458c51d1809d28a54aef660c/elf"

/* The recording; a target is started in the top folder. */
static struct fg_str read_recording(struct fg_buf *b)
{
	FILE *file = fopen(RECORDING, "rb");
	char block[4096];
	size_t got;

	if (!file)
		abort();
	while ((got = fread(block, 1, sizeof(block), file)) > 0)
		fg_buf_add(b, block, got);
	fclose(file);
	return fg_buf_str(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str binary = fg_str_of((const char *)data, size);
	struct fg_buf recording = FG_BUF_INIT;
	struct fuzz_file file;

	fuzz_file_make(&file, BINARY, binary);
	fuzz_read_recording(read_recording(&recording), fg_buf_cstr(&file.folder),
			    FG_PERFDATA_LINES);
	fuzz_file_remove(&file);
	fg_buf_release(&recording);
	return 0;
}
