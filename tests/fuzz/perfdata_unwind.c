/*
 * Fuzzes recordings with their binaries: names of frames, and callers from copies of
 * stacks. The cache has only the binaries of tests/data. Other files are opened at the
 * path that the recording names.
 */
#include "tests/fuzz/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_read_recording(fg_str_of((const char *)data, size),
			    "tests/data/perfdata/cache", 0);
	return 0;
}
