/*
 * Fuzzes the ELF file of the recorded program, or the file with its debug information.
 * Whatever bytes these files hold, the recording must be read. Names, callers and
 * inlined functions may be missing.
 */
#include "tests/fuzz/file.h"
#include "tests/fuzz/recording.h"

#define RECORDING "tests/data/perfdata/inlines.data"
#define SPLIT "tests/data/perfdata/loom-split"
#define DWO "tests/data/perfdata/shed/loom.dwo"
#define RECORDED "/tmp/flamepipe-data/perfdata/loom"
#define CACHED ".build-id/e5/8df60aaa49af81458c51d1809d28a54aef660c/"

/* Paths that the input is written to: in perf's cache, or the path of the program. */
static const char *const places[] = { CACHED "elf", CACHED "debug", "ran",
				      CACHED "loom.dwo" };
#define RAN 2
#define SPLIT_OFF 3

/* Reads a file. A target starts in the top folder. */
static void read_file(const char *path, struct fg_buf *b)
{
	FILE *file = fopen(path, "rb");
	char block[4096];
	size_t got;

	if (!file)
		abort();
	while ((got = fread(block, 1, sizeof(block), file)) > 0)
		fg_buf_add(b, block, got);
	fclose(file);
}

/*
 * Changes the recording as if the binary had run from `path`, which is no longer than
 * RECORDED.
 */
static void move_binary(struct fg_buf *recording, struct fg_str path)
{
	size_t at;

	while ((at = fg_str_find(fg_buf_str(recording), FG_STR(RECORDED))) <
	       recording->len) {
		memset(recording->ptr + at, 0, strlen(RECORDED));
		memcpy(recording->ptr + at, path.ptr, path.len);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str binary = fg_str_of((const char *)data, size);
	unsigned place = fuzz_choice(&binary, FG_COUNT_OF(places));
	struct fg_buf recording = FG_BUF_INIT, other = FG_BUF_INIT;
	struct fuzz_file file;

	read_file(RECORDING, &recording);
	read_file(place == SPLIT_OFF ? SPLIT : DWO, &other);
	fuzz_file_make(&file, places[place], binary);
	fuzz_file_add(&file, place == SPLIT_OFF ? "elf" : "loom.dwo",
		      fg_buf_str(&other));
	if (place == RAN && file.path.len <= strlen(RECORDED))
		move_binary(&recording, fg_buf_str(&file.path));
	fuzz_read_recording(fg_buf_str(&recording), fg_buf_cstr(&file.folder),
			    FG_PERFDATA_INLINES | FG_PERFDATA_PATHS);
	fuzz_file_remove(&file);
	fg_buf_release(&recording);
	fg_buf_release(&other);
	return 0;
}
