/* Reads a recording, checks its samples and drops them. */
#ifndef FG_TESTS_FUZZ_RECORDING_H
#define FG_TESTS_FUZZ_RECORDING_H

#include "collapse/formats/perf/data/perfdata.h"
#include "tests/fuzz/fuzz.h"

static inline bool fuzz_want_sample(void *data, const struct fg_perfdata_sample *s)
{
	(void)data;
	(void)s;
	return true;
}

static inline void fuzz_hear_frame(void *data, const struct fg_perfdata_frame *f)
{
	(void)data;
	fuzz_check(f->symbol.len && f->dso.ptr, "a frame has a symbol and a DSO");
}

static inline void fuzz_hear_end(void *data)
{
	(void)data;
}

/*
 * Reads with the binaries of the cache `folder`, so that frames have names and stacks
 * are unwound.
 */
static inline void fuzz_read_recording(struct fg_str recording, const char *folder,
				       unsigned debug)
{
	struct fg_diag diag;
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.head = recording,
		.debug_folder = folder,
		.payloads = true,
		.debug = debug,
		.diag = &diag,
		.sink = { .sample = fuzz_want_sample,
			  .frame = fuzz_hear_frame,
			  .end = fuzz_hear_end },
	};
	int status;

	fuzz_diag(&diag);
	status = fg_perfdata_read(&pd);
	fuzz_check(!status == !diag.errors, "what is reported is a failure");
}

#endif
