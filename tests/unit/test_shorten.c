/*
 * Tests of lib/profile/shorten: the lines of tests/data/shorten.tsv, and random names.
 */
#include "lib/profile/shorten.h"

#include "lib/base/reader.h"
#include "lib/base/utf8.h"
#include "tests/unit/support/support.h"

static enum fg_shorten language(struct fg_str name)
{
	int i = 0;

	while (fg_shorten_names[i] &&
	       !fg_str_eq(name, fg_str_from(fg_shorten_names[i])))
		i++;
	assert_non_null(fg_shorten_names[i]);
	return (enum fg_shorten)i;
}

/* Returns true if the label is the one in the line. Else prints both. */
static bool check_line(struct fg_str line)
{
	enum fg_shorten how = language(fg_str_cut(&line, '\t'));
	struct fg_buf work = FG_BUF_INIT, got = FG_BUF_INIT;
	struct fg_label label;
	struct fg_str name;
	uint64_t room;
	bool same;

	assert_int_equal(fg_str_u64(fg_str_cut(&line, '\t'), &room), 0);
	name = fg_str_cut(&line, '\t');
	label = fg_shorten(name, (size_t)room, how, &work);
	fg_buf_add_str(&got, label.text);
	if (label.cut)
		fg_buf_add_str(&got, FG_STR(".."));
	same = fg_str_eq(fg_buf_str(&got), line);
	if (!same)
		print_error("%.*s in %d: %s\n", (int)name.len, name.ptr, (int)room,
			    fg_buf_cstr(&got));
	fg_buf_release(&work);
	fg_buf_release(&got);
	return same;
}

static void table(void **state)
{
	const char *file = "tests/data/shorten.tsv";
	struct caught caught;
	struct fg_reader *reader;
	struct fg_str line;
	struct fg_place at;
	size_t wrong = 0, count = 0;

	(void)state;
	caught_init(&caught);
	reader = fg_reader_open(&file, 1, &caught.diag);
	while (fg_reader_line(reader, &line, &at) > 0) {
		if (line.ptr[0] == '#')
			continue;
		wrong += !check_line(line);
		count++;
	}
	fg_reader_close(reader);
	caught_release(&caught);
	assert_true(count > 50);
	assert_int_equal(wrong, 0);
}

/* The label of any name fits and consists of the name's bytes. */
static void labels_of_any_name_fit(void **state)
{
	static const struct fg_str alphabet =
		FG_STR_INIT("ab:::<<>>(())[]{}./ -*&operator as h0\xc3\xa4\xff");
	struct fg_buf name = FG_BUF_INIT, work = FG_BUF_INIT;
	struct random r = { 11 };

	(void)state;
	for (int i = 0; i < 50000; i++) {
		enum fg_shorten how = (enum fg_shorten)(i % (FG_SHORTEN_JAVA + 1));
		size_t room = 3 + random_below(&r, 20);
		struct fg_label label;

		fg_buf_clear(&name);
		random_bytes(&r, &name, 1 + random_below(&r, 60), alphabet);
		label = fg_shorten(fg_buf_str(&name), room, how, &work);
		assert_true(fg_utf8_columns(label.text) + 2 * label.cut <= room);
		assert_true(label.text.len > 0);
	}
	fg_buf_release(&name);
	fg_buf_release(&work);
}

/* Time is linear in the length of the name: a megabyte takes no time. */
static void long_names(void **state)
{
	static const char *const parts[] = { "(",
					     "<",
					     "[",
					     "::",
					     ":",
					     "<>",
					     "(anonymous namespace)::",
					     "operator",
					     "<a as b>::",
					     "a::",
					     "()",
					     "<(",
					     "[<" };
	struct fg_buf name = FG_BUF_INIT, work = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		fg_buf_clear(&name);
		while (name.len < 300000)
			fg_buf_add_str(&name, fg_str_from(parts[i]));
		fg_buf_add_str(&name, FG_STR("<x"));
		for (enum fg_shorten how = FG_SHORTEN_CXX; how <= FG_SHORTEN_JAVA;
		     how++)
			fg_shorten(fg_buf_str(&name), 10, how, &work);
	}
	fg_buf_release(&name);
	fg_buf_release(&work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(labels_of_any_name_fit),
		cmocka_unit_test(long_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
