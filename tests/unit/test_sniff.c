/* Tests of lib/sniff: what is not a profile is seen by its first bytes. */
#include <string.h>

#include "lib/sniff.h"
#include "tests/unit/support/support.h"

static void test_starts(void **state)
{
	static const struct {
		struct fg_str bytes;
		const char *part; /* of the message; NULL for none */
		bool refused;
	} rows[] = {
		{ FG_STR_INIT("PERFILE2\x68\0"), "collapse-perf", true },
		{ FG_STR_INIT("\x1f\x8b\x08"), "zcat", true },
		{ FG_STR_INIT("\x28\xb5\x2f\xfd\x04"), "zstdcat", true },
		{ FG_STR_INIT("\xfd"
			      "7zXZ\0"),
		  "xzcat", true },
		{ FG_STR_INIT("\xff\xfem\0"), "UTF-16", false },
		{ FG_STR_INIT("\xfe\xff\0m"), "UTF-16", false },
		{ FG_STR_INIT("<?xml version"), "XML", false },
		{ FG_STR_INIT("<svg xmlns"), "SVG", false },
		{ FG_STR_INIT("<!DOCTYPE html>"), "HTML", false },
		{ FG_STR_INIT("<html>"), "HTML", false },
		{ FG_STR_INIT("{\"a\": 1}"), "JSON", true },
		{ FG_STR_INIT("{\r\n  \"a\""), "JSON", true },
		{ FG_STR_INIT("[\n { \"a\""), "JSON", true },
		{ FG_STR_INIT("{main};f 5\n"), "JSON", false },
		{ FG_STR_INIT("[{closure}];f 5\n"), NULL, false },
		{ FG_STR_INIT("[vdso];f 5\n"), NULL, false },
		{ FG_STR_INIT("BZh91AY&SY"), "bzcat", true },
		{ FG_STR_INIT("#\n# Samples: 12K of event 'cycles'\n"), "perf script",
		  true },
		{ FG_STR_INIT("# ========\n#\n\n# Overhead  Command\n"), "perf script",
		  true },
		{ FG_STR_INIT("# Children      Self"), "perf script", true },
		{ FG_STR_INIT("# Samples: 12\na;b 5\n# Overhead  Command\n"), NULL,
		  false },
		{ FG_STR_INIT("\x7f"
			      "ELF\2\1\1"),
		  "flame -- PROGRAM", true },
		{ { NULL, 0 }, NULL, false },
		{ FG_STR_INIT("\x1f"), NULL, false },
		{ FG_STR_INIT("PERFILE"), NULL, false },
		{ FG_STR_INIT(" <svg"), NULL, false },
		{ FG_STR_INIT("main;f 5\n{\n"), NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *message = fg_sniff(rows[i].bytes);

		assert_int_equal(!message, !rows[i].part);
		if (message)
			assert_has(fg_str_from(message), rows[i].part);
		assert_ptr_equal(fg_sniff_refused(rows[i].bytes, false),
				 rows[i].refused ? message : NULL);
	}
	assert_null(fg_sniff_refused(FG_STR("{\"type\":"), true));
	assert_non_null(fg_sniff_refused(FG_STR("PERFILE2"), true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
