/* Which functions of a profile are the kernel's, by how they are reached. */
#include "flamegraph/kernel.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* What enters the kernel of Linux, on x86, Arm or RISC-V, or starts its threads. */
static bool is_entry(struct fg_str name)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("entry_SYSCALL"),
		FG_STR_INIT("entry_SYSENTER"),
		FG_STR_INIT("entry_INT80"),
		FG_STR_INIT("do_syscall_64"),
		FG_STR_INIT("asm_exc_"),
		FG_STR_INIT("asm_sysvec_"),
		FG_STR_INIT("asm_common_interrupt"),
		FG_STR_INIT("ret_from_fork"),
		FG_STR_INIT("el0_svc"),
		FG_STR_INIT("el0t_64_sync"),
		FG_STR_INIT("el1h_64_"),
		FG_STR_INIT("secondary_startup"),
		FG_STR_INIT("common_startup_64"),
		FG_STR_INIT("ret_from_exception"),
		FG_STR_INIT("system_call_fastpath"),
		FG_STR_INIT("start_kernel"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(starts); i++)
		if (fg_str_starts(name, starts[i]))
			return true;
	return false;
}

/* By node: whether it is one of those names, or is reached by one. */
static bool *find_nodes(const struct fg_tree *t, enum fg_stacks stacks)
{
	bool *names = fg_xcalloc(t->names.count, sizeof(*names));
	bool *inside = fg_xcalloc(t->count, sizeof(*inside));

	for (uint32_t id = 0; id < t->names.count; id++)
		names[id] = is_entry(fg_intern_name(&t->names, id));
	for (size_t i = 1; i < t->count; i++)
		inside[i] = names[t->nodes[i].name] ||
			    (stacks == FG_FROM_ROOT && inside[t->nodes[i].parent]);
	for (size_t i = t->count; stacks == FG_FROM_LEAF && --i > 0;)
		inside[t->nodes[i].parent] |= inside[i];
	free(names);
	return inside;
}

bool *fg_kernel_find(const struct fg_tree *tree, enum fg_stacks stacks)
{
	bool *inside = find_nodes(tree, stacks);
	bool *found = fg_xcalloc(tree->names.count, sizeof(*found));
	double *more = fg_xcalloc(tree->names.count, sizeof(*more));

	for (size_t i = 1; i < tree->count; i++) {
		const struct fg_tree_node *node = &tree->nodes[i];

		more[node->name] +=
			inside[i] ? (double)node->total : -(double)node->total;
	}
	for (size_t id = 0; id < tree->names.count; id++)
		found[id] = more[id] > 0;
	free(more);
	free(inside);
	return found;
}
