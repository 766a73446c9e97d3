/* Tests of collapse/json: tokens, escapes, malformed JSON. */
#include "lib/base/json.h"
#include "tests/unit/support/support.h"

/*
 * Writes all tokens: brackets, "n:", "s:" and "d:" with their text, t, f and 0, and "."
 * or an error at the end.
 */
static void add_tokens(struct fg_json *j, struct fg_buf *tokens)
{
	static const char *const shown[] = {
		".", "{", "}", "[", "]", "n:", "s:", "d:", "t", "f", "0",
	};
	enum fg_json_kind kind;

	fg_buf_clear(tokens);
	while ((kind = fg_json_next(j)) > FG_JSON_END) {
		fg_buf_addf(tokens, "%s", shown[kind]);
		fg_buf_add_str(tokens, j->text);
		fg_buf_add_char(tokens, ' ');
	}
	assert_int_equal(fg_json_next(j), kind);
	if (kind == FG_JSON_ERROR)
		fg_buf_addf(tokens, "%s at %d:%d", j->cut ? "cut" : j->error,
			    (int)j->line, (int)j->column);
	else
		fg_buf_addf(tokens, ".");
}

static void read_in_memory(struct fg_str text, struct fg_buf *tokens)
{
	struct fg_json j;

	fg_json_init(&j, text);
	add_tokens(&j, tokens);
	fg_json_release(&j);
}

/* Reads blocks of `size` bytes; the first one has `first`. */
static void read_in_blocks(struct fg_str text, size_t first, size_t size,
			   struct fg_buf *tokens)
{
	struct fg_block block;
	struct fg_reader *reader;
	struct fg_diag diag;
	struct fg_json j;

	fg_diag_init(&diag, "test");
	reader = fg_reader_open_memory(text, "input", &diag);
	fg_reader_accept_parts(reader);
	fg_reader_set_block_size(reader, first);
	assert_int_equal(fg_reader_block(reader, &block), 1);
	fg_reader_set_block_size(reader, size);
	fg_json_init_reader(&j, reader, &block);
	add_tokens(&j, tokens);
	fg_json_release(&j);
	fg_reader_close(reader);
}

static void check_rows(const char *const (*rows)[2], size_t count)
{
	struct fg_buf tokens = FG_BUF_INIT;

	for (size_t i = 0; i < count; i++) {
		struct fg_str text = fg_str_from(rows[i][0]);

		read_in_memory(text, &tokens);
		assert_string_equal(fg_buf_cstr(&tokens), rows[i][1]);
		for (size_t k = 1; k <= text.len; k++) {
			read_in_blocks(text, k, k, &tokens);
			assert_string_equal(fg_buf_cstr(&tokens), rows[i][1]);
			read_in_blocks(text, k, 4096, &tokens);
			assert_string_equal(fg_buf_cstr(&tokens), rows[i][1]);
		}
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
		{ "\xef\xbb\xbf [1]", "[ d:1 ] ." },
		{ "[1 , ]", "[ d:1 ] ." },
		{ "[{\"a\":1,},]", "[ { n:a d:1 } ] ." },
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
		{ "\"\\ud800\\udc00\\udbff\\udfff\"",
		  "s:\xf0\x90\x80\x80\xf4\x8f\xbf\xbf ." },
		{ "\"\\ud7ff\\ue000\\uffff\"",
		  "s:\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf ." },
		{ "\"\\udc00\\udfff\"", "s:\xef\xbf\xbd\xef\xbf\xbd ." },
		{ "\"\\ud800\\ud7ff\"", "s:\xef\xbf\xbd\xed\x9f\xbf ." },
		{ "\"\\ud800\\ue000\"", "s:\xef\xbf\xbd\xee\x80\x80 ." },
		{ "\"\\u007f\\u0080\\u07ff\\u0800\"",
		  "s:\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80 ." },
		{ "{\"\\n\":\"\\t\",\"c\":\"d\"}", "{ n:\n s:\t n:c s:d } ." },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows));
}

static void test_errors(void **state)
{
	static const char *const rows[][2] = {
		{ "", "cut at 1:1" },
		{ "[1", "[ d:1 cut at 1:3" },
		{ "[1,", "[ d:1 cut at 1:4" },
		{ "{\"a", "{ cut at 1:4" },
		{ "{\"a\"", "{ n:a cut at 1:5" },
		{ "{\"a\":", "{ n:a cut at 1:6" },
		{ "\"\\", "cut at 1:3" },
		{ "\"\\u00", "cut at 1:6" },
		{ "\"\\ud800\\", "cut at 1:9" },
		{ "-", "cut at 1:2" },
		{ "1.", "cut at 1:3" },
		{ "1e+", "cut at 1:4" },
		{ "[tru", "[ cut at 1:5" },
		{ "[1 2]", "[ d:1 ',' or ']' is missing at 1:4" },
		{ "[1}", "[ d:1 ',' or ']' is missing at 1:3" },
		{ "{\"a\" 1}", "{ n:a ':' is missing at 1:6" },
		{ "{1}", "{ a name is missing at 1:2" },
		{ "{\"a\":1,]", "{ n:a d:1 a name is missing at 1:8" },
		{ "[1,}", "[ d:1 a value is missing at 1:4" },
		{ "[1,,]", "[ d:1 a value is missing at 1:4" },
		{ "{,}", "{ a name is missing at 1:2" },
		{ "[,1]", "[ a value is missing at 1:2" },
		{ "[01]", "[ an invalid number at 1:3" },
		{ "[-x]", "[ an invalid number at 1:3" },
		{ "[1.]", "[ an invalid number at 1:4" },
		{ "[1.5.2]", "[ an invalid number at 1:5" },
		{ "[1e5e]", "[ an invalid number at 1:5" },
		{ "[+1]", "[ a value is missing at 1:2" },
		{ "[trie]", "[ a value is missing at 1:4" },
		{ "[nul]", "[ a value is missing at 1:5" },
		{ "[truefalse]", "[ t ',' or ']' is missing at 1:6" },
		{ "[\"\\x\"]", "[ an invalid escape at 1:4" },
		{ "[\"\\u12g4\"]", "[ an invalid escape at 1:7" },
		{ "{} {}", "{ } text after the end at 1:4" },
		{ "]", "a value is missing at 1:1" },
		{ "[\n 1,\n  NaN]",
		  "[ d:1 NaN and Infinity are not allowed in JSON at 3:3" },
		{ "[0,\r\n\n Infinity]",
		  "[ d:0 NaN and Infinity are not allowed in JSON at 3:2" },
		{ "\n\n[-Infinity]", "[ an invalid number at 3:3" },
		{ "[\"a\nb\" x]", "[ s:a\nb ',' or ']' is missing at 2:4" },
		{ "\xef\xbbx", "a value is missing at 1:3" },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows));
}

/* A text of many lines and escapes has the same tokens in blocks of any size. */
static void test_blocks(void **state)
{
	struct fg_buf text = FG_BUF_INIT, all = FG_BUF_INIT, tokens = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&text, "{\"list\": [\n");
	for (int i = 0; i < 40; i++)
		fg_buf_addf(&text,
			    "        {\"n%d\": -%d.25e-3, \"long name\\u0041 \\ud83d"
			    "\\ude00 \\\\\": [true, false,null ,\t\"%0*d\\\"\"]},\n",
			    i, i * 12345, i, i);
	fg_buf_addf(&text, "{}], \"end\": \"\"}\n");
	read_in_memory(fg_buf_str(&text), &all);
	assert_true(fg_str_ends(fg_buf_str(&all), FG_STR("{ } ] n:end s: } .")));
	for (size_t size = 1; size < text.len; size++) {
		read_in_blocks(fg_buf_str(&text), size, size, &tokens);
		assert_str_is(fg_buf_str(&tokens), fg_buf_str(&all));
	}
	fg_buf_release(&text);
	fg_buf_release(&all);
	fg_buf_release(&tokens);
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

static void test_values(void **state)
{
	enum fg_json_kind kind;
	struct fg_json j;

	(void)state;
	fg_json_init(&j, FG_STR("[1, \"\", [2], null, {\"a\": {}}, [3]]"));
	assert_true(fg_json_enter(&j, FG_JSON_ARRAY));
	assert_str_is(fg_json_value(&j), FG_STR("1"));
	assert_non_null(fg_json_value(&j).ptr);
	assert_null(fg_json_value(&j).ptr);
	assert_null(fg_json_value(&j).ptr);
	assert_false(fg_json_enter(&j, FG_JSON_ARRAY));
	assert_true(fg_json_enter(&j, FG_JSON_ARRAY));
	assert_true(fg_json_more(&j, &kind));
	assert_int_equal(kind, FG_JSON_NUMBER);
	assert_false(fg_json_more(&j, &kind));
	assert_int_equal(kind, FG_JSON_ARRAY_END);
	assert_false(fg_json_more(&j, &kind));
	assert_int_equal(fg_json_next(&j), FG_JSON_END);
	fg_json_release(&j);
}

static void test_many(void **state)
{
	struct fg_json j;

	(void)state;
	fg_json_init(&j, FG_STR("{} [7]\n8 9\"a\" }"));
	j.many = true;
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), 0);
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), 0);
	assert_str_is(fg_json_value(&j), FG_STR("8"));
	assert_str_is(fg_json_value(&j), FG_STR("9"));
	assert_str_is(fg_json_value(&j), FG_STR("a"));
	assert_int_equal(fg_json_next(&j), FG_JSON_ERROR);
	fg_json_release(&j);
	fg_json_init(&j, FG_STR("{}{} "));
	j.many = true;
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), 0);
	assert_int_equal(fg_json_skip(&j, fg_json_next(&j)), 0);
	assert_int_equal(fg_json_next(&j), FG_JSON_END);
	fg_json_release(&j);
	fg_json_init(&j, FG_STR("1 2"));
	assert_str_is(fg_json_value(&j), FG_STR("1"));
	assert_int_equal(fg_json_next(&j), FG_JSON_ERROR);
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
		cmocka_unit_test(test_depth),  cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_values), cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
