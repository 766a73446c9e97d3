/* Groups the functions of a profile by library, or by kind of code and module. */
#include "lib/profile/grouping.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/profile/line.h"
#include "lib/profile/library.h"
#include "lib/profile/module.h"
#include "lib/profile/prefix.h"

/* ---- finding the kernel's functions by how they are reached */

/*
 * Returns true for functions of Linux that enter the kernel, on x86, Arm or RISC-V, or
 * start its threads.
 */
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

	return fg_str_starts_any(name, starts, FG_COUNT_OF(starts));
}

/*
 * Returns an array that has true for each node that enters the kernel or is reached
 * through such a node. The caller frees it.
 */
static bool *find_kernel_nodes(const struct fg_tree *t, enum fg_stack_order stacks)
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

bool *fg_grouping_kernel(const struct fg_tree *tree, enum fg_stack_order stacks)
{
	bool *inside = find_kernel_nodes(tree, stacks);
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

/* ---- the groups of a profile */

/*
 * Tables that we need only while we find the libraries. They are indexed by the ids of
 * the tree's names.
 */
struct search {
	const struct fg_intern *names;
	bool *kernel;
	struct fg_str *modules; /* empty if the name has none */
	struct fg_prefixes prefixes;
};

/*
 * Finds the module of each name. Adds the others to the prefixes, except functions of
 * the kernel; all lines of a function count as one name.
 */
static void find_modules(struct search *s)
{
	struct fg_intern plain;

	fg_intern_init(&plain);
	for (uint32_t id = 0; id < s->names->count; id++) {
		struct fg_str name = fg_intern_name(s->names, id);

		s->modules[id] = fg_module_of(name);
		if (!s->kernel[id] && !s->modules[id].len)
			fg_intern(&plain, fg_line_plain_name(name));
	}
	for (uint32_t id = 0; id < plain.count; id++)
		fg_prefixes_add(&s->prefixes, fg_intern_name(&plain, id));
	fg_intern_release(&plain);
}

/*
 * Returns the module of a name. If it has none, returns "kernel" for a function of the
 * kernel, else the name's family (prefix.h), else an empty string.
 */
static struct fg_str kind_of(struct search *s, uint32_t id)
{
	if (s->modules[id].len)
		return s->modules[id];
	if (s->kernel[id])
		return FG_STR("kernel");
	return fg_prefixes_of(&s->prefixes,
			      fg_line_plain_name(fg_intern_name(s->names, id)));
}

uint32_t *fg_grouping_find(const struct fg_tree *tree, enum fg_grouping by,
			   enum fg_stack_order stacks, struct fg_intern *groups)
{
	struct search s = { .names = &tree->names };
	uint32_t *of = fg_xcalloc(tree->names.count, sizeof(*of));

	fg_prefixes_init(&s.prefixes);
	if (by == FG_BY_KIND) {
		s.kernel = fg_grouping_kernel(tree, stacks);
		s.modules = fg_xcalloc(tree->names.count, sizeof(*s.modules));
		find_modules(&s);
	}
	for (uint32_t id = 0; id < tree->names.count; id++) {
		struct fg_str group =
			by == FG_BY_KIND ? kind_of(&s, id) :
					   fg_library_of(fg_intern_name(s.names, id));

		of[id] = group.len ? fg_intern(groups, group) : FG_NO_LIBRARY;
	}
	free(s.kernel);
	free(s.modules);
	fg_prefixes_release(&s.prefixes);
	return of;
}
