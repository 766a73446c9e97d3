/* Tests of collapse/addr2line: lines that no addr2line and no nm should print. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/support/addr2line.h"

#define SENTINEL "0xffffffffffffffff"

/* Gives the same functions and places at every address, as they are in a file. */
static const char fixed_script[] =
	"echo start >> $log\n"
	"while read -r address; do\n"
	"	echo $address\n"
	"	[ $address = " SENTINEL " ] && printf '??\\n??:0\\n' ||\n"
	"		cat \"${log%log}lines\"\n"
	"done\n";

static bool look_up_lines(struct fixture *f, struct fg_str lines)
{
	char *dso;
	bool found;

	fake_tool(f, "addr2line", fixed_script);
	fake_tool(f, "nm", "exit 0\n");
	folder_write(&f->folder, "lines", lines);
	dso = strdup(plain_file(f, "dso"));
	found = look_up(f, "1234", "s+0x1", dso);
	free(dso);
	return found;
}

/* It asks again. */
static void forget(struct fixture *f)
{
	fg_addr2line_free(f->a);
	f->a = fg_addr2line_new(false, &f->caught.diag);
}

static void check_names(struct fixture *f, struct fg_str lines, struct fg_str want)
{
	assert_int_equal(look_up_lines(f, lines), want.len > 0);
	assert_str_is(fg_buf_str(&f->names), want);
	assert_int_equal(f->caught.diag.warnings, 0);
}

static void check_failed(struct fixture *f, struct fg_str lines, const char *part)
{
	assert_false(look_up_lines(f, lines));
	assert_int_equal(f->caught.diag.warnings, 1);
	assert_has(fg_buf_str(&f->caught.text), part);
	assert_true(fg_addr2line_failed(f->a));
}

/* ---- addr2line */

static void test_places_of_any_shape(void **state)
{
	static const char *const places[] = {
		"",
		" ",
		"nocolon",
		":",
		"::",
		"a.c:",
		":9",
		"??",
		"?",
		"??:",
		"??:?",
		"a.c:18446744073709551616",
		"a.c:-1",
		"a.c:1 (discriminator ",
		" (discriminator 3",
		"(((",
		"1234",
		"0x",
		"0xg",
		" 0x1234",
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		struct fg_buf lines = FG_BUF_INIT;

		fg_buf_addf(&lines, "leaf\n%s\nroot\nr.c:1\n", places[i]);
		check_names(f, fg_buf_str(&lines), FG_STR("root;leaf"));
		fg_buf_release(&lines);
		forget(f);
	}
}

static void test_places_are_context_as_they_are(void **state)
{
	struct fixture *f = *state;

	with_context(f);
	check_names(f,
		    FG_STR("a\nnocolon\nb\n\nc\n;\0;\nd\nd.c:1 (discriminator \ne\n"
			   "e.c:99999999999999999999 (discriminator 1) (x)\n"),
		    FG_STR("e:e.c:99999999999999999999 (x);d:d.c:1;c::\0:;"
			   "b:;a:nocolon"));
}

static void test_names_of_any_bytes(void **state)
{
	struct fixture *f = *state;

	check_names(f,
		    FG_STR("n\0ul\na:1\n;;\na:1\n\x01\x1b[0m\t\r\na:1\n\xff\xfe\n"
			   "a:1\n0xg\na:1\nx 0x1234\na:1\n"),
		    FG_STR("x 0x1234;0xg;\xff\xfe;\x01\x1b[0m\t\r;::;n\0ul"));
}

static void test_names_that_say_nothing(void **state)
{
	struct fixture *f = *state;

	check_names(f, FG_STR("??\n??:0\n"), FG_STR(""));
	forget(f);
	check_names(f, FG_STR("??\n??:?\n"), FG_STR(""));
	forget(f);
	check_names(f, FG_STR(""), FG_STR(""));
}

static void test_empty_names(void **state)
{
	struct fixture *f = *state;

	check_names(f, FG_STR("leaf\na:1\n\na:1\nroot\na:1\n"), FG_STR("root;;leaf"));
}

static void test_only_an_empty_name(void **state)
{
	check_names(*state, FG_STR("\na:1\n"), FG_STR(""));
}

static void test_numbers_that_do_not_fit_are_names(void **state)
{
	check_names(*state, FG_STR("0x10000000000000000\na:1\n"),
		    FG_STR("0x10000000000000000"));
}

static void test_more_frames_than_anybody_inlines(void **state)
{
	enum { COUNT = 20000 };
	struct fixture *f = *state;
	struct fg_buf lines = FG_BUF_INIT;

	for (int i = 0; i < COUNT; i++)
		fg_buf_addf(&lines, "f%d\na:1\n", i);
	assert_true(look_up_lines(f, fg_buf_str(&lines)));
	fg_buf_release(&lines);
	assert_int_equal(occurrences(fg_buf_str(&f->names), ";"), COUNT - 1);
	assert_true(fg_str_starts(fg_buf_str(&f->names), FG_STR("f19999;f19998;")));
	assert_true(fg_str_ends(fg_buf_str(&f->names), FG_STR(";f1;f0")));
}

static void fill(struct fg_buf *b, size_t count)
{
	fg_buf_reserve(b, count);
	memset(b->ptr + b->len, 'x', count);
	b->len += count;
}

/* An answer may have a mebibyte, and it comes twice. */
static void check_long(struct fixture *f, size_t len, bool found)
{
	struct fg_buf lines = FG_BUF_INIT;

	fill(&lines, len);
	fg_buf_add_str(&lines, FG_STR("\na:1\n"));
	if (found) {
		assert_true(look_up_lines(f, fg_buf_str(&lines)));
		assert_int_equal(f->names.len, len);
	} else {
		check_failed(f, fg_buf_str(&lines), "addr2line did not stop printing");
	}
	fg_buf_release(&lines);
}

static void test_long_names(void **state)
{
	check_long(*state, 500 * 1000, true);
}

static void test_names_that_are_too_long(void **state)
{
	check_long(*state, 1000 * 1000, false);
}

/* The next address is no place; it was waited for a line that never comes. */
static void test_no_place(void **state)
{
	check_failed(*state, FG_STR("leaf\na:1\nroot\n"), "addr2line failed");
}

static void test_another_address(void **state)
{
	check_failed(*state, FG_STR("leaf\na:1\n0x99\nroot\nb:1\n"),
		     "addr2line failed");
}

/* ---- nm */

static void test_lines_of_nm(void **state)
{
	static const char script[] =
		"printf '%s\\n' ' ' ':' '?' '0 T' 'T' '0  T x' '0x100 T hexed'\n"
		"printf '%s\\n' '10000000000000100 T big' '-100 T minus'\n"
		"printf '100 T semi;colon\\n100 T ctl\\001\\033\\n100 T two words\\n'\n"
		"printf '\\0\\0\\0 T nul\\n100\\0 T nul\\n\\377\\376 T high\\n'\n"
		"printf '100 T '; head -c 1000000 /dev/zero | tr '\\0' x; echo\n"
		"printf '100 T cut'\n";
	static const char *const unknown[] = { "hexed+0x4", "big+0x4", "minus+0x4",
					       "x+0x4",	    "nul+0x4", "high+0x4",
					       "+0x4",	    "cut+0x4" };
	static const char *const known[] = { "semi;colon+0x4", "ctl\001\033+0x4",
					     "two words+0x4" };
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", lost_script);
	fake_tool(f, "nm", script);
	for (size_t i = 0; i < COUNT_OF(unknown); i++)
		assert_false(look_up(f, "55d000000001", unknown[i], dso));
	for (size_t i = 0; i < COUNT_OF(known); i++)
		assert_found(f, "55d000000001", known[i], dso, "found");
	assert_int_equal(f->caught.diag.warnings, 0);
	free(dso);
}

static void test_long_name_of_nm(void **state)
{
	struct fixture *f = *state;
	struct fg_buf symbol = FG_BUF_INIT;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", lost_script);
	fake_tool(f, "nm",
		  "printf '100 T '; head -c 1000000 /dev/zero | tr '\\0' x; echo\n");
	fill(&symbol, 1000 * 1000);
	fg_buf_add_str(&symbol, FG_STR("+0x4"));
	assert_found(f, "55d000000001", fg_buf_cstr(&symbol), dso, "found");
	fg_buf_release(&symbol);
	free(dso);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		CASE(test_places_of_any_shape),
		CASE(test_places_are_context_as_they_are),
		CASE(test_names_of_any_bytes),
		CASE(test_names_that_say_nothing),
		CASE(test_empty_names),
		CASE(test_only_an_empty_name),
		CASE(test_numbers_that_do_not_fit_are_names),
		CASE(test_more_frames_than_anybody_inlines),
		CASE(test_long_names),
		CASE(test_names_that_are_too_long),
		CASE(test_no_place),
		CASE(test_another_address),
		CASE(test_lines_of_nm),
		CASE(test_long_name_of_nm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
