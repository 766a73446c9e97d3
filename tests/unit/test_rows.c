/*
 * Tests of collapse/rows: parents in any order, wrong parents, loops, rows without a
 * frame.
 */
#include <stdlib.h>

#include "collapse/rows.h"
#include "lib/base/xalloc.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/support.h"

/* A format of lines "PARENT FRAME VALUE". A "-" means no parent or no frame. */
struct toy {
	struct fg_sink *sink;
};

static void *open_toy(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct toy *t = fg_xcalloc(1, sizeof(*t));

	(void)run;
	t->sink = sink;
	return t;
}

static int read_toy(void *state, struct fg_reader *reader, const struct fg_block *start)
{
	const struct fg_owner owner = { .thread = FG_STR("t") };
	struct toy *t = state;
	struct fg_block block = *start;
	struct fg_buf all = FG_BUF_INIT;
	struct fg_str bytes;
	struct fg_rows rows;
	size_t row = 0;

	do
		fg_buf_add_str(&all, block.bytes);
	while (fg_reader_more(reader, &block) > 0);
	bytes = fg_buf_str(&all);
	fg_rows_init(&rows);
	while (bytes.len) {
		struct fg_str line = fg_str_cut(&bytes, '\n');
		struct fg_str parent = fg_str_cut(&line, ' ');
		struct fg_str frame = fg_str_cut(&line, ' ');
		uint64_t at = FG_ROWS_ROOT;

		fg_str_u64(parent, &at);
		fg_rows_add(&rows, (uint32_t)at,
			    fg_str_eq(frame, FG_STR("-")) ?
				    FG_ROWS_NO_FRAME :
				    fg_sink_name(t->sink, frame));
	}
	rows.empty = fg_sink_name(t->sink, FG_STR("(root)"));
	rows.decimals = 1;
	fg_sink_lose(t->sink, "wrong rows", fg_rows_link(&rows));
	for (bytes = fg_buf_str(&all); bytes.len; row++) {
		struct fg_str line = fg_str_cut(&bytes, '\n');
		uint64_t value;

		fg_str_cut(&line, ' ');
		fg_str_cut(&line, ' ');
		if (fg_rows_is_good(&rows, row) && !fg_str_u64(line, &value))
			for (int i = 0; i < 4; i++)
				fg_rows_add_value(&rows, row,
						  (struct fg_sum){ value, 0 });
	}
	assert_false(fg_rows_is_good(&rows, row));
	assert_false(fg_rows_is_good(&rows, UINT64_MAX));
	fg_rows_write(&rows, t->sink, &owner);
	fg_rows_release(&rows);
	fg_buf_release(&all);
	return 0;
}

static enum fg_probe probe_toy(struct fg_str first_bytes)
{
	(void)first_bytes;
	return FG_PROBE_YES;
}

static const struct fg_kind toy_kind = {
	.name = "toy",
	.input = "a toy",
	.is_binary = true,
	.probe = probe_toy,
};

static const struct fg_format toy = {
	.kind = &toy_kind,
	.hints.not_found = "nothing",
	.has_values = true,
	.root = FG_ROOT_THREAD,
	.open = open_toy,
	.read = read_toy,
	.close = free,
};

static void expect(const char *text, const char *lines, const char *message)
{
	struct collapsed result;

	collapse_format(&toy, fg_str_from(text), (struct collapse_how){ "", 0 },
			&result);
	assert_str_is(fg_buf_str(&result.out.buf), fg_str_from(lines));
	if (message)
		assert_has(fg_buf_str(&result.caught.text), message);
	collapsed_release(&result);
}

static void rows_are_unfolded(void **state)
{
	(void)state;
	expect("- main 5\n0 f 10\n1 g 20\n0 f 30\n1 h 0\n",
	       "t;main 2\nt;main;f 16\nt;main;f;g 8\n", NULL);
	/* Parents may come later. */
	expect("2 g 10\n- main 10\n1 f 10\n", "t;main 4\nt;main;f 4\nt;main;f;g 4\n",
	       NULL);
}

static void rows_may_be_no_frames(void **state)
{
	(void)state;
	expect("- - 10\n0 - 10\n1 f 10\n2 - 10\n3 - 10\n4 g 10\n",
	       "t;(root) 8\nt;f 12\nt;f;g 4\n", NULL);
}

static void faulty_rows_are_not_followed(void **state)
{
	(void)state;
	expect("- a 10\n7 b 10\n1 c 10\n0 d 10\n", "t;a 4\nt;a;d 4\n",
	       "wrong rows (2)");
	/* Rows below a loop are faulty too. */
	expect("1 a 10\n2 b 10\n0 c 10\n1 d 10\n4 e 10\n- f 10\n", "t;f 4\n",
	       "wrong rows (5)");
	expect("4294967294 a 10\n- b 10\n", "t;b 4\n", "wrong rows (1)");
}

static void values_may_be_large(void **state)
{
	(void)state;
	expect("- a 18446744073709551615\n0 b 5\n",
	       "t;a 7378697629483820646\nt;a;b 2\n", NULL);
}

/* A chain of a million rows that are not frames is followed only once. */
static void deep_rows_are_quick(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct collapsed result;

	(void)state;
	fg_buf_addf(&text, "- - 10\n");
	for (int i = 0; i < 1000000; i++)
		fg_buf_addf(&text, "%d - 10\n", i);
	fg_buf_addf(&text, "1000000 f 10\n");
	collapse_format(&toy, fg_buf_str(&text), (struct collapse_how){ "", 0 },
			&result);
	assert_has(fg_buf_str(&result.out.buf), "t;f 4\n");
	collapsed_release(&result);
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_unfolded),
		cmocka_unit_test(rows_may_be_no_frames),
		cmocka_unit_test(faulty_rows_are_not_followed),
		cmocka_unit_test(values_may_be_large),
		cmocka_unit_test(deep_rows_are_quick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
