/*
 * Fuzzes reading folded lines into a tree: counts are conserved, and children are
 * inside their parents.
 */
#include "lib/recognize/recognize.h"
#include "lib/profile/tree.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/support/starts.h"

/* The sum of all counts, in units of 10^-FG_COUNT_DECIMALS_MAX. */
struct added {
	struct fg_sum sum;
	unsigned decimals; /* the most of any count */
};

static struct fg_sum in_smallest_units(uint64_t digits, unsigned decimals)
{
	struct fg_sum sum = { digits, 0 };

	return fg_sum_mul(sum, fg_pow10(FG_COUNT_DECIMALS_MAX - decimals));
}

static int add_line(struct fg_tree *tree, struct fg_str text, struct added *added)
{
	struct fg_folded line;
	struct fg_count last;

	if (fg_folded_parse(text, &line) != FG_FOLDED_STACK)
		return 0;
	fuzz_check(line.columns == 1 || line.columns == 2, "one column or two");
	fuzz_check(line.count_first ? line.stack.ptr > text.ptr :
				      line.stack.ptr == text.ptr,
		   "the stack is the start of the line, or behind its count");
	fuzz_check(line.stack.len < text.len, "the count is not part of the stack");
	last = line.count[line.columns - 1];
	fg_sum_add_sum(&added->sum, in_smallest_units(last.digits, last.decimals));
	for (unsigned i = 0; i < line.columns; i++)
		if (line.count[i].decimals > added->decimals)
			added->decimals = line.count[i].decimals;
	return fg_tree_add(tree, &line);
}

/* Checks that the children lie side by side between the frame's own start and end. */
static void check_node(const struct fg_tree *t, const uint64_t *starts, uint32_t index)
{
	const struct fg_tree_node *node = &t->nodes[index];
	uint64_t at = starts[index], sum = node->self;
	uint32_t left = FG_TREE_NONE;

	for (uint32_t i = node->first; i != FG_TREE_NONE;
	     left = i, i = t->nodes[i].next) {
		const struct fg_tree_node *child = &t->nodes[i];

		fuzz_check(i > index && child->parent == index, "parents come first");
		fuzz_check(starts[i] >= at, "siblings do not overlap");
		at = starts[i] + child->total;
		sum += child->total;
		if (left != FG_TREE_NONE && t->order == FG_TREE_SORTED)
			fuzz_check(fg_str_cmp(t->names.names[t->nodes[left].name],
					      t->names.names[child->name]) < 0,
				   "siblings are sorted and unique");
	}
	fuzz_check(at <= starts[index] + node->total, "children lie in their parent");
	fuzz_check(sum == node->total, "self and children make the total");
}

static void check_tree(const struct fg_tree *t, const struct added *added)
{
	struct fg_sum total = in_smallest_units(t->total, t->decimals);
	uint64_t *starts = all_starts(t);
	size_t seen = 0;
	unsigned depth = 0;

	fuzz_check(t->nodes[0].total == t->total && !starts[0],
		   "the root spans everything");
	if (t->decimals == added->decimals)
		fuzz_check(total.low == added->sum.low && total.high == added->sum.high,
			   "the total is the sum of the lines");
	for (uint32_t i = 0; i < t->count; i++)
		check_node(t, starts, i);
	free(starts);
	for (uint32_t i = 0; i != FG_TREE_NONE; i = fg_tree_walk(t, i, true, &depth))
		seen++;
	fuzz_check(seen == t->count, "a walk meets every node once");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	unsigned choice = fuzz_choice(&input, 2);
	struct fg_str rest = input;
	struct added added = { { 0, 0 }, 0 };
	struct fg_buf why = FG_BUF_INIT;
	struct fg_tree tree;
	int status = 0;

	fg_recognize_unfolded(input);
	fg_recognize_guess(fg_str_before(input, 1024), &why);
	fg_buf_release(&why);
	fg_tree_init(&tree, choice ? FG_TREE_INPUT : FG_TREE_SORTED);
	while (rest.len && !status)
		status = add_line(&tree, fg_str_cut(&rest, '\n'), &added);
	if (!status) {
		fg_tree_finish(&tree);
		check_tree(&tree, &added);
	}
	fg_tree_release(&tree);
	return 0;
}
