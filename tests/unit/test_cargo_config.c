/* Tests of how cargo-flame reads cargo's configuration: TOML, cfg(...), rustflags. */
#include <string.h>

#include "flame/cargo/cfg.h"
#include "flame/cargo/rustflags.h"
#include "flame/cargo/toml.h"
#include "tests/unit/support/support.h"

/* ---- TOML */

/*
 * Appends the values of a document, each in a line, like `a.b "text"`, or `a.b` for a
 * value that is not a string; "malformed" if reading ended early.
 */
static void list_values(const char *document, struct fg_buf *list)
{
	struct fg_toml t;

	fg_toml_init(&t, fg_str_from(document));
	while (fg_toml_next(&t)) {
		for (size_t i = 0; i < t.key_count; i++) {
			if (i)
				fg_buf_add_char(list, '.');
			fg_buf_add_str(list, t.keys[i]);
		}
		if (t.is_string) {
			fg_buf_add_str(list, FG_STR(" \""));
			fg_buf_add_str(list, t.text);
			fg_buf_add_char(list, '"');
		}
		fg_buf_add_char(list, '\n');
	}
	if (t.malformed)
		fg_buf_add_str(list, FG_STR("malformed\n"));
	fg_toml_release(&t);
}

struct document {
	const char *text;
	const char *want;
};

static void check_documents(const struct document *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct fg_buf list = FG_BUF_INIT;

		list_values(table[i].text, &list);
		assert_str_is(fg_buf_str(&list), fg_str_from(table[i].want));
		fg_buf_release(&list);
	}
}

static void test_toml_keys(void **state)
{
	static const struct document table[] = {
		{ "", "" },
		{ "# a = 1\n\n", "" },
		{ "a = 1", "a\n" },
		{ "\xef\xbb\xbf[t]\r\na = 1\r\n", "t.a\n" },
		{ "[ t . u ]\na . b = 1 # c = 2\n[x]\nd=3", "t.u.a.b\nx.d\n" },
		{ "[t]\n[u]\n[[v]]\na = 1\n[[v]]\n", "v.a\n" },
		{ "[t.'cfg(a = \"b\")'.\"c\\\"d\"]\n'' = 1\n",
		  "t.cfg(a = \"b\").c\"d.\n" },
		{ "t = { a.b = 1, c = { d = 'x' } }\ne = 2\n",
		  "t.a.b\nt.c.d \"x\"\ne\n" },
		{ "t = {}\nu = { a = 1, }\nv = {\n a = 1, # b\n}\n", "u.a\nv.a\n" },
	};

	(void)state;
	check_documents(table, COUNT_OF(table));
}

static void test_toml_values(void **state)
{
	static const struct document table[] = {
		{ "a = 1979-05-27T07:32:00Z\nb = +1_000.5e3\nc = true", "a\nb\nc\n" },
		{ "a = []\nb = [1, 'x', [\"y\"], ]\nc = 1",
		  "a\nb\nb\nb \"x\"\nb\nb \"y\"\nc\n" },
		{ "a = [ # b = 1\n  'x' # c = 2\n  ,\n\n  'y',\n]\nd = 1",
		  "a\na \"x\"\na \"y\"\nd\n" },
		{ "a = [{ b = 'x' }, { b = 'y' }]", "a\na.b \"x\"\na.b \"y\"\n" },
		{ "a = \"\"\nb = ''\nc = 'C:\\x'", "a \"\"\nb \"\"\nc \"C:\\x\"\n" },
		{ "a = \"\\\"\\\\ \\x41\\u00e9\\U0001F600\\e\"",
		  "a \"\"\\ A\xc3\xa9\xf0\x9f\x98\x80\033\"\n" },
		{ "a = '''\nb = 1\n[c]\n'''\nd = 1", "a \"b = 1\n[c]\n\"\nd\n" },
		{ "a = \"\"\"\r\nb = \\\n   \"c\" \"\"\"\"\"\nd = 1",
		  "a \"b = \"c\" \"\"\"\nd\n" },
	};

	(void)state;
	check_documents(table, COUNT_OF(table));
}

static void test_toml_mistakes(void **state)
{
	static const struct document table[] = {
		{ "a = 1\nb\nc = 2", "a\nmalformed\n" },
		{ "a = 'x\nb = 1", "malformed\n" },
		{ "a = \"\\q\"", "malformed\n" },
		{ "a = \"\\u12\"", "malformed\n" },
		{ "a = \"\\", "malformed\n" },
		{ "a = '''x''", "malformed\n" },
		{ "a = ", "malformed\n" },
		{ "[a\nb = 1", "malformed\n" },
		{ "[[a]\nb = 1", "malformed\n" },
		{ "[]\nb = 1", "malformed\n" },
		{ "= 1", "malformed\n" },
		{ "a. = 1", "malformed\n" },
		{ "a = [1", "a\na\nmalformed\n" },
		{ "a = { b = 1", "a.b\nmalformed\n" },
		{ "a = { b = 1 ]", "a.b\nmalformed\n" },
		{ "a = [}", "a\nmalformed\n" },
	};

	(void)state;
	check_documents(table, COUNT_OF(table));
}

/* Brackets cost memory, not stack. */
static void test_toml_is_never_too_deep(void **state)
{
	struct fg_buf document = FG_BUF_INIT, list = FG_BUF_INIT;

	(void)state;
	fg_buf_add_str(&document, FG_STR("a = "));
	for (int i = 0; i < 1000; i++)
		fg_buf_add_str(&document, FG_STR("[{ a = "));
	list_values(fg_buf_cstr(&document), &list);
	assert_true(fg_str_ends(fg_buf_str(&list), FG_STR("malformed\n")));
	fg_buf_release(&document);
	fg_buf_release(&list);
}

static void test_toml_random_bytes(void **state)
{
	struct random random = { 46 };
	struct fg_buf document = FG_BUF_INIT, list = FG_BUF_INIT;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		fg_buf_clear(&document);
		fg_buf_clear(&list);
		random_bytes(&random, &document, random_below(&random, 40),
			     FG_STR("ab.=[]{},#'\"\\ux01\n \t"));
		list_values(fg_buf_cstr(&document), &list);
	}
	fg_buf_release(&document);
	fg_buf_release(&list);
}

/* ---- conditions */

static const char linux_facts[] =
	"debug_assertions\npanic=\"unwind\"\ntarget_arch=\"x86_64\"\n"
	"target_env=\"gnu\"\ntarget_family=\"unix\"\ntarget_feature=\"fxsr\"\n"
	"target_feature=\"sse2\"\ntarget_os=\"linux\"\nunix\n";

static bool holds(const char *condition)
{
	return fg_cfg_holds(fg_str_from(condition), fg_str_from(linux_facts));
}

static void test_conditions_that_hold(void **state)
{
	static const char *const conditions[] = {
		"cfg(unix)",
		" cfg( unix )",
		"cfg(unix,)",
		"cfg(target_os = \"linux\")",
		"cfg(target_os=\"linux\")",
		"cfg(target_feature = \"sse2\")",
		"cfg(not(windows))",
		"cfg(true)",
		"cfg(not(false))",
		"cfg(all())",
		"cfg(all(unix, target_os = \"linux\",))",
		"cfg(any(windows, unix))",
		"cfg(any(unix, windows))",
		"cfg(any(windows, all(unix, not(target_env = \"musl\"))))",
		"cfg(all(any(unix), not(any())))",
		"cfg(not(not(unix)))",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(conditions); i++)
		if (!holds(conditions[i]))
			fail_msg("does not hold: %s", conditions[i]);
}

static void test_conditions_that_do_not_hold(void **state)
{
	static const char *const conditions[] = {
		"cfg(windows)",
		"cfg(not(unix))",
		"cfg(false)",
		"cfg(target_os = \"linu\")",
		"cfg(target_os)",
		"cfg(unix = \"\")",
		"cfg(target = \"linux\")",
		"cfg(any())",
		"cfg(any(windows, target_os = \"macos\"))",
		"cfg(all(unix, windows))",
		"cfg(all(windows, unix))",
		"cfg(not(any(windows, unix)))",
		/* malformed */
		"",
		"unix",
		"cfg(",
		"cfg()",
		"cfg(unix",
		"cfg(unix))",
		"cfg(unix)x",
		"cfg(unix unix)",
		"cfg(unix, unix)",
		"cfg(,unix)",
		"cfg(all(unix,,unix))",
		"cfg(all(,))",
		"cfg(not())",
		"cfg(not(windows, windows))",
		"cfg(every(unix))",
		"cfg(cfg(unix))",
		"cfg(target_os = linux)",
		"cfg(target_os = \"linux)",
		"cfg(target_os == \"linux\")",
		"cfg(\"unix\")",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(conditions); i++)
		if (holds(conditions[i]))
			fail_msg("holds: %s", conditions[i]);
}

/* ---- rustflags */

#define LINUX "x86_64-unknown-linux-gnu"

/* Checks the source of the rustflags in a file for a target of Linux. */
static void check_flags(const char *document, const char *target, const char *want)
{
	struct fg_rustflags r = { .tables = NULL };
	struct fg_str found;

	fg_rustflags_add(&r, fg_str_from(document), FG_STR("/a/config.toml"));
	found = fg_rustflags_for(&r, fg_str_from(target), fg_str_from(linux_facts));
	assert_str_is(found, fg_str_from(want));
	fg_rustflags_release(&r);
}

static void test_rustflags_of_the_target(void **state)
{
	static const char *const documents[] = {
		"[build]\nrustflags = []\n",
		"build.rustflags = \"\"\n",
		"build = { jobs = 1, rustflags = ['-g'] }\n",
		"[target." LINUX "]\nlinker = 'ld'\nrustflags = []\n",
		"[target.'" LINUX "']\n\"rustflags\" = []\n",
		"[target]\n" LINUX ".rustflags = []\n",
		"[target]\n" LINUX " = { rustflags = '-g' }\n",
		"[target.'cfg(unix)']\nrustflags = []\n",
		"[target.\"cfg(target_os = \\\"linux\\\")\"]\nrustflags = []\n",
		"[target.'cfg(windows)']\nrustflags = []\n[build]\nrustflags = []\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(documents); i++)
		check_flags(documents[i], LINUX, "/a/config.toml");
}

static void test_no_rustflags_of_the_target(void **state)
{
	static const char *const documents[] = {
		"",
		"rustflags = []\n",
		"# [build]\n# rustflags = []\n",
		"[profile.release]\nrustflags = []\n",
		"[build]\nrustc = 'rustflags'\nrustdocflags = []\n",
		"[env]\nX = '''\n[build]\nrustflags = []\n'''\n",
		"[env]\nX = \"\"\"\n[build]\nrustflags = []\n\"\"\"\n",
		"[target.wasm32-unknown-unknown]\nrustflags = []\n",
		"[target.'cfg(windows)']\nrustflags = []\n",
		"[target.'cfg(windows)']\nrunner = 'x'\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(documents); i++)
		check_flags(documents[i], LINUX, "");
}

static void test_rustflags_if_the_target_is_not_known(void **state)
{
	(void)state;
	check_flags("[target.wasm32-unknown-unknown]\nrustflags = []\n", "",
		    "/a/config.toml");
	check_flags("[profile.release]\nrustflags = []\n", "", "");
}

static void test_rustflags_of_the_environment(void **state)
{
	static const struct {
		const char *assignment;
		bool found;
	} table[] = {
		{ "CARGO_BUILD_RUSTFLAGS=-g", true },
		{ "CARGO_BUILD_RUSTFLAGS=", false },
		{ "CARGO_BUILD_RUSTDOCFLAGS=-g", false },
		{ "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS=-g", true },
		{ "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS=-g", false },
		{ "RUSTFLAGS=-g", false },
		{ "X", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct fg_rustflags r = { .tables = NULL };
		struct fg_str want = fg_str_from(table[i].assignment);
		struct fg_str found;

		fg_rustflags_add_variable(&r, want);
		found = fg_rustflags_for(&r, FG_STR(LINUX), FG_STR(""));
		want = table[i].found ? fg_str_cut(&want, '=') : FG_STR("");
		assert_str_is(found, want);
		fg_rustflags_release(&r);
	}
}

static void test_the_nearest_build_target_counts(void **state)
{
	struct fg_rustflags r = { .tables = NULL };

	(void)state;
	fg_rustflags_add(&r, FG_STR("[build]\ntarget = ['a', 'b']\n"), FG_STR("x"));
	fg_rustflags_add(&r, FG_STR("[build]\ntarget = 'c'\n"), FG_STR("y"));
	assert_str(r.build_target, "a");
	fg_rustflags_release(&r);
}

static void test_included_files_are_read_once(void **state)
{
	struct fg_rustflags r = { .tables = NULL };

	(void)state;
	fg_rustflags_add(&r, FG_STR("include = ['b.toml', '../c.toml', 'b.toml']\n"),
			 FG_STR("/a/config.toml"));
	fg_rustflags_add(&r, FG_STR("include = [{ path = '/d', optional = true }]\n"),
			 FG_STR("/a/b.toml"));
	fg_rustflags_add(&r, FG_STR("include = 'b.toml'\n"), FG_STR("/a/c.toml"));
	assert_int_equal(r.file_count, 3);
	assert_str(r.files[0], "/a/b.toml");
	assert_str(r.files[1], "/a/../c.toml");
	assert_str(r.files[2], "/d");
	fg_rustflags_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_toml_keys),
		cmocka_unit_test(test_toml_values),
		cmocka_unit_test(test_toml_mistakes),
		cmocka_unit_test(test_toml_is_never_too_deep),
		cmocka_unit_test(test_toml_random_bytes),
		cmocka_unit_test(test_conditions_that_hold),
		cmocka_unit_test(test_conditions_that_do_not_hold),
		cmocka_unit_test(test_rustflags_of_the_target),
		cmocka_unit_test(test_no_rustflags_of_the_target),
		cmocka_unit_test(test_rustflags_if_the_target_is_not_known),
		cmocka_unit_test(test_rustflags_of_the_environment),
		cmocka_unit_test(test_the_nearest_build_target_counts),
		cmocka_unit_test(test_included_files_are_read_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
