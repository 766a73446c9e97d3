/* Chooses the colours of --colors library and kind by the weights in a profile. */
#include "flamegraph/libraries.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph/library.h"
#include "flamegraph/module.h"
#include "flamegraph/prefix.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

/* The share of white in the lightest shade. */
#define LIGHTEST 0.2
/* Like LIGHTEST, for functions without a module: only their shade tells them apart. */
#define LIGHTEST_UNKNOWN 0.6

#define OTHERS FG_LIBRARY_HUES
#define UNKNOWN (FG_LIBRARY_HUES + 1)

/*
 * The hues by library differ as much as possible from each other and from the colour of
 * a search, for all kinds of colour vision. The first hues differ most. The hues by
 * kind are calm, and the first of them belong to the kinds of fg_module_kind(). Black
 * text has a contrast of at least 4.5 on the hues by library, and of at least 8 on the
 * hues by kind.
 */
static const struct fg_rgb hues[][FG_LIBRARY_HUES + 2] = {
	[FG_BY_LIBRARY] = { { 92, 130, 243 },
			    { 230, 219, 80 },
			    { 219, 96, 31 },
			    { 92, 210, 242 },
			    { 67, 160, 140 },
			    { 249, 157, 123 },
			    { 168, 118, 191 },
			    { 192, 154, 79 },
			    { 240, 170, 215 },
			    { 98, 239, 147 },
			    { 229, 113, 143 },
			    { 154, 196, 28 },
			    [OTHERS] = { 150, 150, 150 },
			    [UNKNOWN] = { 200, 200, 200 } },
	[FG_BY_KIND] = { { 220, 153, 116 },
			 { 142, 208, 156 },
			 { 192, 187, 118 },
			 { 154, 165, 187 },
			 { 125, 206, 206 },
			 { 121, 172, 225 },
			 { 232, 206, 144 },
			 { 189, 167, 230 },
			 { 233, 150, 162 },
			 { 200, 224, 141 },
			 { 155, 212, 240 },
			 { 238, 178, 217 },
			 [OTHERS] = { 187, 190, 195 },
			 [UNKNOWN] = { 160, 188, 224 } },
};

static unsigned char lighter(unsigned char channel, double share)
{
	return (unsigned char)(channel + (unsigned)(share * (255 - channel)));
}

static struct fg_rgb shade_of(struct fg_rgb colour, double share)
{
	return (struct fg_rgb){ lighter(colour.r, share), lighter(colour.g, share),
				lighter(colour.b, share) };
}

struct fg_rgb fg_library_colour(enum fg_grouping by, size_t hue, struct fg_shade shade)
{
	return shade_of(hues[by][hue], LIGHTEST * shade.v[0]);
}

struct fg_rgb fg_libraries_rank_colour(const struct fg_libraries *l, size_t rank,
				       struct fg_shade shade)
{
	/* the shades of short names differ only in the low bits, so we use these */
	double last = shade.v[0] * 256;

	if (l->by == FG_BY_KIND && rank == UNKNOWN)
		return shade_of(hues[l->by][rank],
				LIGHTEST_UNKNOWN * (last - (double)(unsigned)last));
	return fg_library_colour(l->by, l->hues[rank], shade);
}

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

	for (size_t i = 0; i < FG_COUNT_OF(starts); i++)
		if (fg_str_starts(name, starts[i]))
			return true;
	return false;
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

bool *fg_libraries_find_kernel(const struct fg_tree *tree, enum fg_stack_order stacks)
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

/* ---- the libraries of a profile */

/*
 * Tables that we need only while we find the libraries. They are indexed by the ids of
 * the tree's names.
 */
struct search {
	const struct fg_intern *names;
	bool *kernel;
	struct fg_prefixes prefixes;
};

/*
 * Returns the module of a name. If it has none, returns "kernel" for a function of the
 * kernel, else the name's family (prefix.h), else an empty string.
 */
static struct fg_str kind_of(struct search *s, uint32_t id)
{
	struct fg_str name = fg_intern_name(s->names, id);
	struct fg_str module = fg_module_of(name);

	if (!module.len && s->kernel[id])
		return FG_STR("kernel");
	return module.len ?
		       module :
		       fg_prefixes_of(&s->prefixes, fg_folded_without_annotation(name));
}

static void find_families(struct search *s)
{
	for (uint32_t id = 0; id < s->names->count; id++) {
		struct fg_str name = fg_intern_name(s->names, id);

		if (!s->kernel[id] && !fg_module_of(name).len)
			fg_prefixes_add(&s->prefixes,
					fg_folded_without_annotation(name));
	}
}

static void find_all(struct fg_libraries *l, const struct fg_tree *tree,
		     enum fg_stack_order stacks)
{
	struct search s = { .names = &tree->names };

	fg_prefixes_init(&s.prefixes);
	if (l->by == FG_BY_KIND) {
		s.kernel = fg_libraries_find_kernel(tree, stacks);
		find_families(&s);
	}
	l->of_count = tree->names.count;
	l->of = fg_xcalloc(l->of_count, sizeof(*l->of));
	for (uint32_t id = 0; id < l->of_count; id++) {
		struct fg_str library =
			l->by == FG_BY_KIND ?
				kind_of(&s, id) :
				fg_library_of(fg_intern_name(s.names, id));

		l->of[id] = library.len ? fg_intern(&l->names, library) : FG_NO_LIBRARY;
	}
	free(s.kernel);
	fg_prefixes_release(&s.prefixes);
}

static void add_frames(struct fg_libraries *l, const struct fg_tree *tree)
{
	l->self = fg_xcalloc(l->names.count, sizeof(*l->self));
	l->seen = fg_xcalloc(l->names.count, sizeof(*l->seen));
	l->unknown = tree->nodes[0].self;
	for (size_t i = 1; i < tree->count; i++) {
		const struct fg_tree_node *node = &tree->nodes[i];
		uint32_t id = l->of[node->name];

		*(id == FG_NO_LIBRARY ? &l->unknown : &l->self[id]) += node->self;
		if (id != FG_NO_LIBRARY)
			l->seen[id] += (double)node->total;
	}
}

static int compare_seen(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_libraries *l = context;

	if (l->seen[a] > l->seen[b] || l->seen[a] < l->seen[b])
		return l->seen[a] > l->seen[b] ? -1 : 1;
	return fg_str_cmp(fg_intern_name(&l->names, a), fg_intern_name(&l->names, b));
}

static int compare(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_libraries *l = context;

	if (l->self[a] != l->self[b])
		return l->self[a] > l->self[b] ? -1 : 1;
	return fg_str_cmp(fg_intern_name(&l->names, a), fg_intern_name(&l->names, b));
}

/*
 * Chooses hues by kind. Each kind of code has its own hue. Any other module gets the
 * first free hue, starting at the one that its name hashes to. It gets the hue of a
 * kind of code only if all others are taken.
 */
static void choose_hues(struct fg_libraries *l)
{
	const size_t modules = FG_LIBRARY_HUES - FG_MODULE_KINDS;
	bool taken[FG_LIBRARY_HUES] = { false };

	for (size_t rank = 0; rank < FG_LIBRARY_HUES && rank < l->count; rank++) {
		struct fg_str name = fg_intern_name(&l->names, l->order[rank]);
		size_t kind = fg_module_kind(name);

		l->hues[rank] = (unsigned char)kind;
		if (kind < FG_MODULE_KINDS)
			taken[kind] = true;
	}
	for (size_t rank = 0; rank < FG_LIBRARY_HUES && rank < l->count; rank++) {
		struct fg_str name = fg_intern_name(&l->names, l->order[rank]);
		size_t first = (size_t)(fg_fnv(name) >> 32);
		size_t i = 0, hue = l->hues[rank];

		if (hue < FG_MODULE_KINDS)
			continue;
		do
			hue = i < modules ? FG_MODULE_KINDS + (first + i) % modules :
					    i - modules;
		while (taken[hue] && ++i < FG_LIBRARY_HUES);
		taken[hue] = true;
		l->hues[rank] = (unsigned char)hue;
	}
}

void fg_libraries_init(struct fg_libraries *l, const struct fg_tree *tree,
		       enum fg_grouping by, enum fg_stack_order stacks)
{
	memset(l, 0, sizeof(*l));
	l->by = by;
	fg_intern_init(&l->names);
	find_all(l, tree, stacks);
	add_frames(l, tree);
	l->count = l->names.count;
	l->order = fg_xcalloc(l->count, sizeof(*l->order));
	l->ranks = fg_xcalloc(l->count, sizeof(*l->ranks));
	for (uint32_t id = 0; id < l->count; id++)
		l->order[id] = id;
	/* modules with the highest inclusive counts get the hues */
	if (by == FG_BY_KIND)
		fg_sort(l->order, l->count, compare_seen, l);
	if (by == FG_BY_LIBRARY || l->count <= FG_LIBRARY_HUES)
		fg_sort(l->order, l->count, compare, l);
	else
		fg_sort(l->order, FG_LIBRARY_HUES, compare, l);
	for (uint32_t rank = 0; rank < l->count; rank++)
		l->ranks[l->order[rank]] = rank;
	for (size_t rank = 0; rank < FG_LIBRARY_HUES + 2; rank++)
		l->hues[rank] = (unsigned char)rank;
	if (by == FG_BY_KIND)
		choose_hues(l);
}

void fg_libraries_release(struct fg_libraries *l)
{
	fg_intern_release(&l->names);
	free(l->of);
	free(l->seen);
	free(l->self);
	free(l->order);
	free(l->ranks);
	memset(l, 0, sizeof(*l));
}

struct fg_rgb fg_libraries_colour(const struct fg_libraries *l, uint32_t id,
				  struct fg_shade shade)
{
	uint32_t library = id < l->of_count ? l->of[id] : FG_NO_LIBRARY;
	size_t rank = UNKNOWN;

	if (library != FG_NO_LIBRARY)
		rank = l->ranks[library] < OTHERS ? l->ranks[library] : OTHERS;
	return fg_libraries_rank_colour(l, rank, shade);
}
