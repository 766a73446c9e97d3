/*
 * Tests of report-folded's formats for other viewers: gzip, pprof's messages read back,
 * counts that pprof cannot express, the order of stacks, events.
 */
#include <stdlib.h>

#include "lib/base/gzip.h"
#include "lib/base/protobuf.h"
#include "lib/base/unpack.h"
#include "lib/profile/sections.h"
#include "reportfolded/export.h"
#include "tests/unit/support/support.h"

/* ---- gzip */

/* Unpacks a gzip file, which must be complete and have one member. */
static void unzip(struct fg_str zipped, struct fg_buf *bytes)
{
	struct fg_unpack *u = fg_unpack_new(zipped);
	ptrdiff_t got;

	assert_non_null(u);
	do {
		fg_buf_reserve(bytes, 4096);
		got = fg_unpack_some(u, &zipped, bytes->ptr + bytes->len, 4096);
		assert_true(got >= 0);
		bytes->len += (size_t)got;
	} while (got);
	assert_true(fg_unpack_is_whole(u));
	fg_unpack_free(u);
}

static void gzip(void **state)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 1000000 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct fg_buf bytes = FG_BUF_INIT, again = FG_BUF_INIT;
		struct random random = { i + 1 };
		struct fg_str rest;
		struct fg_gzip *g;
		struct fg_out out;

		fg_out_init_memory(&out);
		random_bytes(&random, &bytes, sizes[i], FG_STR(""));
		g = fg_gzip_new(&out);
		for (rest = fg_buf_str(&bytes); rest.len;) {
			size_t part = 1 + random_below(&random, 100000);

			fg_gzip_add(g, fg_str_before(rest, part));
			rest = fg_str_from_pos(rest, part);
		}
		fg_gzip_finish(g);
		unzip(fg_buf_str(&out.buf), &again);
		assert_str_is(fg_buf_str(&again), fg_buf_str(&bytes));
		fg_out_close(&out);
		fg_buf_release(&bytes);
		fg_buf_release(&again);
	}
}

static void varints(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	fg_proto_add_varint(&b, 0);
	fg_proto_add_varint(&b, 127);
	fg_proto_add_varint(&b, 128);
	fg_proto_add_varint(&b, UINT64_MAX);
	assert_str(fg_buf_str(&b), "\x00\x7f\x80\x01"
				   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	fg_buf_clear(&b);
	fg_proto_add_number(&b, 1, 0);
	fg_proto_add_bytes(&b, 2, FG_STR(""));
	assert_str(fg_buf_str(&b), "");
	fg_proto_add_number_even_0(&b, 15, 0);
	fg_proto_add_bytes_even_empty(&b, 16, FG_STR(""));
	fg_proto_add_bytes(&b, 1, FG_STR("ab"));
	assert_str(fg_buf_str(&b), "\x78\x00\x82\x01\x00\x0a\x02"
				   "ab");
	fg_buf_release(&b);
}

/* ---- exports */

struct fixture {
	struct caught caught;
	struct fg_report_options options;
	struct fg_out out;
	int status;
};

/* Writes folded text in a format. Release it with tear_down(). */
static void export(struct fixture *f, enum fg_report_format format, const char *text)
{
	struct fg_reader *reader;

	reader = fg_reader_open_memory(fg_str_from(text), "input", &f->caught.diag);
	f->options.format = (int)format;
	assert_int_equal(fg_report_options_check(&f->options, &f->caught.diag), 0);
	f->status = fg_export_run(&f->options, reader, &f->out, &f->caught.diag);
	fg_reader_close(reader);
}

static void set_up(struct fixture *f)
{
	caught_init(&f->caught);
	fg_report_options_init(&f->options);
	fg_out_init_memory(&f->out);
}

static void tear_down(struct fixture *f)
{
	fg_out_close(&f->out);
	fg_report_options_release(&f->options);
	caught_release(&f->caught);
}

/* ---- pprof as text */

static uint64_t take_varint(struct fg_str *rest)
{
	uint64_t n = 0;
	unsigned shift = 0;
	unsigned char byte;

	do {
		assert_true(rest->len && shift < 70);
		byte = (unsigned char)rest->ptr[0];
		n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		*rest = fg_str_from_pos(*rest, 1);
	} while (byte & 0x80);
	return n;
}

struct field {
	unsigned number;
	uint64_t value; /* the value of a varint */
	struct fg_str bytes; /* the content of a field with a length */
};

static bool take_field(struct fg_str *rest, struct field *field)
{
	uint64_t tag;

	if (!rest->len)
		return false;
	tag = take_varint(rest);
	*field = (struct field){ .number = (unsigned)(tag >> 3) };
	if ((tag & 7) == 0) {
		field->value = take_varint(rest);
		return true;
	}
	assert_int_equal(tag & 7, 2);
	field->value = take_varint(rest);
	assert_true(field->value <= rest->len);
	field->bytes = fg_str_before(*rest, (size_t)field->value);
	*rest = fg_str_from_pos(*rest, (size_t)field->value);
	return true;
}

/* Adds the numbers of a packed field. */
static void add_packed(struct fg_buf *b, struct fg_str packed)
{
	while (packed.len)
		fg_buf_addf(b, " %lld", (long long)take_varint(&packed));
}

/* Adds the fields of a message by number, "1: 5" or "4: {1: 5}". */
static void add_message(struct fg_buf *b, unsigned of, struct fg_str message)
{
	struct field field;

	while (take_field(&message, &field)) {
		fg_buf_addf(b, " %u:", field.number);
		if (of == 2 && field.number != 3) {
			add_packed(b, field.bytes);
		} else if (field.bytes.ptr) {
			fg_buf_add_char(b, '{');
			add_message(b, 0, field.bytes);
			fg_buf_add_str(b, FG_STR(" }"));
		} else {
			fg_buf_addf(b, " %lld", (long long)field.value);
		}
	}
}

/* Adds a line for each field of a profile. */
static void decode(struct fg_str zipped, struct fg_buf *text)
{
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_str rest;
	struct field field;

	unzip(zipped, &bytes);
	rest = fg_buf_str(&bytes);
	while (take_field(&rest, &field)) {
		fg_buf_addf(text, "%u:", field.number);
		if (field.number == 6) {
			fg_buf_add_char(text, ' ');
			fg_buf_add_str(text, field.bytes);
		} else if (field.bytes.ptr) {
			add_message(text, field.number, field.bytes);
		} else {
			fg_buf_addf(text, " %llu", (unsigned long long)field.value);
		}
		fg_buf_add_char(text, '\n');
	}
	fg_buf_release(&bytes);
}

static void check_pprof(struct fixture *f, const char *text, const char *want)
{
	struct fg_buf got = FG_BUF_INIT;

	export(f, FG_REPORT_PPROF, text);
	assert_int_equal(f->status, 0);
	decode(fg_buf_str(&f->out.buf), &got);
	assert_str_is(fg_buf_str(&got), fg_str_from(want));
	fg_buf_release(&got);
}

static void one_event(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	check_pprof(&f,
		    "# event: cpu-clock\n# unit: ns\n# sample-weight: 1000\n"
		    "main;f\"\xff 4000\nmain 3000\nmain;main 1000\n",
		    "1: 1: 1 2: 2\n11: 1: 1 2: 2\n12: 1000\n"
		    "2: 1: 1 2: 3000\n2: 1: 2 1 2: 4000\n2: 1: 1 1 2: 1000\n"
		    "3: 1: 1 7: 1\n"
		    "4: 1: 1 2: 1 4:{ 1: 1 }\n5: 1: 1 2: 3\n"
		    "4: 1: 2 2: 1 4:{ 1: 2 }\n5: 1: 2 2: 4\n"
		    "6: \n6: cpu-clock\n6: nanoseconds\n6: main\n6: f\"\xef\xbf\xbd\n");
	tear_down(&f);
}

static void two_columns(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	check_pprof(&f, "a;b 5 7\na;c 4 0\n",
		    "1: 1: 3 2: 4\n"
		    "2: 1: 2 1 2: 7\n2: 1: 2 1 2: -5 3:{ 1: 1 2: 2 }\n"
		    "2: 1: 3 1 2: -4 3:{ 1: 1 2: 2 }\n"
		    "3: 1: 1 7: 1\n"
		    "4: 1: 1 2: 1 4:{ 1: 1 }\n5: 1: 1 2: 5\n"
		    "4: 1: 2 2: 1 4:{ 1: 2 }\n5: 1: 2 2: 6\n"
		    "4: 1: 3 2: 1 4:{ 1: 3 }\n5: 1: 3 2: 7\n"
		    "6: \n6: pprof::base\n6: true\n6: samples\n6: count\n"
		    "6: a\n6: b\n6: c\n");
	tear_down(&f);
}

static void several_events_and_labels(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.options.root_label = "thread";
	check_pprof(&f,
		    "# event: cycles\nt;a 5\n# event: alloc\n# unit: bytes\nt;a 64\n"
		    "u 1\n# event: cycles\nt;a 2\n",
		    "1: 1: 2 2: 3\n1: 1: 4 2: 5\n14: 2\n"
		    "2: 1: 2 2: 7 0 3:{ 1: 1 2: 6 }\n"
		    "2: 1: 2 2: 0 64 3:{ 1: 1 2: 6 }\n"
		    "2: 2: 0 1 3:{ 1: 1 2: 7 }\n"
		    "3: 1: 1 7: 1\n"
		    "4: 1: 2 2: 1 4:{ 1: 2 }\n5: 1: 2 2: 8\n"
		    "6: \n6: thread\n6: cycles\n6: count\n6: alloc\n6: bytes\n6: t\n"
		    "6: u\n6: a\n");
	tear_down(&f);
}

/* ---- counts that are fractions, or too large */

/* Checks how the profile of `text` starts after the lines of types. */
static void check_samples(const char *text, const char *unit, const char *samples)
{
	struct fg_buf got = FG_BUF_INIT;
	struct fixture f;
	size_t at;

	set_up(&f);
	export(&f, FG_REPORT_PPROF, text);
	assert_int_equal(f.status, 0);
	decode(fg_buf_str(&f.out.buf), &got);
	at = fg_str_find(fg_buf_str(&got), FG_STR("\n2:"));
	assert_true(fg_str_starts(fg_str_from_pos(fg_buf_str(&got), at + 1),
				  fg_str_from(samples)));
	assert_has(fg_buf_str(&got), unit);
	fg_buf_release(&got);
	tear_down(&f);
}

static void decimals(void **state)
{
	(void)state;
	check_samples("# unit: ms\na 1.5\nb 2\n", "\n6: microseconds\n",
		      "2: 1: 1 2: 1500\n2: 1: 2 2: 2000\n3");
	check_samples("# unit: s\na 0.000000001\n", "\n6: nanoseconds\n",
		      "2: 1: 1 2: 1\n3");
	/* rounded, but their sum is right */
	check_samples("a 0.5\nb 0.5\nc 0.5\nd 0.5\n", "\n6: count\n",
		      "2: 1: 1 2: 1\n2: 1: 3 2: 1\n3");
	check_samples("# unit: ns\na 0.25\nb 10.25\n", "\n6: nanoseconds\n",
		      "2: 1: 2 2: 11\n3");
}

static void rounding_is_told(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	export(&f, FG_REPORT_PPROF, "a 0.5\n");
	assert_str(fg_buf_str(&f.caught.text),
		   "prog: pprof stores only whole numbers: counts are rounded, in all "
		   "by less than 1\n");
	tear_down(&f);
	set_up(&f);
	export(&f, FG_REPORT_PPROF, "# unit: us\na 0.5\n");
	assert_str(fg_buf_str(&f.caught.text), "");
	tear_down(&f);
}

static void too_large(void **state)
{
	struct fixture f;

	(void)state;
	check_samples("a 9223372036854775807\n", "\n6: count\n",
		      "2: 1: 1 2: 9223372036854775807\n3");
	set_up(&f);
	export(&f, FG_REPORT_PPROF, "a 9223372036854775807\nb 1\n");
	assert_int_equal(f.status, -1);
	assert_has(fg_buf_str(&f.caught.text), "exceeds 2^63-1");
	assert_int_equal(f.out.buf.len, 0);
	tear_down(&f);
	/* pprof adds up both columns */
	set_up(&f);
	export(&f, FG_REPORT_PPROF, "a 9223372036854775807 1\n");
	assert_int_equal(f.status, -1);
	tear_down(&f);
	/* a finer unit would not fit */
	check_samples("# unit: s\na 9223372036854775.5\n", "\n6: milliseconds\n",
		      "2: 1: 1 2: 9223372036854775500\n3");
}

/* ---- events */

static void check_collapsed(const char *text, const char *want)
{
	struct fixture f;

	set_up(&f);
	export(&f, FG_REPORT_COLLAPSED, text);
	assert_int_equal(f.status, 0);
	assert_str_is(fg_buf_str(&f.out.buf), fg_str_from(want));
	tear_down(&f);
}

static void events(void **state)
{
	(void)state;
	/* header lines anywhere are for a single event */
	check_collapsed("a 1\n# event: e\nb 2\n# unit: us\n",
			"{\"profiles\":[{\"event\":\"e\",\"unit\":\"us\",\"total\":3,"
			"\"stacks\":[\n"
			"{\"frames\":[\"a\"],\"count\":1},\n"
			"{\"frames\":[\"b\"],\"count\":2}]}]}\n");
	check_collapsed("a 1\n# unit: us\n",
			"{\"profiles\":[{\"unit\":\"us\",\"total\":1,\"stacks\":[\n"
			"{\"frames\":[\"a\"],\"count\":1}]}]}\n");
	/* a repeated event goes on, and a weight is not an event */
	check_collapsed("# event: e\na 1\n# event: e\n# sample-weight: 1\na 2\n"
			"# sample-weight: 1\n# remark\na 3\n",
			"{\"profiles\":[{\"event\":\"e\","
			"\"sampleWeight\":\"1\",\"total\":6,\"stacks\":[\n"
			"{\"frames\":[\"a\"],\"count\":6}]}]}\n");
}

static void events_of_one_count_and_two(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	export(&f, FG_REPORT_COLLAPSED, "# event: e\na 1 2\n# event: f\na 1\n");
	assert_int_equal(f.status, -1);
	assert_has(fg_buf_str(&f.caught.text),
		   "some events have one count, others two");
	tear_down(&f);
}

static void too_many_events(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i <= FG_SECTIONS_MAX; i++)
		fg_buf_addf(&text, "# event: e%u\na 1\n", i);
	set_up(&f);
	export(&f, FG_REPORT_COLLAPSED, fg_buf_cstr(&text));
	assert_int_equal(f.status, -1);
	assert_has(fg_buf_str(&f.caught.text), "more than 64 kinds of events");
	tear_down(&f);
	fg_buf_release(&text);
}

/* ---- stacks */

/* Adds a stack that differs from the one before, and the line that it should become. */
static void add_stack(struct random *random, struct fg_buf *text, struct fg_buf *want,
		      struct fg_buf *last)
{
	struct fg_buf frames = FG_BUF_INIT, list = FG_BUF_INIT;
	size_t depth = 1 + random_below(random, 4);

	for (size_t i = 0; i < depth; i++) {
		int name = (int)('a' + random_below(random, 2));

		fg_buf_addf(&frames, "%s%c", i ? ";" : "", name);
		fg_buf_addf(&list, "%s\"%c\"", i ? "," : "", name);
	}
	if (!fg_str_eq(fg_buf_str(&frames), fg_buf_str(last))) {
		fg_buf_addf(text, "%s 3\n", fg_buf_cstr(&frames));
		fg_buf_addf(want, "%s\n{\"frames\":[%s],\"count\":3}",
			    want->len ? "," : "", fg_buf_cstr(&list));
	}
	fg_buf_release(&list);
	fg_buf_release(last);
	*last = frames;
}

static void time_order(void **state)
{
	struct random random = { 5 };

	(void)state;
	for (unsigned run = 0; run < 50; run++) {
		struct fg_buf text = FG_BUF_INIT, want = FG_BUF_INIT,
			      last = FG_BUF_INIT;
		struct fixture f;

		for (unsigned i = 0; i < 30; i++)
			add_stack(&random, &text, &want, &last);
		set_up(&f);
		f.options.time_order = true;
		export(&f, FG_REPORT_COLLAPSED, fg_buf_cstr(&text));
		assert_has(fg_buf_str(&f.out.buf), fg_buf_cstr(&want));
		tear_down(&f);
		fg_buf_release(&text);
		fg_buf_release(&want);
		fg_buf_release(&last);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gzip),
		cmocka_unit_test(varints),
		cmocka_unit_test(one_event),
		cmocka_unit_test(two_columns),
		cmocka_unit_test(several_events_and_labels),
		cmocka_unit_test(decimals),
		cmocka_unit_test(rounding_is_told),
		cmocka_unit_test(too_large),
		cmocka_unit_test(events),
		cmocka_unit_test(events_of_one_count_and_two),
		cmocka_unit_test(too_many_events),
		cmocka_unit_test(time_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
