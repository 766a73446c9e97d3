/* Tests of collapse/formats/perf/data/tracing: formats of tracepoints, and payloads. */
#include "collapse/formats/perf/data/tracing.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/support/support.h"

static const char format[] =
	"name: thing\nID: 308\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:u8 small;\toffset:20;\tsize:1;\tsigned:0;\n"
	"\tfield:s16 below;\toffset:22;\tsize:2;\tsigned:1;\n"
	"\tfield:const void * ptr;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long args[2];\toffset:32;\tsize:16;\tsigned:0;\n"
	"\tfield:__data_loc char[] file;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] near;\toffset:52;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"field:%d\", REC->pid\n";

static const char whole[] =
	"comm=abc pid=-2 small=200 below=-300 ptr=0x1f file=x y near=z";

static void add_string(struct fg_buf *b, const char *text)
{
	fg_buf_add(b, text, strlen(text) + 1);
}

static void add_number(struct fg_buf *b, uint64_t number, size_t size)
{
	uint32_t word = (uint32_t)number;

	if (size == 4)
		fg_buf_add(b, (const char *)&word, 4);
	else
		fg_buf_add(b, (const char *)&number, 8);
}

static void add_sized(struct fg_buf *b, const char *text)
{
	add_number(b, strlen(text), 8);
	fg_buf_add(b, text, strlen(text));
}

/* Returns tracing data of two systems, the second with the format above. */
static struct fg_buf make_tracing_data(void)
{
	struct fg_buf b = FG_BUF_INIT;

	fg_buf_add(&b, "\027\010Dtracing", 10);
	add_string(&b, "0.6");
	fg_buf_add(&b, "\0\010\0\020\0\0", 6);
	add_string(&b, "header_page");
	add_sized(&b, "page");
	add_string(&b, "header_event");
	add_sized(&b, "event");
	add_number(&b, 1, 4);
	add_sized(&b, "name: ftrace\nID: 1\nformat:\n");
	add_number(&b, 2, 4);
	add_string(&b, "other");
	add_number(&b, 1, 4);
	add_sized(&b, "name: other\nID: 7\nformat:\n"
		      "\tfield:int n;\toffset:0;\tsize:4;\tsigned:1;\n"
		      "\tfield:char buf[];\toffset:0;\tsize:0;\tsigned:0;\n");
	add_string(&b, "made");
	add_number(&b, 1, 4);
	add_sized(&b, format);
	return b;
}

static struct fg_buf make_raw(void)
{
	char bytes[62] = { 0 };
	const int32_t pid = -2;
	const int16_t below = -300;
	const uint64_t ptr = 0x1f;
	const uint32_t file = 4U << 16 | 56, near = 2U << 16 | 4;
	struct fg_buf b = FG_BUF_INIT;

	memcpy(bytes + 8, "abc", 4);
	memcpy(bytes + 16, &pid, 4);
	bytes[20] = (char)200;
	memcpy(bytes + 22, &below, 2);
	memcpy(bytes + 24, &ptr, 8);
	memcpy(bytes + 48, &file, 4);
	memcpy(bytes + 52, &near, 4);
	memcpy(bytes + 56, "x y", 4);
	memcpy(bytes + 60, "z", 2);
	fg_buf_add(&b, bytes, sizeof(bytes));
	return b;
}

/* Checks the payload of `raw`. Copies it so that sanitizers see reads beyond it. */
static void check_payload(const struct fg_pd_tracing *t, uint64_t id, struct fg_str raw,
			  const char *wanted)
{
	struct fg_buf text = FG_BUF_INIT;
	char *copy = malloc(raw.len ? raw.len : 1);

	assert_non_null(copy);
	if (raw.len)
		memcpy(copy, raw.ptr, raw.len);
	fg_pd_tracing_payload(t, id, fg_str_of(raw.len ? copy : NULL, raw.len), &text);
	if (wanted)
		assert_string_equal(fg_buf_cstr(&text), wanted);
	free(copy);
	fg_buf_release(&text);
}

static void test_a_payload_has_all_fields(void **state)
{
	struct fg_buf data = make_tracing_data(), raw = make_raw();
	struct fg_pd_tracing t;

	(void)state;
	fg_pd_tracing_init(&t);
	fg_pd_tracing_read(&t, fg_buf_str(&data));
	check_payload(&t, 308, fg_buf_str(&raw), whole);
	check_payload(&t, 7, FG_STR("\1\0\0\1"), "n=16777217 buf=");
	check_payload(&t, 7, FG_STR("\1\0\0"), "buf=");
	check_payload(&t, 7, FG_STR(""), "buf=");
	check_payload(&t, 309, fg_buf_str(&raw), "");
	assert_str(fg_pd_tracing_name(&t, 308), "made:thing");
	assert_str(fg_pd_tracing_name(&t, 309), "");
	fg_pd_tracing_release(&t);
	fg_pd_tracing_release(&t);
	fg_buf_release(&data);
	fg_buf_release(&raw);
}

/* A sample that is cut off keeps the fields that are complete. */
static void test_a_short_sample_has_its_complete_fields(void **state)
{
	struct fg_buf data = make_tracing_data(), raw = make_raw();
	struct fg_pd_tracing t;

	(void)state;
	fg_pd_tracing_init(&t);
	fg_pd_tracing_read(&t, fg_buf_str(&data));
	for (size_t len = 0; len < raw.len; len++)
		check_payload(&t, 308, fg_str_before(fg_buf_str(&raw), len),
			      len == 22 ? "comm=abc pid=-2 small=200" : NULL);
	fg_pd_tracing_release(&t);
	fg_buf_release(&data);
	fg_buf_release(&raw);
}

/* We read tracing data until it is cut off or wrong. */
static void test_damaged_data_does_no_harm(void **state)
{
	struct fg_buf data = make_tracing_data(), raw = make_raw();

	(void)state;
	for (size_t len = 0; len < data.len; len++) {
		struct fg_pd_tracing t;
		char *copy = malloc(len ? len : 1);

		assert_non_null(copy);
		memcpy(copy, data.ptr, len);
		fg_pd_tracing_init(&t);
		fg_pd_tracing_read(&t, fg_str_of(copy, len));
		check_payload(&t, 308, fg_buf_str(&raw), "");
		fg_pd_tracing_release(&t);
		memset(copy + len / 2, 0xff, len - len / 2);
		fg_pd_tracing_read(&t, fg_str_of(copy, len));
		fg_pd_tracing_release(&t);
		free(copy);
	}
	fg_buf_release(&data);
	fg_buf_release(&raw);
}

/* The tracepoint may still get a name from elsewhere. */
static void test_a_format_without_a_name_is_ignored(void **state)
{
	struct fg_buf data = make_tracing_data(), raw = make_raw();
	size_t at = fg_str_find(fg_buf_str(&data), FG_STR("name: thing"));
	struct fg_pd_tracing t;

	(void)state;
	assert_true(at < data.len);
	data.ptr[at] = 'N';
	fg_pd_tracing_init(&t);
	fg_pd_tracing_read(&t, fg_buf_str(&data));
	check_payload(&t, 308, fg_buf_str(&raw), "");
	fg_pd_tracing_add(&t, 308, FG_STR("made:up"));
	assert_str(fg_pd_tracing_name(&t, 308), "made:up");
	fg_pd_tracing_release(&t);
	fg_buf_release(&data);
	fg_buf_release(&raw);
}

/* Fields that share bytes must not make the text much longer than the sample. */
static void test_fields_that_share_bytes_are_limited(void **state)
{
	static const char *const fields[] = {
		"\tfield:char name[4000];\toffset:0;\tsize:4000;\tsigned:0;\n",
		"\tfield:__data_loc char[] name;\toffset:4000;\tsize:4;\tsigned:0;\n",
		"\tfield:u8 name;\toffset:0;\tsize:1;\tsigned:0;\n",
		"\tfield:char name[];\toffset:0;\tsize:0;\tsigned:0;\n",
	};
	const uint32_t where = 4000U << 16;
	char raw[4004];

	(void)state;
	memset(raw, 'x', sizeof(raw));
	memcpy(raw + 4000, &where, sizeof(where));
	for (size_t i = 0; i < FG_COUNT_OF(fields); i++) {
		struct fg_buf all = FG_BUF_INIT, data = FG_BUF_INIT, text = FG_BUF_INIT;
		struct fg_pd_tracing t;

		fg_buf_add_str(&all, FG_STR("name: all\nID: 5\nformat:\n"));
		for (int k = 0; k < 10000; k++)
			fg_buf_add_str(&all, fg_str_from(fields[i]));
		fg_buf_add(&data, "\027\010Dtracing\0\0\0\0\0\0\0", 17);
		for (int k = 0; k < 2; k++) {
			add_string(&data, "");
			add_sized(&data, "");
		}
		add_number(&data, 0, 4);
		add_number(&data, 1, 4);
		add_string(&data, "made");
		add_number(&data, 1, 4);
		add_sized(&data, fg_buf_cstr(&all));
		fg_pd_tracing_init(&t);
		fg_pd_tracing_read(&t, fg_buf_str(&data));
		fg_pd_tracing_payload(&t, 5, fg_str_of(raw, sizeof(raw)), &text);
		assert_in_range(text.len, 4000, 12 * sizeof(raw));
		fg_pd_tracing_release(&t);
		fg_buf_release(&all);
		fg_buf_release(&data);
		fg_buf_release(&text);
	}
}

/* Returns the start of tracing data with one system of so many events. */
static struct fg_buf start_system(const char *name, uint32_t count)
{
	struct fg_buf b = FG_BUF_INIT;

	fg_buf_add(&b, "\027\010Dtracing\0\0\0\0\0\0\0", 17);
	for (int k = 0; k < 2; k++) {
		add_string(&b, "");
		add_sized(&b, "");
	}
	add_number(&b, 0, 4);
	add_number(&b, 1, 4);
	add_string(&b, name);
	add_number(&b, count, 4);
	return b;
}

/* Each event has a copy of its system's name, so that has a limit. */
static void test_a_format_with_a_long_name_is_ignored(void **state)
{
	char long_name[258], event[300];
	struct fg_buf data;
	struct fg_pd_tracing t;

	(void)state;
	memset(long_name, 's', sizeof(long_name));
	for (size_t len = 256; len <= 257; len++) {
		long_name[len] = '\0';
		data = start_system(long_name, 1);
		add_sized(&data, "name: a\nID: 5\n");
		fg_pd_tracing_init(&t);
		fg_pd_tracing_read(&t, fg_buf_str(&data));
		assert_int_equal(fg_pd_tracing_name(&t, 5).len, len > 256 ? 0 : 258);
		fg_pd_tracing_release(&t);
		fg_buf_release(&data);

		data = start_system("made", 1);
		snprintf(event, sizeof(event), "name: %s\nID: 5\n", long_name);
		add_sized(&data, event);
		fg_pd_tracing_init(&t);
		fg_pd_tracing_read(&t, fg_buf_str(&data));
		assert_int_equal(fg_pd_tracing_name(&t, 5).len, len > 256 ? 0 : 261);
		fg_pd_tracing_release(&t);
		fg_buf_release(&data);
		long_name[len] = 's';
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_payload_has_all_fields),
		cmocka_unit_test(test_a_short_sample_has_its_complete_fields),
		cmocka_unit_test(test_damaged_data_does_no_harm),
		cmocka_unit_test(test_a_format_without_a_name_is_ignored),
		cmocka_unit_test(test_fields_that_share_bytes_are_limited),
		cmocka_unit_test(test_a_format_with_a_long_name_is_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
