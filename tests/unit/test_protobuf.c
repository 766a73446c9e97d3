/* Tests of lib/base/protobuf: fields, packed numbers, malformed messages. */
#include "lib/base/protobuf.h"

#include <inttypes.h>

#include "lib/base/buf.h"
#include "tests/unit/support/support.h"

/*
 * Appends all fields, as tag and value or bytes; at the end "." or the fault and the
 * number of bytes left.
 */
static void read_all(struct fg_str bytes, struct fg_buf *fields)
{
	static const char *const faults[] = { ".", "cut", "wrong" };
	struct fg_proto m = fg_proto_of(bytes);
	struct fg_proto_field f;

	fg_buf_clear(fields);
	while (fg_proto_next(&m, &f)) {
		fg_buf_addf(fields, "%" PRIu64 ":", f.tag);
		if (f.tag % 8 == 2)
			fg_buf_add_str(fields, f.bytes);
		else
			fg_buf_add_u64(fields, f.value);
		fg_buf_add_char(fields, ' ');
	}
	assert_false(fg_proto_next(&m, &f));
	fg_buf_addf(fields, "%s", faults[m.fault]);
	if (m.fault)
		fg_buf_addf(fields, " %zu", m.rest.len);
}

static void test_fields(void **state)
{
	static const struct {
		struct fg_str bytes;
		const char *fields;
	} rows[] = {
		{ FG_STR_INIT(""), "." },
		{ FG_STR_INIT("\x08\x01"), "8:1 ." },
		{ FG_STR_INIT("\x08\xac\x02"), "8:300 ." },
		{ FG_STR_INIT("\x08\x81\x80\x80\x00"), "8:1 ." }, /* padded */
		{ FG_STR_INIT("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		  "8:18446744073709551615 ." },
		{ FG_STR_INIT("\x12\x03"
			      "abc\x12\x00"),
		  "18:abc 18: ." },
		{ FG_STR_INIT("\x09\x01\x02\x00\x00\x00\x00\x00\x80"),
		  "9:9223372036854776321 ." },
		{ FG_STR_INIT("\x0d\x01\x00\x00\x01"), "13:16777217 ." },
		{ FG_STR_INIT("\xf8\xff\xff\xff\x0f\x07"), "4294967288:7 ." },
		{ FG_STR_INIT("\x08"), "cut 1" },
		{ FG_STR_INIT("\x08\x01\x88"), "8:1 cut 1" },
		{ FG_STR_INIT("\x12\x03"
			      "ab"),
		  "cut 4" },
		{ FG_STR_INIT("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"),
		  "cut 12" },
		{ FG_STR_INIT("\x09\x01\x02\x00\x00\x00\x00\x00"), "cut 8" },
		{ FG_STR_INIT("\x0d\x01\x00\x00"), "cut 4" },
		{ FG_STR_INIT("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		  "wrong 12" },
		{ FG_STR_INIT("\x08\x01\x0b\x01"), "8:1 wrong 2" },
		{ FG_STR_INIT("\x0c\x01"), "wrong 2" },
		{ FG_STR_INIT("\x0e\x01"), "wrong 2" },
		{ FG_STR_INIT("\x0f\x01"), "wrong 2" },
		{ FG_STR_INIT("\x00\x01"), "wrong 2" },
	};
	struct fg_buf fields = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		read_all(rows[i].bytes, &fields);
		assert_string_equal(fg_buf_cstr(&fields), rows[i].fields);
	}
	fg_buf_release(&fields);
}

/* Appends all numbers of a repeated field, packed or not. */
static void test_numbers(void **state)
{
	struct fg_proto m = fg_proto_of(
		FG_STR("\x08\x05\x0a\x03\x01\xac\x02\x0a\x00\x08\x07\x0a\x02\x03\x80"));
	struct fg_buf numbers = FG_BUF_INIT;
	struct fg_proto_field f;
	uint64_t number;

	(void)state;
	while (fg_proto_next(&m, &f))
		while (fg_proto_each(&m, &f, &number))
			fg_buf_addf(&numbers, "%" PRIu64 " ", number);
	assert_string_equal(fg_buf_cstr(&numbers), "5 1 300 7 3 ");
	assert_int_equal(m.fault, FG_PROTO_CUT);
	fg_buf_release(&numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
