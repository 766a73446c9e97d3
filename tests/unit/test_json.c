/* Tests of collapse/json: tokens, escapes, what is no JSON. */
#include "collapse/json.h"
#include "tests/unit/support/support.h"

/* All tokens: brackets, n: s: d: with their text, t f 0, at last . or an error. */
static void read_all(const char *text, struct fg_buf *tokens)
{
	static const char *const shown[] = {
		".", "{", "}", "[", "]", "n:", "s:", "d:", "t", "f", "0",
	};
	enum fg_json_kind kind;
	struct fg_json j;

	fg_buf_clear(tokens);
	fg_json_init(&j, fg_str_from(text));
	while ((kind = fg_json_next(&j)) > FG_JSON_END) {
		fg_buf_addf(tokens, "%s", shown[kind]);
		fg_buf_add_str(tokens, j.text);
		fg_buf_add_char(tokens, ' ');
	}
	assert_int_equal(fg_json_next(&j), kind);
	if (kind == FG_JSON_ERROR)
		fg_buf_addf(tokens, "%s at %zu", j.cut ? "cut" : j.error, j.at);
	else
		fg_buf_addf(tokens, ".");
	fg_json_release(&j);
}

static void check_rows(const char *const (*rows)[2], size_t count)
{
	struct fg_buf tokens = FG_BUF_INIT;

	for (size_t i = 0; i < count; i++) {
		read_all(rows[i][0], &tokens);
		assert_string_equal(fg_buf_cstr(&tokens), rows[i][1]);
	}
	fg_buf_release(&tokens);
}

static void test_tokens(void **state)
{
	static const char *const rows[][2] = {
		{ "{}", "{ } ." },
		{ " [ ] \r\n", "[ ] ." },
		{ "[[],{}]", "[ [ ] { } ] ." },
		{ "{\"a\": 1, \"b\" :[true,false,null]}",
		  "{ n:a d:1 n:b [ t f 0 ] } ." },
		{ "-0", "d:-0 ." },
		{ "[0.50, -12e+3,1E9, 18446744073709551616]",
		  "[ d:0.50 d:-12e+3 d:1E9 d:18446744073709551616 ] ." },
		{ "\"\"", "s: ." },
		{ "[\"plain\", \"a;b\xff\"]", "[ s:plain s:a;b\xff ] ." },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows));
}

static void test_escapes(void **state)
{
	static const char *const rows[][2] = {
		{ "\"\\\"\\\\\\/|\\b\\f\\n\\r\\t|\"", "s:\"\\/|\b\f\n\r\t| ." },
		{ "\"a\\u0041b\\u00e9\\u20AC\"", "s:aAb\xc3\xa9\xe2\x82\xac ." },
		{ "\"\\ud83d\\uDE00\"", "s:\xf0\x9f\x98\x80 ." },
		{ "\"\\ud83d\"", "s:\xef\xbf\xbd ." },
		{ "\"\\ud83d\\n\"", "s:\xef\xbf\xbd\n ." },
		{ "\"\\ud83d\\ud83d\\ude00\"", "s:\xef\xbf\xbd\xf0\x9f\x98\x80 ." },
		{ "\"\\ude00x\"", "s:\xef\xbf\xbdx ." },
		{ "{\"\\n\":\"\\t\",\"c\":\"d\"}", "{ n:\n s:\t n:c s:d } ." },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows));
}

static void test_errors(void **state)
{
	static const char *const rows[][2] = {
		{ "", "cut at 0" },
		{ "[1", "[ d:1 cut at 2" },
		{ "[1,", "[ d:1 cut at 3" },
		{ "{\"a", "{ cut at 3" },
		{ "{\"a\"", "{ cut at 4" },
		{ "{\"a\":", "{ n:a cut at 5" },
		{ "\"\\", "cut at 2" },
		{ "\"\\u00", "cut at 5" },
		{ "-", "cut at 1" },
		{ "1.", "cut at 2" },
		{ "[tru", "[ cut at 4" },
		{ "[1 2]", "[ d:1 ',' or ']' is missing at 3" },
		{ "[1}", "[ d:1 ',' or ']' is missing at 2" },
		{ "{\"a\" 1}", "{ ':' is missing at 5" },
		{ "{1}", "{ a name is missing at 1" },
		{ "{\"a\":1,}", "{ n:a d:1 a name is missing at 7" },
		{ "[1,]", "[ d:1 a value is missing at 3" },
		{ "[01]", "[ d:0 ',' or ']' is missing at 2" },
		{ "[-x]", "[ no number of JSON at 2" },
		{ "[trie]", "[ a value is missing at 1" },
		{ "[\"\\x\"]", "[ no escape of JSON at 2" },
		{ "[\"\\u12g4\"]", "[ no escape of JSON at 2" },
		{ "{} {}", "{ } text after the end at 3" },
		{ "]", "a value is missing at 0" },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows));
}

static void test_skip(void **state)
{
	struct fg_json j;

	(void)state;
	fg_json_init(&j, FG_STR("[1, {\"a\": [{}, []]}, \"b\", [2"));
	assert_int_equal(fg_json_next(&j), FG_JSON_ARRAY);
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), 0);
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), 0);
	assert_int_equal(fg_json_next(&j), FG_JSON_STRING);
	assert_str_is(j.text, FG_STR("b"));
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), -1);
	assert_true(j.cut);
	fg_json_release(&j);
}

static void test_depth(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_json j;

	(void)state;
	for (size_t i = 0; i < 1000000; i++)
		fg_buf_add_char(&text, '[');
	for (size_t i = 0; i < 1000000; i++)
		fg_buf_add_char(&text, ']');
	fg_json_init(&j, fg_buf_str(&text));
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), 0);
	assert_int_equal(fg_json_next(&j), FG_JSON_END);
	fg_json_release(&j);
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tokens), cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_errors), cmocka_unit_test(test_skip),
		cmocka_unit_test(test_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
