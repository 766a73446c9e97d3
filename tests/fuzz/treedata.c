/* Fuzzes data of a tree, and trees: what is read can be written and read again. */
#include "lib/svg/treedata.h"
#include "lib/profile/treelines.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/support/starts.h"

/* More lines than this of one tree would not test anything new. */
#define LINES_MAX 2000

static void check_starts(const struct fg_tree *t)
{
	uint64_t *starts = all_starts(t);

	for (size_t i = 0; i < t->count; i++) {
		const struct fg_tree_node *node = &t->nodes[i];
		uint64_t at = starts[i];

		for (uint32_t c = node->first; c != FG_TREE_NONE;
		     c = t->nodes[c].next) {
			fuzz_check(starts[c] >= at, "siblings do not overlap");
			at = starts[c] + t->nodes[c].total;
		}
		fuzz_check(at <= starts[i] + node->total, "children lie inside");
	}
	free(starts);
}

static void write_lines(const struct fg_tree *t, struct fg_buf *text)
{
	struct fg_treelines lines;
	unsigned count = 0;

	fg_treelines_init(&lines, t);
	while (count < LINES_MAX && fg_treelines_next(&lines, text) > 0)
		count++;
	fg_treelines_release(&lines);
}

static void check_equal(const struct fg_tree *a, const struct fg_tree *b)
{
	struct fg_buf one = FG_BUF_INIT, other = FG_BUF_INIT;

	fuzz_check(a->count == b->count && a->total == b->total &&
			   a->decimals == b->decimals && a->order == b->order,
		   "a tree is the same there and back");
	write_lines(a, &one);
	write_lines(b, &other);
	fuzz_check_equal(fg_buf_str(&one), fg_buf_str(&other),
			 "its lines are the same");
	fg_buf_release(&one);
	fg_buf_release(&other);
}

static int read_data(struct fg_str bytes, struct fg_tree *tree)
{
	const struct fg_place at = { "a.svg", 0 };
	struct fg_diag diag;

	fuzz_diag(&diag);
	return fg_treedata_read(bytes, tree, &at, &diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_treedata what = { .min = fuzz_choice(&input, 8) };
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_tree tree, again;

	if (!read_data(input, &tree)) {
		check_starts(&tree);
		what.tree = &tree;
		fuzz_check(fg_treedata_write(&what, &bytes) <= tree.count,
			   "no frames are invented");
		fuzz_check(!read_data(fg_buf_str(&bytes), &again),
			   "what was written can be read");
		fuzz_check(again.total == tree.total, "counts are conserved");
		if (!what.min)
			check_equal(&tree, &again);
		fg_tree_release(&again);
	}
	fg_tree_release(&tree);
	fg_buf_release(&bytes);
	return 0;
}
