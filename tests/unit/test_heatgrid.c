/* Tests of flamegraph/heatgrid: columns, and the count that gets the deepest shade. */
#include "flamegraph/heatgrid.h"
#include "tests/unit/support/support.h"

#define MS UINT64_C(1000000)
#define SLICES 400

/* Slices with one item each, and the pixels for the map. */
struct run {
	uint64_t width, *slices, *counts;
	size_t count;
	double pixels;
};

static void init(struct fg_heatgrid *g, struct run r)
{
	static size_t ends[SLICES];
	static uint32_t items[SLICES];
	const struct fg_slicedata d = {
		.header = { .width = r.width },
		.slices = r.slices,
		.ends = ends,
		.slice_count = r.count,
		.items = items,
		.counts = r.counts,
		.item_count = r.count,
	};

	for (size_t i = 0; i < r.count; i++)
		ends[i] = i + 1;
	fg_heatgrid_init(g, &d, r.pixels, 150);
}

/*
 * Makes a grid of consecutive slices of 20 ms. Each counts 100, except the first two.
 */
static void grid(struct fg_heatgrid *g, uint64_t first, uint64_t second)
{
	static uint64_t slices[SLICES], counts[SLICES];

	for (size_t i = 0; i < SLICES; i++) {
		slices[i] = i;
		counts[i] = 100;
	}
	counts[0] = first;
	counts[1] = second;
	init(g, (struct run){ 20 * MS, slices, counts, SLICES, 1200 });
}

/* Columns are as short as fills the map with cells that are wider than high. */
static void test_columns(void **state)
{
	struct fg_heatgrid g;

	(void)state;
	grid(&g, 100, 100);
	assert_true(g.column == 200 * MS && g.row == 20 * MS);
	assert_true(g.columns == 40 && g.rows == 10);
	assert_true(g.cells[0] == 100 && g.cells[399] == 100);
	fg_heatgrid_release(&g);
}

/* The first and last slice of a run, and the columns that it gets. */
static void test_lengths(void **state)
{
	static const struct {
		uint64_t width, last, pixels, column;
	} cases[] = {
		/* a minute in a wide and in a narrow picture */
		{ 20, 2999, 1200, 500 },
		{ 20, 2999, 300, 1000 },
		/* a day: columns of a minute would be narrower than four pixels */
		{ 1000, 86399, 1200, 300000 },
		/* too few slices for ten rows, or for two columns */
		{ 100, 9, 1200, 500 },
		{ 100, 4, 1200, 500 },
		{ 7, 284, 1200, 100 },
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(cases); i++) {
		uint64_t slices[] = { 0, cases[i].last }, counts[] = { 1, 1 };
		struct fg_heatgrid g;

		init(&g, (struct run){ cases[i].width * MS, slices, counts, 2,
				       (double)cases[i].pixels });
		assert_int_equal(g.column / MS, cases[i].column);
		fg_heatgrid_release(&g);
	}
}

/* One in 200 cells may be more than twice as much as the others. */
static void test_top(void **state)
{
	static const struct {
		uint64_t first, second;
		double top;
	} cases[] = {
		{ 100, 100, 100 }, { 200, 100, 200 }, { 201, 100, 100 },
		{ 900, 201, 100 }, { 900, 900, 100 },
	};
	struct fg_heatgrid g;

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(cases); i++) {
		grid(&g, cases[i].first, cases[i].second);
		assert_true(g.top == cases[i].top);
		assert_true(g.max == (double)cases[i].first);
		fg_heatgrid_release(&g);
	}
}

static void test_shade(void **state)
{
	struct fg_heatgrid g;

	(void)state;
	grid(&g, 900, 80);
	assert_int_equal(fg_heatgrid_shade(&g, 900), FG_HEAT_SHADES - 1);
	/* the other cells have at most 100, and the lighter half of the shades */
	assert_int_equal(fg_heatgrid_shade(&g, 101), FG_HEAT_SHADES / 2);
	assert_int_equal(fg_heatgrid_shade(&g, 100), FG_HEAT_SHADES / 2 - 1);
	assert_int_equal(fg_heatgrid_shade(&g, 1), 0);
	fg_heatgrid_release(&g);
}

/* Works for any distance between slices and any width of the picture. */
static void test_far_apart(void **state)
{
	static const uint64_t widths[] = { 1, 1000 * MS, INT64_MAX };
	uint64_t slices[] = { 0, 0 }, counts[] = { 1, 2 };

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(widths); i++) {
		struct fg_heatgrid g;

		slices[1] = UINT64_MAX / widths[i];
		init(&g, (struct run){ widths[i], slices, counts, 2, 1 });
		assert_true(g.columns > 1 && g.columns <= 4);
		assert_true(g.cells[0] == 1 && g.max == 2);
		fg_heatgrid_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),	  cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_top),	  cmocka_unit_test(test_shade),
		cmocka_unit_test(test_far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
