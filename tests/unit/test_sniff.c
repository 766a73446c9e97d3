/* Tests of lib/sniff: files that are no profiles are told by their start alone. */
#include <string.h>

#include "lib/sniff.h"
#include "tests/unit/support/support.h"

static void test_starts(void **state)
{
	static const struct {
		struct fg_str bytes;
		const char *part; /* of the message; NULL for none */
	} rows[] = {
		{ FG_STR_INIT("PERFILE2\x68\0"), "perf script" },
		{ FG_STR_INIT("\x1f\x8b\x08"), "zcat" },
		{ FG_STR_INIT("\x28\xb5\x2f\xfd\x04"), "zstdcat" },
		{ FG_STR_INIT("\xfd"
			      "7zXZ\0"),
		  "xzcat" },
		{ FG_STR_INIT("<?xml version"), "XML" },
		{ FG_STR_INIT("<svg xmlns"), "SVG" },
		{ FG_STR_INIT("<!DOCTYPE html>"), "HTML" },
		{ FG_STR_INIT("<html>"), "HTML" },
		{ FG_STR_INIT("{\"a\": 1}"), "JSON" },
		{ FG_STR_INIT("\x7f"
			      "ELF\2\1\1"),
		  "a program" },
		{ { NULL, 0 }, NULL },
		{ FG_STR_INIT("\x1f"), NULL },
		{ FG_STR_INIT("PERFILE"), NULL },
		{ FG_STR_INIT(" <svg"), NULL },
		{ FG_STR_INIT("main;f 5\n{\n"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *message = fg_sniff(rows[i].bytes);

		assert_int_equal(!message, !rows[i].part);
		if (message)
			assert_has(fg_str_from(message), rows[i].part);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
