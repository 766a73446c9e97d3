/* Tests of record/stream, record/tracing and record/compress: what readers get. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef FG_HAVE_LIBZSTD
#include "collapse/formats/perf/data/zstd.h"
#endif
#include "collapse/formats/perf/data/events.h"
#include "collapse/formats/perf/data/tracing.h"
#include "record/compress.h"
#include "record/records.h"
#include "record/stream.h"
#include "record/tracing.h"
#include "tests/unit/support/support.h"

static char name[] = "record-perf", option[] = "-a";
static char *const args[] = { name, option, NULL };

/* A header with two events that have `count` counters in all. */
static struct fg_buf header_of(size_t count, int level)
{
	struct fg_counter *list = calloc(count, sizeof(*list));
	struct fg_counters counters = { .list = list, .count = count };
	struct fg_numbers online = { .count = 2 };
	const struct fg_stream_facts facts = { &counters, &online, args, level };
	struct fg_events events;
	struct caught caught;
	struct fg_stream s;
	struct fg_buf bytes;

	assert_non_null(list);
	caught_init(&caught);
	fg_events_init(&events);
	fg_events_add_cycles(&events);
	fg_events_add_tracker(&events);
	counters.events = &events;
	for (size_t i = 0; i < count; i++) {
		list[i].event = i % 2;
		list[i].id = 1000 + i;
	}
	fg_stream_open(&s, -1, "(memory)", level, &caught.diag);
	fg_stream_header(&s, &facts);
	fg_stream_round(&s);
	bytes = s.out.buf;
	fg_buf_init(&s.out.buf);
	assert_int_equal(fg_stream_close(&s), 0);
	fg_events_release(&events);
	caught_release(&caught);
	free(list);
	return bytes;
}

struct found {
	struct perf_event_header header;
	struct fg_str body;
};

static bool next(struct fg_str *rest, struct found *f)
{
	*f = (struct found){ .body = FG_STR_INIT("") };
	if (!rest->len)
		return false;
	assert_true(rest->len >= sizeof(f->header));
	memcpy(&f->header, rest->ptr, sizeof(f->header));
	assert_in_range(f->header.size, sizeof(f->header), rest->len);
	f->body = fg_str_from_pos(fg_str_before(*rest, f->header.size), 8);
	*rest = fg_str_from_pos(*rest, f->header.size);
	return true;
}

static uint64_t u64(struct fg_str bytes, size_t at)
{
	uint64_t n;

	assert_true(at + 8 <= bytes.len);
	memcpy(&n, bytes.ptr + at, sizeof(n));
	return n;
}

static void test_the_header_has_events_with_names_and_ids(void **data)
{
	struct fg_buf bytes = header_of(4, 0);
	struct fg_str rest = fg_buf_str(&bytes);
	struct found f;
	uint64_t features = 0;

	(void)data;
	assert_true(fg_str_cut_start(&rest, FG_STR("PERFILE2")));
	assert_int_equal(u64(rest, 0), 16);
	rest = fg_str_from_pos(rest, 8);
	for (unsigned event = 0; event < 2; event++) {
		size_t attr = sizeof(struct perf_event_attr);

		assert_true(next(&rest, &f));
		assert_int_equal(f.header.type, FG_RECORD_HEADER_ATTR);
		assert_int_equal(f.body.len, attr + 16);
		assert_int_equal(u64(f.body, attr), 1000 + event);
		assert_int_equal(u64(f.body, attr + 8), 1002 + event);
		assert_true(next(&rest, &f));
		assert_int_equal(f.header.type, FG_RECORD_EVENT_UPDATE);
		assert_int_equal(u64(f.body, 0), 2);
		assert_int_equal(u64(f.body, 8), 1002 + event);
		assert_string_equal(f.body.ptr + 16, event ? "dummy:u" : "cycles");
	}
	while (next(&rest, &f) && f.header.type == FG_RECORD_HEADER_FEATURE)
		features |= UINT64_C(1) << u64(f.body, 0);
	/* host, release, version, machine, processors, command line */
	assert_int_equal(features, 0x8f8);
	assert_int_equal(f.header.type, FG_RECORD_FINISHED_ROUND);
	assert_int_equal(rest.len, 0);
	fg_buf_release(&bytes);
}

/* A record has at most 65535 bytes, so not more than some 8000 ids. */
static void test_many_ids_go_into_several_records(void **data)
{
	enum { COUNT = 50000 };
	struct fg_buf bytes = header_of(COUNT, 0);
	struct fg_str rest = fg_str_from_pos(fg_buf_str(&bytes), 16);
	bool *seen = calloc(COUNT, sizeof(*seen));
	struct found f;
	size_t count = 0;

	(void)data;
	assert_non_null(seen);
	while (next(&rest, &f)) {
		if (f.header.type != FG_RECORD_HEADER_ATTR)
			continue;
		for (size_t at = sizeof(struct perf_event_attr); at < f.body.len;
		     at += 8) {
			uint64_t id = u64(f.body, at) - 1000;

			assert_in_range(id, 0, COUNT - 1);
			assert_false(seen[id]);
			seen[id] = true;
			count++;
		}
	}
	assert_int_equal(count, COUNT);
	free(seen);
	fg_buf_release(&bytes);
}

static void test_tracepoints_have_their_formats(void **data)
{
	struct fg_buf b = FG_BUF_INIT, text = FG_BUF_INIT;
	struct fg_event_places places = { "/nowhere", NULL };
	struct fg_pd_tracing tracing;
	struct fg_events events;
	struct folder folder;
	struct caught caught;
	struct found f;
	struct fg_str rest;
	uint32_t size;

	(void)data;
	caught_init(&caught);
	folder_init(&folder);
	folder_write(&folder, "events/header_page", FG_STR("page"));
	folder_write(&folder, "events/header_event", FG_STR("event"));
	folder_write(&folder, "events/a/one/id", FG_STR("7\n"));
	folder_write(&folder, "events/a/one/format",
		     FG_STR("name: one\nID: 7\nformat:\n\tfield:unsigned int n;\t"
			    "offset:8;\tsize:4;\tsigned:0;\n\nprint fmt: x\n"));
	folder_write(&folder, "events/b/two/id", FG_STR("8\n"));
	places.tracing = folder.path;
	fg_events_init(&events);
	fg_tracing_add_from(&b, &events, folder.path);
	assert_int_equal(b.len, 0); /* there are none */
	assert_int_equal(
		fg_events_parse(&events, "a:one:u,cycles,b:two", &places, &caught.diag),
		0);
	fg_tracing_add_from(&b, &events, folder.path);
	rest = fg_buf_str(&b);
	assert_true(next(&rest, &f));
	assert_int_equal(f.header.type, FG_RECORD_TRACING_DATA);
	assert_int_equal(f.body.len, 4);
	memcpy(&size, f.body.ptr, sizeof(size));
	assert_int_equal(size, rest.len);
	assert_int_equal(size % 8, 0);
	fg_pd_tracing_init(&tracing);
	fg_pd_tracing_read(&tracing, rest);
	assert_str(fg_pd_tracing_name(&tracing, 7), "a:one");
	assert_int_equal(fg_pd_tracing_name(&tracing, 8).len, 0); /* without a file */
	fg_pd_tracing_payload(&tracing, 7, FG_STR("12345678\3\0\0\0"), &text);
	assert_str(fg_buf_str(&text), "n=3");
	fg_pd_tracing_release(&tracing);
	fg_buf_release(&text);
	fg_buf_release(&b);
	fg_events_release(&events);
	folder_release(&folder);
	caught_release(&caught);
}

#ifdef FG_HAVE_LIBZSTD
/* Unpacks all records into `to`. */
static void unpack(struct fg_str rest, struct fg_buf *to)
{
	struct fg_pd_zstd *z = fg_pd_zstd_new();
	struct fg_pd_blocks blocks;
	struct found f;

	fg_pd_blocks_init(&blocks);
	while (next(&rest, &f)) {
		int more;

		assert_int_equal(f.header.type, FG_RECORD_COMPRESSED);
		fg_pd_zstd_feed(z, f.body);
		do
			more = fg_pd_zstd_next(z, &blocks);
		while (more > 0);
		assert_int_equal(more, 0);
		/* the flush makes all of it available */
		fg_buf_add_str(to, fg_pd_blocks_rest(&blocks));
		fg_pd_blocks_skip(&blocks, fg_pd_blocks_rest(&blocks).len);
	}
	fg_pd_blocks_release(&blocks);
	fg_pd_zstd_free(z);
}

/* Bytes that do not shrink make the longest records. */
static void test_compressed_records_unpack(void **data)
{
	static const size_t sizes[] = { 1, 8, 59999, 60000, 60001, 500000 };
	struct fg_buf bytes = FG_BUF_INIT, packed = FG_BUF_INIT, got = FG_BUF_INIT;
	struct random random = { 41 };
	struct fg_compressor *c = fg_compressor_new(1);

	(void)data;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct fg_str part;
		size_t start = bytes.len;

		random_bytes(&random, &bytes, sizes[i], FG_STR(""));
		part = fg_str_from_pos(fg_buf_str(&bytes), start);
		fg_compressor_add(c, part, &packed);
	}
	fg_compressor_free(c);
	unpack(fg_buf_str(&packed), &got);
	assert_str_is(fg_buf_str(&got), fg_buf_str(&bytes));
	fg_buf_release(&bytes);
	fg_buf_release(&packed);
	fg_buf_release(&got);
}
#endif

static void test_the_header_says_how_it_is_compressed(void **data)
{
	struct fg_buf bytes = header_of(2, 3);
	struct fg_str rest = fg_str_from_pos(fg_buf_str(&bytes), 16);
	struct found f;
	bool found = false;

	(void)data;
	while (next(&rest, &f))
		found |= f.header.type == FG_RECORD_HEADER_FEATURE &&
			 u64(f.body, 0) == 27;
	assert_int_equal(found, fg_compressor_is_here());
	fg_buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_header_has_events_with_names_and_ids),
		cmocka_unit_test(test_many_ids_go_into_several_records),
		cmocka_unit_test(test_tracepoints_have_their_formats),
#ifdef FG_HAVE_LIBZSTD
		cmocka_unit_test(test_compressed_records_unpack),
#endif
		cmocka_unit_test(test_the_header_says_how_it_is_compressed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
