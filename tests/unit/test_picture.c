/* Tests of lib/svg/picture: trees from the positions of frames in a picture. */
#include "lib/svg/picture.h"

#include <stdlib.h>

#include "tests/unit/support/support.h"

/* A frame. Its numbers are texts; NULL means that the picture does not tell. */
struct drawn {
	const char *name;
	double x, y, width;
	const char *count, *start, *before;
};

enum { MOST = 8 };

struct scene {
	struct drawn frames[MOST]; /* up to the first without a name */
	enum fg_tree_order order;
	bool depth_first;
	/* "NAME TOTAL@START" of each node, with a space for each level of its depth. */
	const char *want;
};

static void set(const char *text, struct fg_count *count, bool *has)
{
	*has = text != NULL;
	if (text)
		assert_int_equal(fg_count_parse(fg_str_from(text), count), 0);
}

static void draw(struct fg_picture *p, const struct scene *s)
{
	fg_picture_init(p);
	p->order = s->order;
	p->depth_first = s->depth_first;
	for (const struct drawn *d = s->frames; d < s->frames + MOST && d->name; d++) {
		struct fg_picture_frame f = { .x = d->x, .y = d->y, .width = d->width };

		set(d->count, &f.count, &f.has_count);
		set(d->start, &f.start, &f.has_start);
		set(d->before, &f.before, &f.has_before);
		fg_picture_add(p, fg_str_from(d->name), &f);
	}
}

static void dump(const struct fg_tree *t, struct fg_buf *text)
{
	uint64_t *before = t->before ? fg_tree_sums_before(t) : NULL;
	struct fg_tree_starts starts = { NULL, 0 };
	unsigned depth = 0;

	for (uint32_t n = 0; n != FG_TREE_NONE; n = fg_tree_walk(t, n, true, &depth)) {
		uint64_t start = fg_tree_start(&starts, t, n, depth);

		for (unsigned i = 0; i < depth; i++)
			fg_buf_add_char(text, ' ');
		if (n)
			fg_buf_add_str(text,
				       fg_intern_name(&t->names, t->nodes[n].name));
		fg_buf_addf(text, " %llu@%llu", (unsigned long long)t->nodes[n].total,
			    (unsigned long long)start);
		if (before)
			fg_buf_addf(text, " was %llu", (unsigned long long)before[n]);
		fg_buf_add_char(text, '\n');
	}
	free(before);
	free(starts.at);
}

static void check(const struct scene *scenes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct fg_buf text = FG_BUF_INIT;
		struct fg_picture p;
		struct fg_tree tree;
		struct caught caught;

		draw(&p, &scenes[i]);
		caught_init(&caught);
		if (fg_picture_tree(&p, &tree, NULL, &caught.diag))
			fg_buf_add_str(&text, fg_buf_str(&caught.text));
		else
			dump(&tree, &text);
		check_str(fg_buf_str(&text), fg_str_from(scenes[i].want), __FILE__,
			  __LINE__);
		caught_release(&caught);
		fg_tree_release(&tree);
		fg_picture_release(&p);
		fg_buf_release(&text);
	}
}

#define FAULT(what)                                                                  \
	"prog: this SVG cannot be read: its frames do not make a flame graph: " what \
	"\n"

static void the_widest_row_is_that_of_the_root(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "r", 0, 16, 90, "9", NULL, NULL },
			      { "a", 0, 0, 80, "8", NULL, NULL } },
		  .want = " 9@0\n a 8@1\n" },
		{ .frames = { { "r", 0, 0, 90, "9", NULL, NULL },
			      { "a", 0, 16, 80, "8", NULL, NULL } },
		  .want = " 9@0\n a 8@1\n" },
		{ .frames = { { "b", 40, 0, 50, "5", NULL, NULL },
			      { "a", 0, 0, 40, "4", NULL, NULL },
			      { "c", 0, 16, 40, "4", NULL, NULL },
			      { "d", 40, 16, 49, "4", NULL, NULL } },
		  .want = " 9@0\n a 4@0\n  c 4@0\n b 5@4\n  d 4@5\n" },
		{ .frames = { { "c", 0, 0, 40, "4", NULL, NULL },
			      { "d", 40, 0, 49, "4", NULL, NULL },
			      { "b", 40, 16, 50, "5", NULL, NULL },
			      { "a", 0, 16, 40, "4", NULL, NULL } },
		  .want = " 9@0\n a 4@0\n  c 4@0\n b 5@4\n  d 4@5\n" },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

/* If both rows are equally wide, "all" is the root, or else the lower one. */
static void the_root_of_equally_wide_rows_is_named_all(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "a", 0, 0, 90, "9", NULL, NULL },
			      { "b", 0, 16, 90, "9", NULL, NULL } },
		  .want = " 9@0\n a 9@0\n" },
		{ .frames = { { "all", 0, 0, 90, "9", NULL, NULL },
			      { "b", 0, 16, 90, "9", NULL, NULL } },
		  .want = " 9@0\n b 9@0\n" },
		{ .frames = { { "all", 0, 0, 90, "9", NULL, NULL },
			      { "all", 0, 16, 90, "9", NULL, NULL } },
		  .want = " 9@0\n all 9@0\n" },
		{ .frames = { { "a", 0, 0, 90, "9", NULL, NULL } }, .want = " 9@0\n" },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

/* If several parents are at one place, each child is on the first with enough room. */
static void narrow_parents_are_filled_one_after_the_other(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "r", 0, 32, 90, "9", NULL, NULL },
			      { "a", 0, 16, 0, "2", NULL, NULL },
			      { "b", 0, 16, 1, "3", NULL, NULL },
			      { "c", 0, 0, 0, "2", NULL, NULL },
			      { "d", 0, 0, 1, "3", NULL, NULL } },
		  .want = " 9@0\n a 2@4\n  c 2@4\n b 3@6\n  d 3@6\n" },
		{ .frames = { { "r", 0, 32, 90, "9", NULL, NULL },
			      { "a", 0, 16, 0, "2", NULL, NULL },
			      { "b", 0, 16, 1, "3", NULL, NULL },
			      { "c", 0, 0, 0, "3", NULL, NULL } },
		  .want = " 9@0\n a 2@4\n b 3@6\n  c 3@6\n" },
		/* the last parent takes what has no room elsewhere */
		{ .frames = { { "r", 0, 32, 90, "9", NULL, NULL },
			      { "a", 0, 16, 0, "2", NULL, NULL },
			      { "b", 0, 16, 1, "3", NULL, NULL },
			      { "c", 0, 0, 0, "4", NULL, NULL } },
		  .want = " 10@0\n a 2@4\n b 4@6\n  c 4@6\n" },
		{ .frames = { { "r", 0, 32, 90, "9", NULL, NULL },
			      { "a", 0, 16, 40, "4", NULL, NULL },
			      { "b", 40, 16, 50, "5", NULL, NULL },
			      { "c", 40, 0, 10, "1", NULL, NULL },
			      { "d", 39, 0, 1, "1", NULL, NULL } },
		  .want = " 9@0\n a 4@0\n  d 1@3\n b 5@4\n  c 1@8\n" },
		{ .frames = { { "r", 10, 16, 80, "8", NULL, NULL },
			      { "a", 9, 0, 10, "1", NULL, NULL } },
		  .want = FAULT("a frame has no parent") },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

static void depth_first_the_last_frame_is_the_parent(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "r", 0, 32, 90, "9", NULL, NULL },
			      { "b", 0, 16, 50, "5", NULL, NULL },
			      { "c", 0, 0, 50, "1", NULL, NULL },
			      { "a", 50, 16, 40, "4", NULL, NULL },
			      { "d", 0, 0, 40, "2", NULL, NULL } },
		  .depth_first = true,
		  .want = " 9@0\n b 5@0\n  c 1@4\n a 4@5\n  d 2@7\n" },
		/* the first frame is the root, and a parent comes before its child */
		{ .frames = { { "r", 0, 32, 90, "9", NULL, NULL },
			      { "a", 0, 0, 80, "8", NULL, NULL },
			      { "b", 0, 16, 80, "8", NULL, NULL } },
		  .depth_first = true,
		  .want = FAULT("a frame has no parent") },
		{ .frames = { { "r", 0, 16, 90, "9", NULL, NULL },
			      { "a", 0, 0, 40, "4", NULL, NULL },
			      { "s", 90, 16, 10, "1", NULL, NULL } },
		  .depth_first = true,
		  .want = FAULT("a frame has no parent") },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

/* Halves are rounded up. */
static void a_frame_without_a_count_gets_it_from_its_width(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "r", 0, 16, 80, "16", NULL, NULL },
			      { "a", 0, 0, 40, NULL, NULL, NULL },
			      { "b", 40, 0, 2.5, NULL, NULL, NULL },
			      { "c", 60, 0, 2.4, NULL, NULL, NULL },
			      { "d", 70, 0, 0, NULL, NULL, NULL } },
		  .want = " 16@0\n a 8@7\n b 1@15\n c 0@16\n d 0@16\n" },
		{ .frames = { { "r", 0, 16, 80, NULL, NULL, NULL },
			      { "a", 0, 0, 40, "1", NULL, NULL } },
		  .want = FAULT("the count of a frame is missing or too large") },
		{ .frames = { { "r", 0, 16, 0, "9", NULL, NULL },
			      { "a", 0, 0, 0, NULL, NULL, NULL } },
		  .want = FAULT("the count of a frame is missing or too large") },
		{ .frames = { { "r", 0, 16, 80, "9", NULL, NULL },
			      { "a", 0, 0, -1, NULL, NULL, NULL } },
		  .want = FAULT("the count of a frame is missing or too large") },
		{ .frames = { { "r", 0, 16, 80, "18000000000000000000", NULL, NULL },
			      { "a", 0, 0, 80, NULL, NULL, NULL } },
		  .want = FAULT("the count of a frame is missing or too large") },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

static void all_counts_have_as_many_decimals(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "r", 0, 16, 90, "9", NULL, NULL },
			      { "a", 0, 0, 80, "8.25", NULL, NULL } },
		  .want = " 900@0\n a 825@75\n" },
		{ .frames = { { "r", 0, 16, 90, "9", NULL, "1.5" } },
		  .want = " 90@0 was 15\n" },
		{ .frames = { { "r", 0, 16, 90, "18446744073709551615", NULL, NULL },
			      { "a", 0, 0, 80, "8.2", NULL, NULL } },
		  .want = FAULT("the count of a frame is missing or too large") },
		{ .frames = { { "r", 0, 16, 90, "1", NULL, "18446744073709551615" },
			      { "a", 0, 0, 80, "0.2", NULL, NULL } },
		  .want = FAULT("the count of a frame is missing or too large") },
		{ .frames = { { "r", 0, 16, 90, "1", "18446744073709551615", NULL },
			      { "a", 0, 0, 80, "0.2", NULL, NULL } },
		  .want = FAULT("the count of a frame is missing or too large") },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

static void sums_fit_into_64_bits(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "a", 0, 0, 40, "18446744073709551614", NULL, NULL },
			      { "b", 40, 0, 50, "1", NULL, NULL } },
		  .want = " 18446744073709551615@0\n a 18446744073709551614@0\n"
			  " b 1@18446744073709551614\n" },
		{ .frames = { { "a", 0, 0, 40, "18446744073709551615", NULL, NULL },
			      { "b", 40, 0, 50, "1", NULL, NULL } },
		  .want = FAULT("the sum of its counts exceeds 2^64-1") },
		{ .frames = { { "a", 0, 0, 40, "1", NULL, "18446744073709551614" },
			      { "b", 40, 0, 50, "1", NULL, "1" } },
		  .want = " 2@0 was 18446744073709551615\n"
			  " a 1@0 was 18446744073709551614\n"
			  " b 1@1 was 1\n" },
		{ .frames = { { "a", 0, 0, 40, "1", NULL, "18446744073709551615" },
			      { "b", 40, 0, 50, "1", NULL, "1" } },
		  .want = FAULT("the sum of its counts exceeds 2^64-1") },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

/* In the order of the input, gaps are as large as the parent's counts allow. */
static void frames_start_where_the_picture_says(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "r", 0, 16, 90, "9", "0", NULL },
			      { "b", 10, 0, 20, "2", "1", NULL },
			      { "a", 50, 0, 40, "4", "5", NULL } },
		  .order = FG_TREE_INPUT,
		  .want = " 9@0\n b 2@1\n a 4@5\n" },
		/* the gaps have 3 counts in all */
		{ .frames = { { "r", 0, 16, 90, "9", "0", NULL },
			      { "b", 10, 0, 20, "2", "1", NULL },
			      { "a", 50, 0, 40, "4", "8", NULL } },
		  .order = FG_TREE_INPUT,
		  .want = " 9@0\n b 2@1\n a 4@5\n" },
		{ .frames = { { "r", 0, 16, 90, "9", "0", NULL },
			      { "b", 10, 0, 20, "2", "7", NULL },
			      { "a", 50, 0, 40, "4", "2", NULL } },
		  .order = FG_TREE_INPUT,
		  .want = " 9@0\n b 2@3\n a 4@5\n" },
		{ .frames = { { "r", 0, 32, 90, "9", "0", NULL },
			      { "b", 10, 16, 40, "4", "2", NULL },
			      { "c", 20, 0, 10, "1", "3", NULL } },
		  .order = FG_TREE_INPUT,
		  .want = " 9@0\n b 4@2\n  c 1@3\n" },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

static void separators_are_replaced_in_names(void **data)
{
	static const struct scene scenes[] = {
		{ .frames = { { "r", 0, 16, 90, "9", NULL, NULL },
			      { "a;b\nc", 0, 0, 80, "8", NULL, NULL } },
		  .want = " 9@0\n a:b c 8@1\n" },
		{ .frames = { { .name = NULL } },
		  .want = "prog: this SVG is not a flame graph, or was made before "
			  "2013: it has neither data nor frames with titles\n" },
	};

	(void)data;
	check(scenes, COUNT_OF(scenes));
}

static void a_title_has_name_count_and_delta(void **data)
{
	static const struct {
		const char *title, *name, *delta;
		bool counts;
		uint64_t value;
	} rows[] = {
		{ "a (1 sample, 5%)", "a", NULL, true, 1 },
		{ "a (1,234 samples, 5.67%)", "a", NULL, true, 1234 },
		{ "a (1 samples, 5%; +0.12%)", "a", "0.12", true, 1 },
		{ "a (1 samples, 5%; -0.5%)", "a", "-0.5", true, 1 },
		{ "a (1 samples, 5%; 0.00%)", "a", "0", true, 1 },
		{ "a (1 samples, 5%; new%)", "a", NULL, true, 1 },
		{ "a (b) (1 s, 5%)", "a (b)", NULL, true, 1 },
		{ "a (1 s (of 2), 5%)", "a", NULL, true, 1 },
		{ "a (1 s, 5)", "a (1 s, 5)", NULL, false, 0 },
		{ "a (1samples, 5%)", "a (1samples, 5%)", NULL, false, 0 },
		{ "a (x samples, 5%)", "a (x samples, 5%)", NULL, false, 0 },
		{ "a(1 s, 5%)", "a(1 s, 5%)", NULL, false, 0 },
		{ "(1 s, 5%)", "(1 s, 5%)", NULL, false, 0 },
		{ " (1 s, 5%)", "", NULL, true, 1 },
		{ "a (1 s, 5%) ", "a (1 s, 5%) ", NULL, false, 0 },
		{ ")", ")", NULL, false, 0 },
		{ "", "", NULL, false, 0 },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_picture_frame f = { .width = 1 };
		struct fg_str name = fg_picture_title(fg_str_from(rows[i].title), &f);

		assert_str_is(name, fg_str_from(rows[i].name));
		assert_int_equal(f.has_count, rows[i].counts);
		if (f.has_count)
			assert_int_equal(f.count.digits, rows[i].value);
		assert_int_equal(f.has_delta, rows[i].delta != NULL);
		assert_true(f.delta ==
			    (rows[i].delta ? strtod(rows[i].delta, NULL) : 0));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_widest_row_is_that_of_the_root),
		cmocka_unit_test(the_root_of_equally_wide_rows_is_named_all),
		cmocka_unit_test(narrow_parents_are_filled_one_after_the_other),
		cmocka_unit_test(depth_first_the_last_frame_is_the_parent),
		cmocka_unit_test(a_frame_without_a_count_gets_it_from_its_width),
		cmocka_unit_test(all_counts_have_as_many_decimals),
		cmocka_unit_test(sums_fit_into_64_bits),
		cmocka_unit_test(frames_start_where_the_picture_says),
		cmocka_unit_test(separators_are_replaced_in_names),
		cmocka_unit_test(a_title_has_name_count_and_delta),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
