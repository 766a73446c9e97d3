/* Splits the names of a profile into functions and source lines. */
#include "reportfolded/lines.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"
#include "lib/profile/line.h"

void fg_lines_init(struct fg_lines *l, const struct fg_intern *names)
{
	struct fg_buf text = FG_BUF_INIT;

	*l = (struct fg_lines){ .any = false };
	fg_intern_init(&l->functions);
	fg_intern_init(&l->files);
	l->of = fg_xcalloc(names->count, sizeof(*l->of));
	l->groups = fg_xcalloc(names->count, sizeof(*l->groups));
	for (uint32_t i = 0; i < names->count; i++) {
		struct fg_str name = fg_intern_name(names, i);
		struct fg_named_line *of = &l->of[i];
		struct fg_line line;

		of->function = fg_intern(&l->functions, fg_line_function(name, &text));
		l->groups[i] = of->function;
		if (!fg_line_split(name, &line))
			continue;
		of->file = fg_intern(&l->files, line.file);
		of->number = line.number;
		l->any = true;
	}
	fg_buf_release(&text);
}

void fg_lines_release(struct fg_lines *l)
{
	fg_intern_release(&l->functions);
	fg_intern_release(&l->files);
	free(l->of);
	free(l->groups);
	free(l->merged);
	*l = (struct fg_lines){ .any = false };
}

void fg_lines_functions(const struct fg_lines *l, const struct fg_columns *p,
			struct fg_functions *functions)
{
	const struct fg_function_groups groups = { l->groups, &l->functions };

	fg_functions_init_groups(functions, p, &groups);
}

/* Returns true for functions of the scheduler: schedule, __schedule, io_schedule_... */
static bool is_scheduler(struct fg_str name)
{
	static const struct fg_str prefixes[] = { FG_STR_INIT("__"), FG_STR_INIT("io_"),
						  FG_STR_INIT("preempt_") };
	size_t i = 0;

	while (i < FG_COUNT_OF(prefixes))
		if (fg_str_cut_start(&name, prefixes[i]))
			i = 0;
		else
			i++;
	return fg_str_cut_start(&name, FG_STR("schedule")) &&
	       (!name.len || name.ptr[0] == '_');
}

/* Returns true if the counts are times of waiting, or some are. */
static bool has_waits(const struct fg_columns *p)
{
	struct fg_str event = fg_buf_str(&p->unit.event);

	if (fg_str_eq(event, FG_STR("sched:sched_switch")) ||
	    fg_str_eq(event, FG_STR("offcpu-time")))
		return true;
	for (uint32_t i = 0; i < p->tree.names.count; i++)
		if (fg_str_ends(fg_intern_name(&p->tree.names, i), FG_STR("_[o]")))
			return true;
	return false;
}

/* Returns the frame that waits: the innermost one that is not of the scheduler. */
static uint32_t waiting_frame(const struct fg_tree *t, uint32_t node)
{
	const struct fg_tree_node *nodes = t->nodes;

	while (nodes[nodes[node].parent].parent &&
	       is_scheduler(fg_intern_name(&t->names, nodes[node].name)))
		node = nodes[node].parent;
	return node;
}

int fg_lines_merge(struct fg_lines *l, const struct fg_columns *p,
		   struct fg_columns *made, struct fg_diag *diag)
{
	const struct fg_tree *t = &p->tree;
	/* indexed by node: its node in the new tree */
	uint32_t *nodes = fg_xcalloc(t->count, sizeof(*nodes));
	bool waits = has_waits(p);
	int status = 0;

	l->merged = fg_xcalloc(l->functions.count, sizeof(*l->merged));
	memset(l->merged, 0xff, l->functions.count * sizeof(*l->merged));
	*made = (struct fg_columns){ .columns = p->columns };
	fg_tree_init(&made->tree, FG_TREE_SORTED);
	made->tree.decimals = t->decimals;
	for (uint32_t i = 1; i < t->count && !status; i++) {
		uint32_t function = l->groups[t->nodes[i].name];
		uint32_t parent = t->nodes[i].parent;
		uint32_t own = waits ? waiting_frame(t, i) : i;
		uint64_t counts[2];

		if (parent && l->groups[t->nodes[parent].name] == function)
			nodes[i] = nodes[parent];
		else
			nodes[i] =
				fg_tree_child(&made->tree, nodes[parent],
					      fg_intern_name(&l->functions, function));
		l->merged[function] = made->tree.nodes[nodes[i]].name;
		fg_tree_own(t, i, counts);
		if (fg_tree_count(&made->tree, nodes[own], p->columns, counts))
			status = fg_error(diag, NULL, "the counts are too large");
	}
	free(nodes);
	if (status)
		return -1;
	fg_tree_finish(&made->tree);
	if (made->tree.before)
		made->before = fg_tree_sums_before(&made->tree);
	for (unsigned i = 0; i < 2; i++)
		made->totals[i] = p->totals[i];
	return 0;
}
