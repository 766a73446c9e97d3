/*
 * Fuzzes perf.data, as a file or a stream: any bytes end in samples or in a message,
 * and are read the same from a descriptor as from memory.
 */
#include <unistd.h>

#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/buf.h"
#include "tests/fuzz/fuzz.h"

typedef void callers_sink(void *data, const uint32_t *ids, size_t count);

struct heard {
	uint64_t samples, ends;
	struct fg_buf frames; /* the ids of each sample's frames, as bytes */
	callers_sink *callers; /* NULL: each frame is reported */
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

/* ---- sources of the bytes */

enum source {
	MEMORY,
	REGULAR_FILE,
	PIPE,
	SOURCES,
};

#define HEAD_SIZE 16
#define PIPE_MAX 65536

static int open_pipe(struct fg_str bytes)
{
	int ends[2];

	if (pipe(ends) || write(ends[1], bytes.ptr, bytes.len) != (ssize_t)bytes.len ||
	    close(ends[1]))
		abort();
	return ends[0];
}

static int open_file(struct fg_str bytes)
{
	FILE *file = tmpfile();
	int fd;

	if (!file || fwrite(bytes.ptr, 1, bytes.len, file) != bytes.len || fflush(file))
		abort();
	fd = dup(fileno(file));
	if (fd < 0 || fclose(file) || lseek(fd, 0, SEEK_SET))
		abort();
	return fd;
}

/*
 * Opens the source. Returns -1 for memory; else the descriptor is where `head`, the
 * start of the bytes, ends.
 */
static int open_source(enum source source, struct fg_str bytes, struct fg_str *head)
{
	char start[HEAD_SIZE];
	int fd;

	*head = bytes;
	if (source == MEMORY || !bytes.len)
		return -1;
	fd = source == PIPE && bytes.len <= PIPE_MAX ? open_pipe(bytes) :
						       open_file(bytes);
	*head = fg_str_before(bytes, HEAD_SIZE);
	if (read(fd, start, head->len) != (ssize_t)head->len)
		abort();
	return fd;
}

static int read_recording(enum source source, struct fg_str bytes, struct heard *heard,
			  struct fg_perfdata_tally *tally)
{
	struct fg_str head;
	int fd = open_source(source, bytes, &head);
	struct fg_diag diag;
	struct fg_perfdata pd = {
		.fd = fd,
		.name = "perf.data",
		.head = head,
		.debug_folder = "/nonexistent",
		.no_symbols = true,
		.payloads = true,
		.diag = &diag,
		.sink = { .sample = hear_sample,
			  .frame = hear_frame,
			  .callers = heard->callers,
			  .end = hear_end,
			  .thread = hear_thread,
			  .data = heard },
	};
	int status;

	fuzz_diag(&diag);
	status = fg_perfdata_read(&pd);
	if (fd >= 0)
		close(fd);
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
	enum source source = (enum source)fuzz_choice(&bytes, SOURCES);
	struct heard one = { .samples = 0 }, other = { .callers = hear_callers };
	struct fg_perfdata_tally first, second;

	fuzz_check(read_recording(MEMORY, bytes, &one, &first) ==
			   read_recording(source, bytes, &other, &second),
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
