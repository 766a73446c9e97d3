/*
 * Fuzzes formats of tracepoints and, after a last byte 0x1d, a payload: any bytes are
 * names and fields, or none.
 */
#include "collapse/formats/perf/data/tracing.h"
#include "tests/fuzz/fuzz.h"

/* The ids that we look up; those of the seeds are among them. */
#define IDS 512

/* Returns a copy, so that reading beyond it is detected. */
static struct fg_str copy(struct fg_str s)
{
	char *bytes = malloc(s.len ? s.len : 1);

	if (!bytes)
		abort();
	if (s.len)
		memcpy(bytes, s.ptr, s.len);
	return fg_str_of(bytes, s.len);
}

static void check_payload(const struct fg_pd_tracing *t, uint64_t id, struct fg_str raw)
{
	struct fg_buf text = FG_BUF_INIT, again = FG_BUF_INIT;

	fg_pd_tracing_payload(t, id, raw, &text);
	fuzz_check(!text.len || fg_pd_tracing_name(t, id).len,
		   "only a tracepoint that is known has fields");
	fg_pd_tracing_payload(t, id, raw, &again);
	fuzz_check_equal(fg_buf_str(&text), fg_buf_str(&again),
			 "a payload is read the same again");
	fg_buf_release(&text);
	fg_buf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	size_t end = fg_str_rfind_char(input, '\x1d');
	bool has_payload = end < input.len;
	struct fg_str raw = copy(fg_str_from_pos(input, has_payload ? end + 1 : end));
	struct fg_str formats = copy(fg_str_before(input, end));
	struct fg_pd_tracing t;

	fg_pd_tracing_init(&t);
	fg_pd_tracing_read(&t, formats);
	free((char *)(uintptr_t)formats.ptr);
	for (uint64_t id = 0; id < IDS; id++) {
		check_payload(&t, id, raw);
		fg_pd_tracing_add(&t, id, FG_STR("made:up"));
		fuzz_check(fg_pd_tracing_name(&t, id).len, "what was added is known");
	}
	free((char *)(uintptr_t)raw.ptr);
	fg_pd_tracing_release(&t);
	return 0;
}
