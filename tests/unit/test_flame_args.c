/* Tests of flame's lists of arguments, their quotation, and our programs. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flame/args.h"
#include "flame/own.h"
#include "flame/quote.h"
#include "lib/base/child.h"
#include "tests/unit/support/support.h"

/* Appends the words, each in angle brackets. */
static void show(const struct fg_args *a, struct fg_buf *text)
{
	for (size_t i = 0; i < a->count; i++)
		fg_buf_addf(text, "<%s>", a->items[i]);
	assert_null(a->items ? a->items[a->count] : NULL);
}

/* Appends the words that a shell makes of a command, in angle brackets. */
static void show_by_shell(const char *command, struct fg_buf *text)
{
	const char *args[] = { "sh", "-c", NULL, NULL };
	const struct fg_ask ask = { .args = args };
	struct fg_buf script = FG_BUF_INIT;

	fg_buf_addf(&script, "for word in %s\ndo printf '<%%s>' \"$word\"; done",
		    command);
	args[2] = fg_buf_cstr(&script);
	assert_int_equal(fg_ask(&ask, text), 0);
	fg_buf_release(&script);
}

static void test_words_of_a_command(void **state)
{
	static const struct {
		const char *command;
		const char *want; /* NULL: only a shell understands it */
	} table[] = {
		{ "", "" },
		{ " \t ", "" },
		{ "a b  c\t", "<a><b><c>" },
		{ "./new \"y  z\" ''", "<./new><y  z><>" },
		{ "a'b c'\"d\"\\ e", "<ab cd e>" },
		{ "'a|b;$x' \"*\"", "<a|b;$x><*>" },
		{ "\"a\\\"b\\\\c\\d\"", "<a\"b\\c\\d>" },
		{ "'\\'", "<\\>" },
		{ "a | b", NULL },
		{ "a $x", NULL },
		{ "\"$x\"", NULL },
		{ "\"`x`\"", NULL },
		{ "a *", NULL },
		{ "a\nb", NULL },
		{ "X=1 a", NULL },
		{ "~/a", NULL },
		{ "a # b", NULL },
		{ "a 'b", NULL },
		{ "a \"b", NULL },
		{ "a \\", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct fg_args a = FG_ARGS_INIT;
		struct fg_buf text = FG_BUF_INIT;

		assert_int_equal(fg_args_parse(&a, table[i].command), !!table[i].want);
		show(&a, &text);
		assert_str_is(fg_buf_str(&text), fg_str_from(table[i].want));
		fg_buf_release(&text);
		fg_args_release(&a);
	}
}

static void test_words_are_those_of_a_shell(void **state)
{
	struct random r = { 7 };
	struct fg_buf command = FG_BUF_INIT;

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct fg_buf ours = FG_BUF_INIT, theirs = FG_BUF_INIT;
		struct fg_args a = FG_ARGS_INIT;

		fg_buf_clear(&command);
		random_bytes(&r, &command, random_below(&r, 12),
			     FG_STR("ab '\"\\ -/\t%"));
		if (fg_args_parse(&a, fg_buf_cstr(&command))) {
			show(&a, &ours);
			show_by_shell(fg_buf_cstr(&command), &theirs);
			assert_str_is(fg_buf_str(&ours), fg_buf_str(&theirs));
		}
		fg_args_release(&a);
		fg_buf_release(&ours);
		fg_buf_release(&theirs);
	}
	fg_buf_release(&command);
}

static void test_split(void **state)
{
	struct fg_args a = FG_ARGS_INIT;
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	fg_args_addf(&a, "-%c%d", 'F', 997);
	fg_args_split(&a, "  record -e 'a\tb\n c  ");
	fg_args_split(&a, "");
	fg_args_add_all(&a, (const char *const[]){ "x", "", "y" }, 2);
	show(&a, &text);
	assert_str(fg_buf_str(&text), "<-F997><record><-e><'a><b><c><x><>");
	fg_buf_release(&text);
	fg_args_release(&a);
}

static void test_quotation(void **state)
{
	static const struct {
		const char *word;
		const char *want;
	} table[] = {
		{ "a", "a" },
		{ "-F", "-F" },
		{ "./a/b:c=@%+,-1_", "./a/b:c=@%+,-1_" },
		{ "", "''" },
		{ "a b", "'a b'" },
		{ "it's", "'it'\\''s'" },
		{ "$(x)", "'$(x)'" },
		{ "~", "'~'" },
		{ "\303\251", "'\303\251'" },
	};
	static const char *const words[] = { "a", "", "b c" };
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		fg_buf_clear(&text);
		fg_quote(&text, table[i].word);
		assert_str_is(fg_buf_str(&text), fg_str_from(table[i].want));
	}
	fg_buf_clear(&text);
	fg_quote_all(&text, words, COUNT_OF(words));
	assert_str(fg_buf_str(&text), "a '' 'b c'");
	fg_buf_release(&text);
}

static void test_a_shell_reads_what_is_quoted(void **state)
{
	struct random r = { 5 };

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct fg_buf word = FG_BUF_INIT, quoted = FG_BUF_INIT;
		struct fg_buf want = FG_BUF_INIT, got = FG_BUF_INIT;

		random_bytes(&r, &word, random_below(&r, 9),
			     FG_STR("a\"'\\ $`!#~*?[{(|&;<>\n\t\r=-\377"));
		fg_quote(&quoted, fg_buf_cstr(&word));
		fg_buf_addf(&want, "<%s>", fg_buf_cstr(&word));
		show_by_shell(fg_buf_cstr(&quoted), &got);
		assert_str_is(fg_buf_str(&got), fg_buf_str(&want));
		fg_buf_release(&word);
		fg_buf_release(&quoted);
		fg_buf_release(&want);
		fg_buf_release(&got);
	}
}

static void make_program(struct folder *f, const char *name, const char *text)
{
	assert_int_equal(chmod(folder_write(f, name, fg_str_from(text)), 0755), 0);
}

static void test_programs_are_found(void **state)
{
	struct fg_buf path = FG_BUF_INIT, want = FG_BUF_INIT, old = FG_BUF_INIT;
	struct folder foreign, ours;
	struct caught c;

	(void)state;
	caught_init(&c);
	folder_init(&foreign);
	folder_init(&ours);
	make_program(&foreign, "some-filter", "#!/bin/sh\necho some-filter 0.6\n");
	make_program(&ours, "some-filter",
		     "#!/bin/sh\necho 'some-filter (flamepipe) 1.0'\n");
	folder_write(&foreign, "no-program", FG_STR("text"));
	fg_buf_addf(&old, "%s", getenv("PATH"));
	fg_buf_addf(&path, "%s::%s:%s", foreign.path, ours.path, fg_buf_cstr(&old));
	assert_int_equal(setenv("PATH", fg_buf_cstr(&path), 1), 0);

	fg_buf_clear(&path);
	assert_true(fg_find_program("some-filter", &path));
	fg_buf_addf(&want, "%s/some-filter", foreign.path);
	assert_str_is(fg_buf_str(&path), fg_buf_str(&want));
	assert_true(fg_is_on_path(fg_buf_cstr(&path)));

	fg_buf_clear(&path);
	assert_int_equal(fg_find_own("some-filter", &path, &c.diag), 0);
	fg_buf_clear(&want);
	fg_buf_addf(&want, "%s/some-filter", ours.path);
	assert_str_is(fg_buf_str(&path), fg_buf_str(&want));
	assert_false(fg_is_on_path(fg_buf_cstr(&path)));

	fg_buf_clear(&path);
	assert_false(fg_find_program("no-program", &path));
	assert_false(fg_find_program("", &path));
	assert_false(fg_find_program("./no-such-file", &path));
	assert_int_equal(path.len, 0);
	assert_int_equal(fg_find_own("no-program", &path, &c.diag), -1);
	assert_has(fg_buf_str(&c.text), "no-program of flamepipe is neither in /");
	assert_true(fg_find_program(foreign.path, &path));

	setenv("PATH", fg_buf_cstr(&old), 1);
	fg_buf_release(&path);
	fg_buf_release(&want);
	fg_buf_release(&old);
	folder_release(&foreign);
	folder_release(&ours);
	caught_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_of_a_command),
		cmocka_unit_test(test_words_are_those_of_a_shell),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_quotation),
		cmocka_unit_test(test_a_shell_reads_what_is_quoted),
		cmocka_unit_test(test_programs_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
