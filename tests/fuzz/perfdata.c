/* perf.data, as a file or a stream: any bytes end in samples or in a message. */
#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/buf.h"
#include "tests/fuzz/fuzz.h"

struct heard {
	uint64_t samples, ends;
	struct fg_buf frames; /* the ids of each sample's, as bytes */
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

static void hear_ids(struct heard *h, const uint32_t *ids, size_t count)
{
	fuzz_check(h->open && h->samples % 3 != 0,
		   "frames are of a sample that wants them");
	fg_buf_add(&h->frames, (const char *)ids, count * sizeof(*ids));
}

static void hear_frame(void *data, const struct fg_perfdata_frame *f)
{
	fuzz_check(f->symbol.len && f->dso.ptr, "a frame has a symbol and a DSO");
	hear_ids(data, &f->id, 1);
}

static void hear_callers(void *data, const uint32_t *ids, size_t count)
{
	fuzz_check(count, "callers that are shared are some");
	hear_ids(data, ids, count);
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

typedef void callers_sink(void *data, const uint32_t *ids, size_t count);

static int read_recording(struct fg_str bytes, callers_sink *callers,
			  struct heard *heard, struct fg_perfdata_tally *tally)
{
	struct fg_diag diag;
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.head = bytes,
		.debug_folder = "/nonexistent",
		.no_symbols = true,
		.payloads = true,
		.diag = &diag,
		.sink = { .sample = hear_sample,
			  .frame = hear_frame,
			  .callers = callers,
			  .end = hear_end,
			  .thread = hear_thread,
			  .data = heard },
	};
	int status;

	fuzz_diag(&diag);
	status = fg_perfdata_read(&pd);
	fuzz_check(status == 0 || diag.errors == 1, "a failure is reported once");
	fuzz_check(status || !diag.errors, "what is reported is a failure");
	fuzz_check(heard->samples == heard->ends, "each sample ends");
	fuzz_check(heard->samples == pd.tally.samples, "samples are counted");
	*tally = pd.tally;
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str bytes = fg_str_of((const char *)data, size);
	struct heard one = { .samples = 0 }, other = { .samples = 0 };
	struct fg_perfdata_tally first, second;

	fuzz_check(read_recording(bytes, NULL, &one, &first) ==
			   read_recording(bytes, hear_callers, &other, &second),
		   "frames one by one or shared: the status is the same");
	fuzz_check_equal(fg_buf_str(&one.frames), fg_buf_str(&other.frames),
			 "the frames are the same");
	fuzz_check(first.broken_chains == second.broken_chains &&
			   first.unnamed == second.unnamed,
		   "as many chains are broken, and samples without names");
	fg_buf_release(&one.frames);
	fg_buf_release(&other.frames);
	return 0;
}
