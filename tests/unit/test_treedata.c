/*
 * Tests of lib/svg/treedata and lib/profile/treelines: round trips, and hostile bytes.
 */
#include <stdlib.h>

#include "lib/svg/treedata.h"
#include "lib/profile/tree.h"
#include "lib/profile/treelines.h"
#include "tests/unit/support/support.h"

static void make_tree(struct fg_tree *t, enum fg_tree_order order, struct fg_str text)
{
	fg_tree_init(t, order);
	while (text.len) {
		struct fg_folded line;
		struct fg_str rest = fg_str_cut(&text, '\n');

		if (fg_folded_parse(rest, &line) == FG_FOLDED_STACK)
			assert_int_equal(fg_tree_add(t, &line), 0);
	}
	fg_tree_finish(t);
}

static void write_lines(const struct fg_tree *t, struct fg_buf *text)
{
	struct fg_treelines lines;

	fg_treelines_init(&lines, t);
	while (fg_treelines_next(&lines, text) > 0)
		;
	fg_treelines_release(&lines);
}

/*
 * Like fg_treedata_read(). Checks that a failure is reported once and contains `why`.
 */
static int read_data(struct fg_str bytes, struct fg_tree *t, const char *why)
{
	const struct fg_place at = { "a.svg", 0 };
	struct caught caught;
	int status;

	caught_init(&caught);
	status = fg_treedata_read(bytes, t, &at, &caught.diag);
	assert_int_equal(caught.diag.errors, status ? 1 : 0);
	if (status)
		assert_has(fg_buf_str(&caught.text), why);
	caught_release(&caught);
	return status;
}

/* Writes the tree as data, reads it back, and gives the lines of the result. */
static void there_and_back(const struct fg_tree *t, uint64_t min, struct fg_buf *text)
{
	struct fg_treedata data = { .tree = t, .min = min };
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_tree again;
	size_t frames = fg_treedata_write(&data, &bytes);

	assert_int_equal(read_data(fg_buf_str(&bytes), &again, ""), 0);
	assert_int_equal(again.count, frames);
	assert_int_equal(again.total, t->total);
	assert_int_equal(again.nodes[0].total, t->total);
	assert_int_equal(again.order, t->order);
	write_lines(&again, text);
	fg_tree_release(&again);
	fg_buf_release(&bytes);
}

struct sample {
	enum fg_tree_order order;
	struct fg_str text;
	struct fg_str want; /* empty: the text as it is */
};

static const struct sample samples[] = {
	{ FG_TREE_SORTED, FG_STR_INIT("a 1\na b 2\na;b 3\nb;c;d 4\n"), { NULL, 0 } },
	{ FG_TREE_SORTED, FG_STR_INIT(" 7\n;;b 2\n;a 1\na;;b 3\n"), { NULL, 0 } },
	{ FG_TREE_SORTED, FG_STR_INIT("a;b 5\na;b 6\na;b;; 7\n"),
	  FG_STR_INIT("a;b 18\n") },
	{ FG_TREE_SORTED, FG_STR_INIT("a;b 0\na 0\n"), FG_STR_INIT("a;b 0\n") },
	{ FG_TREE_SORTED, FG_STR_INIT("a 1.5\nb 2.25\nc 3\n"), { NULL, 0 } },
	{ FG_TREE_SORTED, FG_STR_INIT("a 18446744073709551615\n"), { NULL, 0 } },
	{ FG_TREE_SORTED,
	  FG_STR_INIT("a\xff\xe0;\t\t 1000\nb\"<&> 3000\n"),
	  { NULL, 0 } },
	{ FG_TREE_SORTED, FG_STR_INIT("a;b 3 0\na;c 0 4\nd 12 12\n"), { NULL, 0 } },
	{ FG_TREE_SORTED, FG_STR_INIT("a;b 3.5 0\na 0 0.25\nb 7\n"),
	  FG_STR_INIT("a 0 0.25\na;b 3.5 0\nb 0 7\n") },
	{ FG_TREE_INPUT,
	  FG_STR_INIT("a;b 1\na 2\na;b 3\nc 4\na 5\n 6\n"),
	  { NULL, 0 } },
	{ FG_TREE_INPUT, FG_STR_INIT("b 1\na;x 2\na;x 2\nb 1\n"),
	  FG_STR_INIT("b 1\na;x 4\nb 1\n") },
	{ FG_TREE_INPUT, FG_STR_INIT("a;b 1\na 0\na;b 3\nc 0\n"), { NULL, 0 } },
	{ FG_TREE_INPUT, FG_STR_INIT("a;b 1 2\na 3 4\na;b 5 6\na 7 8\n"),
	  FG_STR_INIT("a;b 1 2\na 10 4\na;b 5 6\na 0 8\n") },
};

/* Stacks of one frame that look like comments are read back. */
static const struct sample comments[] = {
	{ FG_TREE_SORTED, FG_STR_INIT("# a: b; 5\n"), { NULL, 0 } },
	{ FG_TREE_SORTED, FG_STR_INIT("# a:; 5 6\n"), { NULL, 0 } },
	{ FG_TREE_INPUT, FG_STR_INIT("# a: b;c 5\n"), { NULL, 0 } },
};

static void test_names_like_comments(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(comments); i++) {
		struct fg_buf text = FG_BUF_INIT;
		struct fg_tree t;

		make_tree(&t, comments[i].order, comments[i].text);
		write_lines(&t, &text);
		assert_str_is(fg_buf_str(&text), comments[i].text);
		fg_buf_release(&text);
		fg_tree_release(&t);
	}
}

static void test_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(samples); i++) {
		struct fg_str want = samples[i].want;
		struct fg_buf text = FG_BUF_INIT;
		struct fg_tree t;

		make_tree(&t, samples[i].order, samples[i].text);
		there_and_back(&t, 0, &text);
		assert_str_is(fg_buf_str(&text), want.len ? want : samples[i].text);
		fg_buf_release(&text);
		fg_tree_release(&t);
	}
}

/* Names that end like a count are not mistaken for one. */
static void test_names_like_counts(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_tree t, again;

	(void)state;
	make_tree(&t, FG_TREE_SORTED, FG_STR("x;Thread 7; 5\nx 3.; 1\n9 1\n"));
	there_and_back(&t, 0, &text);
	assert_str(fg_buf_str(&text), "9 1\nx 3.; 1\nx;Thread 7; 5\n");
	make_tree(&again, FG_TREE_SORTED, fg_buf_str(&text));
	assert_null(again.before);
	assert_int_equal(again.count, t.count);
	fg_tree_release(&again);
	fg_tree_release(&t);
	fg_buf_release(&text);
}

#define LINES_MAX 60

static void make_lines(struct random *random, struct fg_buf *text, unsigned columns)
{
	static const char *const names[] = {
		"a", "a-b", "a b", "ab", "", "b!", "a\xff"
	};

	for (size_t i = random_below(random, LINES_MAX); i > 0; i--) {
		for (size_t depth = random_below(random, 6); depth > 0; depth--)
			fg_buf_addf(text, "%s%s", names[random_below(random, 7)],
				    depth > 1 ? ";" : "");
		for (unsigned column = 0; column < columns; column++)
			fg_buf_addf(text, " %u", (unsigned)random_below(random, 40));
		fg_buf_add_char(text, '\n');
	}
}

struct summed {
	struct fg_str stack;
	uint64_t sum[2];
};

static int compare_stacks(const void *a, const void *b)
{
	return fg_str_cmp(((const struct summed *)a)->stack,
			  ((const struct summed *)b)->stack);
}

/* Sorts the lines and adds up those of one stack. */
static void sum_up(struct fg_str text, unsigned columns, struct fg_buf *want)
{
	struct summed stacks[LINES_MAX];
	size_t count = 0;

	while (text.len) {
		struct fg_folded line;
		size_t at = 0;

		if (fg_folded_parse(fg_str_cut(&text, '\n'), &line) != FG_FOLDED_STACK)
			continue;
		while (fg_str_ends(line.stack, FG_STR(";")))
			line.stack.len--;
		while (at < count && !fg_str_eq(stacks[at].stack, line.stack))
			at++;
		if (at == count)
			stacks[count++] = (struct summed){ line.stack, { 0, 0 } };
		for (unsigned column = 0; column < columns; column++)
			stacks[at].sum[column] += line.count[column].digits;
	}
	qsort(stacks, count, sizeof(*stacks), compare_stacks);
	for (size_t i = 0; i < count; i++) {
		fg_buf_add_str(want, stacks[i].stack);
		for (unsigned column = 0; column < columns; column++)
			fg_buf_addf(want, " %u", (unsigned)stacks[i].sum[column]);
		fg_buf_add_char(want, '\n');
	}
}

/* Drops lines with a count of 0: a frame with children needs none. */
static void drop_zeros(struct fg_buf *text)
{
	struct fg_str rest = fg_buf_str(text);
	struct fg_buf kept = FG_BUF_INIT;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		struct fg_folded folded;

		fg_folded_parse(line, &folded);
		if (!folded.count[0].digits &&
		    (folded.columns == 1 || !folded.count[1].digits))
			continue;
		fg_buf_add_str(&kept, line);
		fg_buf_add_char(&kept, '\n');
	}
	fg_buf_release(text);
	*text = kept;
}

static void test_random_profiles(void **state)
{
	struct random random = { 42 };

	(void)state;
	for (unsigned run = 0; run < 400; run++) {
		struct fg_buf in = FG_BUF_INIT, out = FG_BUF_INIT;
		struct fg_buf want = FG_BUF_INIT;
		unsigned columns = 1 + run % 2;
		struct fg_tree t;

		make_lines(&random, &in, columns);
		make_tree(&t, FG_TREE_SORTED, fg_buf_str(&in));
		there_and_back(&t, 0, &out);
		sum_up(fg_buf_str(&in), columns, &want);
		drop_zeros(&out);
		drop_zeros(&want);
		assert_str_is(fg_buf_str(&out), fg_buf_str(&want));
		fg_tree_release(&t);
		fg_buf_release(&in);
		fg_buf_release(&out);
		fg_buf_release(&want);
	}
}

/* The lines of a chart make the same chart. */
static void test_random_charts(void **state)
{
	struct random random = { 43 };

	(void)state;
	for (unsigned run = 0; run < 400; run++) {
		struct fg_buf in = FG_BUF_INIT, one = FG_BUF_INIT;
		struct fg_buf two = FG_BUF_INIT;
		struct fg_tree t, again;

		make_lines(&random, &in, 1 + run % 2);
		make_tree(&t, FG_TREE_INPUT, fg_buf_str(&in));
		there_and_back(&t, 0, &one);
		make_tree(&again, FG_TREE_INPUT, fg_buf_str(&one));
		assert_int_equal(again.count, t.count);
		assert_int_equal(again.total, t.total);
		for (size_t i = 0; i < t.count; i++) {
			assert_int_equal(again.starts[i], t.starts[i]);
			assert_int_equal(again.nodes[i].self, t.nodes[i].self);
			assert_int_equal(again.nodes[i].parent, t.nodes[i].parent);
		}
		there_and_back(&again, 0, &two);
		assert_str_is(fg_buf_str(&two), fg_buf_str(&one));
		fg_tree_release(&t);
		fg_tree_release(&again);
		fg_buf_release(&in);
		fg_buf_release(&one);
		fg_buf_release(&two);
	}
}

/* Frames that are left out become the parent's own counts, before and after. */
static void test_threshold(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_tree t;

	(void)state;
	make_tree(&t, FG_TREE_SORTED,
		  FG_STR("a;b;c 3 2\na;b;d 1 5\na;e 9 1\na 1 1\nf 7 2\n"));
	there_and_back(&t, 5, &text);
	assert_str(fg_buf_str(&text), " 7 2\na 10 2\na;b 3 2\na;b;d 1 5\n");
	fg_buf_clear(&text);
	there_and_back(&t, 1000, &text);
	assert_str(fg_buf_str(&text), " 21 11\n");
	fg_tree_release(&t);
	fg_buf_clear(&text);
	make_tree(&t, FG_TREE_INPUT, FG_STR("a;b 1\na;c 9\na 2\na;d 1\na;e 8\n"));
	there_and_back(&t, 5, &text);
	assert_str(fg_buf_str(&text), "a 1\na;c 9\na 3\na;e 8\n");
	fg_tree_release(&t);
	fg_buf_release(&text);
}

/* A frequent name gets a number of one byte, even if it first appears late. */
static void test_frequent_name(void **state)
{
	struct fg_buf text = FG_BUF_INIT, bytes = FG_BUF_INIT;
	struct fg_treedata data = { .tree = NULL };
	struct fg_tree t;

	(void)state;
	for (unsigned i = 0; i < 300; i++)
		fg_buf_addf(&text, "name%03u;%s 1\n", i, i < 200 ? "x" : "often");
	make_tree(&t, FG_TREE_SORTED, fg_buf_str(&text));
	data.tree = &t;
	fg_treedata_write(&data, &bytes);
	assert_true(fg_str_has(fg_buf_str(&bytes), FG_STR("x\noften\nname000\n")));
	fg_tree_release(&t);
	fg_buf_release(&text);
	fg_buf_release(&bytes);
}

static void test_unit_and_colours(void **state)
{
	static const struct fg_treedata_colour colours[] = {
		{ { 0, 0, 0 } }, { { 1, 2, 3 } }, { { 255, 254, 253 } }, { { 1, 2, 3 } }
	};
	struct fg_treedata data = { .colours = colours };
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_tree t, again;

	(void)state;
	make_tree(&t, FG_TREE_SORTED, FG_STR("a;b 4000000\nc 6000000\n"));
	data.tree = &t;
	fg_treedata_write(&data, &bytes);
	assert_str_is(fg_buf_str(&bytes),
		      FG_STR("fgd1\x04\x00\x80\x89\x7a\x03\x06"
			     "a\nb\nc\n\x02\x01\x02\x03\xff\xfe\xfd\x00\x01\x00"
			     "\x04\x00\x00\x02\x00\x01\x02\x00\x00\x02\x03"));
	assert_int_equal(read_data(fg_buf_str(&bytes), &again, ""), 0);
	assert_int_equal(again.total, 10000000);
	fg_tree_release(&t);
	fg_tree_release(&again);
	fg_buf_release(&bytes);
}

/* Counts may have so many decimals. */
static void test_most_decimals(void **state)
{
	const struct fg_place at = { "x.svg", 0 };
	struct fg_tree tree;
	struct caught c;

	(void)state;
	caught_init(&c);
	assert_int_equal(
		fg_treedata_read(FG_STR("fgd1\0\x09\1\0\0\1\5"), &tree, &at, &c.diag),
		0);
	assert_int_equal(tree.decimals, FG_COUNT_DECIMALS_MAX);
	assert_int_equal(tree.total, 5);
	assert_str(fg_buf_str(&c.text), "");
	fg_tree_release(&tree);
	caught_release(&c);
}

struct wrong {
	struct fg_str bytes;
	const char *why;
};

#define MAX "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"

static const struct wrong wrong[] = {
	{ FG_STR_INIT(""), "first bytes are wrong" },
	{ FG_STR_INIT("fgd2\0\0\1"), "first bytes are wrong" },
	{ FG_STR_INIT("fgd1"), "end early" },
	{ FG_STR_INIT("fgd1\x08\0\1\0\0\1\0"), "newer version" },
	{ FG_STR_INIT("fgd1\0\x0a\1\0\0\1\0"), "decimals" },
	{ FG_STR_INIT("fgd1\0\0\0\0\0\1\0"), "unit is 0" },
	{ FG_STR_INIT("fgd1\0\0\1" MAX "\0\1\0"), "end early" },
	{ FG_STR_INIT("fgd1\0\0\1\1" MAX "a\n\1\0"), "end early" },
	{ FG_STR_INIT("fgd1\0\0\1\2\2a\n\1\0"), "the number of names is wrong" },
	{ FG_STR_INIT("fgd1\0\0\1\1\4a\nb\n\1\0"), "the number of names is wrong" },
	{ FG_STR_INIT("fgd1\0\0\1\1\2ab\1\0"), "the number of names is wrong" },
	{ FG_STR_INIT("fgd1\0\0\1\1\4a;b\n\1\0"), "has a ';'" },
	{ FG_STR_INIT("fgd1\4\0\1\0\0\7\1\1\1\1\0"), "end early" },
	{ FG_STR_INIT("fgd1\4\0\1\1\2a\n\1rgb\1\1\0"), "a colour that does not exist" },
	{ FG_STR_INIT("fgd1\0\0\1\0\0\0"), "no frames" },
	{ FG_STR_INIT("fgd1\0\0\1\0\0" MAX "\0"), "end early" },
	{ FG_STR_INIT("fgd1\0\0\1\1\2a\n\2\1\0\0\0"), "no parent" },
	{ FG_STR_INIT("fgd1\0\0\1\1\2a\n\3\0\2\0\0\0\0\0"), "no parent" },
	{ FG_STR_INIT("fgd1\0\0\1\1\2a\n\2\0\1\0\0"), "no name" },
	{ FG_STR_INIT("fgd1\0\0\1\0\0\2\0\0\0\0"), "no name" },
	{ FG_STR_INIT("fgd1\0\0\1\1\2a\n\2\0\0" MAX "\1"), "exceeds 2^64-1" },
	{ FG_STR_INIT("fgd1\0\0\2\0\0\1" MAX), "exceeds 2^64-1" },
	{ FG_STR_INIT("fgd1\1\0\1\1\2a\n\2\0\0\0\1" MAX "\1"), "exceeds 2^64-1" },
	{ FG_STR_INIT("fgd1\0\0\1\0\0\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
	  "above 2^64-1" },
	{ FG_STR_INIT("fgd1\0\0\1\1\2a\n\2\0\0\0"), "end early" },
	{ FG_STR_INIT("fgd1\0\0\1\0\0\1\0x"), "follow after their end" },
	{ FG_STR_INIT("fgd1\2\0\1\1\2a\n\2\0\0\5\7\6"), "beyond its parent" },
	{ FG_STR_INIT("fgd1\2\0\1\1\2a\n\3\0\1\0\0\5\7\7\5\1"), "beyond its parent" },
	{ FG_STR_INIT("fgd1\2\0\1\1\2a\n\2\0\0\5\7" MAX), "beyond its parent" },
};

static void test_hostile_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct fg_tree t;

		assert_int_equal(read_data(wrong[i].bytes, &t, wrong[i].why), -1);
		fg_tree_release(&t);
	}
}

/* Good data with a changed byte or a cut are either read or refused. */
static void test_damaged_bytes(void **state)
{
	struct fg_treedata data = { .min = 0 };
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_tree t;

	(void)state;
	make_tree(&t, FG_TREE_INPUT, FG_STR("a;b 300 2\na;c 5 7\na;b;c 9 900\n"));
	data.tree = &t;
	fg_treedata_write(&data, &bytes);
	for (size_t i = 0; i < bytes.len; i++) {
		struct fg_tree again;

		assert_int_equal(read_data(fg_str_of(bytes.ptr, i), &again, "damaged"),
				 -1);
		fg_tree_release(&again);
		for (unsigned bit = 0; bit < 8; bit++) {
			bytes.ptr[i] = (char)(bytes.ptr[i] ^ 1 << bit);
			read_data(fg_buf_str(&bytes), &again, "");
			fg_tree_release(&again);
			bytes.ptr[i] = (char)(bytes.ptr[i] ^ 1 << bit);
		}
	}
	fg_tree_release(&t);
	fg_buf_release(&bytes);
}

/* A stack of 100,000 frames is no problem. */
static void test_deep(void **state)
{
	struct fg_buf line = FG_BUF_INIT, bytes = FG_BUF_INIT;
	struct fg_treedata data = { .min = 0 };
	struct fg_tree t, again;

	(void)state;
	for (size_t i = 0; i < 100000; i++)
		fg_buf_add_str(&line, FG_STR("f;"));
	fg_buf_add_str(&line, FG_STR("g 1\n"));
	make_tree(&t, FG_TREE_SORTED, fg_buf_str(&line));
	data.tree = &t;
	fg_treedata_write(&data, &bytes);
	assert_int_equal(read_data(fg_buf_str(&bytes), &again, ""), 0);
	assert_int_equal(again.count, 100002);
	assert_int_equal(again.total, 1);
	fg_tree_release(&t);
	fg_tree_release(&again);
	fg_buf_release(&line);
	fg_buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_names_like_comments),
		cmocka_unit_test(test_names_like_counts),
		cmocka_unit_test(test_random_profiles),
		cmocka_unit_test(test_random_charts),
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_frequent_name),
		cmocka_unit_test(test_unit_and_colours),
		cmocka_unit_test(test_most_decimals),
		cmocka_unit_test(test_hostile_bytes),
		cmocka_unit_test(test_damaged_bytes),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
