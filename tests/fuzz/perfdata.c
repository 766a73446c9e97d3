/* perf.data, as a file or a stream: any bytes end in samples or in a message. */
#include "collapse/formats/perf/data/perfdata.h"
#include "tests/fuzz/fuzz.h"

struct heard {
	uint64_t samples, ends;
	bool open;
};

static bool hear_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct heard *h = data;

	fuzz_check(!h->open, "a sample starts when the last has ended");
	fuzz_check(s->comm.ptr && s->event.len, "a sample has a comm and an event");
	fuzz_check(!s->payload.len || s->has & FG_PERFDATA_IS_TRACEPOINT,
		   "only a tracepoint has a payload");
	h->open = true;
	h->samples++;
	return h->samples % 3 != 0;
}

static void hear_frame(void *data, const struct fg_perfdata_frame *f)
{
	const struct heard *h = data;

	fuzz_check(h->open && h->samples % 3 != 0,
		   "frames are of a sample that wants them");
	fuzz_check(f->symbol.len && f->dso.ptr, "a frame has a symbol and a DSO");
}

static void hear_end(void *data)
{
	struct heard *h = data;

	fuzz_check(h->open, "a sample that ends has started");
	h->open = false;
	h->ends++;
}

static void hear_thread(void *data, const struct fg_perfdata_thread *thread)
{
	const struct heard *h = data;

	fuzz_check(thread->comm.ptr != NULL, "a thread is called something");
	fuzz_check(!h->open, "threads change between samples");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_diag diag;
	struct heard heard = { 0, 0, false };
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.head = fg_str_of((const char *)data, size),
		.debug_folder = "/nonexistent",
		.no_symbols = true,
		.payloads = true,
		.diag = &diag,
		.sink = { .sample = hear_sample,
			  .frame = hear_frame,
			  .end = hear_end,
			  .thread = hear_thread,
			  .data = &heard },
	};
	int status;

	fuzz_diag(&diag);
	status = fg_perfdata_read(&pd);
	fuzz_check(status == 0 || diag.errors == 1, "a failure is reported once");
	fuzz_check(status || !diag.errors, "what is reported is a failure");
	fuzz_check(heard.samples == heard.ends, "each sample ends");
	fuzz_check(heard.samples == pd.tally.samples, "samples are counted");
	return 0;
}
