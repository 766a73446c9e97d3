/* The distinct stacks at the end: order, recursion, depth, time; then lines. */
#include "collapse/perf_fold.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/perf.h"
#include "lib/sort.h"
#include "lib/xalloc.h"

/* ---- --time-order: which stack came when */

/* Samples one after the other in one lane that had the same stack. */
struct run {
	uint32_t lane;
	uint32_t entry; /* in the counts of its number of roots */
	uint32_t root_depth;
	struct fg_sum weight;
};

/* A lane is what --root tells apart: a thread, a cpu; or all samples. */
struct perf_sequence {
	struct run *runs;
	size_t count, alloc;
	struct fg_intern lanes; /* by the ids of the root frames */
	size_t *newest_plus_1; /* run by lane */
	size_t newest_alloc;
};

struct perf_sequence *perf_sequence_new(void)
{
	struct perf_sequence *s = fg_xcalloc(1, sizeof(*s));

	fg_intern_init(&s->lanes);
	return s;
}

void perf_sequence_free(struct perf_sequence *s)
{
	if (!s)
		return;
	fg_intern_release(&s->lanes);
	free(s->newest_plus_1);
	free(s->runs);
	free(s);
}

/* Whether samples of different threads or cpus are kept apart. */
static bool has_lanes(const struct perf_options *o)
{
	for (size_t i = 0; i < o->root_count; i++)
		if (o->roots[i] == PERF_ROOT_PID || o->roots[i] == PERF_ROOT_TID ||
		    o->roots[i] == PERF_ROOT_CPU)
			return true;
	return o->tid || o->pid;
}

static void add_run(struct perf *p, size_t entry, size_t root_depth, uint64_t weight)
{
	struct perf_sequence *s = p->sequence;
	size_t root_bytes = has_lanes(p->options) ? root_depth * sizeof(uint32_t) : 0;
	size_t known = s->lanes.count;
	uint32_t lane =
		fg_intern(&s->lanes,
			  fg_str_of((const char *)fg_stack_ids(&p->stack), root_bytes));
	struct run *run;

	FG_GROW(s->newest_plus_1, s->newest_alloc, s->lanes.count);
	if (lane == known)
		s->newest_plus_1[lane] = 0;
	if (s->newest_plus_1[lane]) {
		run = &s->runs[s->newest_plus_1[lane] - 1];
		if (run->entry == entry && run->root_depth == root_depth) {
			fg_sum_add(&run->weight, weight);
			return;
		}
	}
	FG_GROW(s->runs, s->alloc, s->count + 1);
	run = &s->runs[s->count++];
	run->lane = lane;
	run->entry = (uint32_t)entry;
	run->root_depth = (uint32_t)root_depth;
	run->weight = (struct fg_sum){ weight, 0 };
	s->newest_plus_1[lane] = s->count;
}

void perf_fold_add(struct perf *p, size_t root_depth, uint64_t weight)
{
	struct fg_counts *counts = &p->counts[root_depth];
	struct fg_counts_entry *entry = fg_counts_entry(counts, fg_stack_ids(&p->stack),
							fg_stack_depth(&p->stack));

	fg_sum_add(&entry->sum, weight);
	if (p->sequence)
		add_run(p, (size_t)(entry - counts->entries), root_depth, weight);
}

/* ---- stacks made over */

static void reverse(uint32_t *ids, size_t depth)
{
	for (size_t i = 0; i < depth / 2; i++) {
		uint32_t id = ids[i];

		ids[i] = ids[depth - 1 - i];
		ids[depth - 1 - i] = id;
	}
}

struct make_over {
	const struct perf *perf;
	const struct perf_options *options;
	struct fg_counts *all; /* what comes of it */
	bool reverse;
	uint32_t *ids; /* room for one stack */
	size_t alloc;
	size_t *seen; /* by id: one more than where it may be in the chain */
};

/*
 * --skip-after: the chain starts with the last frame that the option names. False where
 * there is none.
 */
static bool cut_callers(const struct perf *p, uint32_t *ids, size_t *depth)
{
	size_t start = *depth;

	while (start && !perf_id_set_has(&p->skipped_after, ids[start - 1]))
		start--;
	if (!start)
		return false;
	*depth -= start - 1;
	memmove(ids, ids + start - 1, *depth * sizeof(*ids));
	return true;
}

static size_t cut_direct(uint32_t *ids, size_t depth)
{
	size_t to = 0;

	for (size_t i = 0; i < depth; i++)
		if (!to || ids[to - 1] != ids[i])
			ids[to++] = ids[i];
	return to;
}

/* A function that is met again takes the stack back to where it was met. */
static size_t cut_cycles(uint32_t *ids, size_t depth, size_t *seen)
{
	size_t to = 0;

	for (size_t i = 0; i < depth; i++) {
		uint32_t id = ids[i];

		if (seen[id] && seen[id] <= to && ids[seen[id] - 1] == id) {
			to = seen[id];
		} else {
			ids[to++] = id;
			seen[id] = to;
		}
	}
	return to;
}

static bool changes_stacks(const struct make_over *m)
{
	return m->reverse || m->options->max_depth || m->options->skip_after.count ||
	       m->options->recursion != PERF_RECURSION_KEEP;
}

/* How many frames at the leaf are --trace-field's, and no part of the chain. */
static size_t trace_values(const struct perf *p, const struct fg_counts_entry *entry,
			   size_t root_depth)
{
	size_t max = p->options->trace_field.count;
	size_t count = 0;

	while (count < max && root_depth + count < entry->depth &&
	       perf_id_set_has(&p->trace_values, entry->ids[entry->depth - count - 1]))
		count++;
	return count;
}

/* Copies a stack to m->ids as options want it; returns its depth. */
static size_t make_over(struct make_over *m, const struct fg_counts_entry *entry,
			size_t root_depth)
{
	size_t values = trace_values(m->perf, entry, root_depth);
	size_t depth = entry->depth - root_depth - values;
	uint32_t *chain;

	FG_GROW(m->ids, m->alloc, (size_t)entry->depth + 1);
	if (entry->depth)
		memcpy(m->ids, entry->ids, entry->depth * sizeof(*m->ids));
	chain = m->ids + root_depth;
	if (m->reverse)
		reverse(chain, depth);
	if (m->options->skip_after.count && cut_callers(m->perf, chain, &depth) &&
	    m->options->compat == PERF_COMPAT_INFERNO) {
		memmove(m->ids, chain, depth * sizeof(*chain)); /* the root goes too */
		chain = m->ids;
		root_depth = 0;
	}
	if (m->options->recursion == PERF_RECURSION_DIRECT)
		depth = cut_direct(chain, depth);
	else if (m->options->recursion == PERF_RECURSION_CYCLES)
		depth = cut_cycles(chain, depth, m->seen);
	if (m->options->max_depth && depth > m->options->max_depth)
		depth = (size_t)m->options->max_depth;
	memmove(chain + depth, entry->ids + entry->depth - values,
		values * sizeof(*chain));
	return root_depth + depth + values;
}

/* Adds all of `from`, made over; `where`: the new index of each entry. */
static void merge(struct make_over *m, const struct fg_counts *from, size_t root_depth,
		  uint32_t *where)
{
	for (size_t i = 0; i < from->count; i++) {
		size_t depth = make_over(m, &from->entries[i], root_depth);
		struct fg_counts_entry *sum = fg_counts_entry(m->all, m->ids, depth);

		fg_sum_add_sum(&sum->sum, from->entries[i].sum);
		if (where)
			where[i] = (uint32_t)(sum - m->all->entries);
	}
}

/* ---- the order of chains */

/* Whether chains came root first, as [call-graph] order = caller makes perf do. */
static bool is_caller_first(const struct perf *p)
{
	if (p->options->order != PERF_ORDER_AUTO)
		return p->options->order == PERF_ORDER_CALLER;
	if (p->votes[1] <= p->votes[0])
		return false;
	fg_warn(p->diag, NULL,
		"chains are printed caller first and were reversed "
		"(--order=callee keeps them)");
	return true;
}

/* ---- lines */

static int compare_lanes(const void *context, uint32_t a, uint32_t b)
{
	const struct run *runs = context;

	return (runs[a].lane > runs[b].lane) - (runs[a].lane < runs[b].lane);
}

/* Lane by lane, each in time order; equal neighbours are one line. */
static size_t write_sequence(struct perf *p, const struct fg_counts *all,
			     const struct fg_counts_format *format, struct fg_out *out)
{
	const struct perf_sequence *s = p->sequence;
	struct fg_counts_step *items = fg_xcalloc(s->count, sizeof(*items));
	struct fg_counts_steps steps = { all, items, 0 };
	uint32_t *order = fg_xcalloc(s->count, sizeof(*order));
	size_t lines;

	for (size_t i = 0; i < s->count; i++)
		order[i] = (uint32_t)i;
	fg_sort(order, s->count, compare_lanes, s->runs);
	for (size_t i = 0; i < s->count; i++) {
		const struct run *run = &s->runs[order[i]];
		bool same_lane = i && s->runs[order[i - 1]].lane == run->lane;

		if (same_lane && items[steps.count - 1].entry == run->entry) {
			fg_sum_add_sum(&items[steps.count - 1].sum, run->weight);
			continue;
		}
		items[steps.count].entry = run->entry;
		items[steps.count++].sum = run->weight;
	}
	lines = fg_counts_write_steps(&steps, &p->names, format, out);
	free(items);
	free(order);
	return lines;
}

/* Puts the stacks of every number of roots together. */
static void gather(struct perf *p, struct make_over *m)
{
	for (size_t roots = 0; roots <= PERF_ROOTS_MAX; roots++) {
		const struct fg_counts *from = &p->counts[roots];
		uint32_t *where = fg_xcalloc(from->count, sizeof(*where));

		merge(m, from, roots, where);
		for (size_t i = 0; p->sequence && i < p->sequence->count; i++) {
			struct run *run = &p->sequence->runs[i];

			if (run->root_depth == roots) {
				run->entry = where[run->entry];
				run->root_depth = UINT32_MAX; /* done */
			}
		}
		free(where);
	}
	if (!p->any_header && !m->all->count)
		merge(m, &p->orphans, 0, NULL);
}

/* The only table that has stacks, where nothing needs to be made over. */
static const struct fg_counts *only_table(const struct perf *p,
					  const struct make_over *m)
{
	const struct fg_counts *only = NULL;

	if (changes_stacks(m) || p->sequence || (!p->any_header && p->orphans.count))
		return NULL;
	for (size_t roots = 0; roots <= PERF_ROOTS_MAX; roots++) {
		if (!p->counts[roots].count)
			continue;
		if (only)
			return NULL;
		only = &p->counts[roots];
	}
	return only;
}

size_t perf_fold_write(struct perf *p, const struct fg_counts_format *format,
		       struct fg_out *out)
{
	struct fg_counts all;
	struct make_over m = { .perf = p, .options = p->options, .all = &all };
	const struct fg_counts *only;
	size_t lines;

	m.reverse = is_caller_first(p);
	only = only_table(p, &m);
	if (only)
		return fg_counts_write(only, &p->names, format, out);
	fg_counts_init(&all);
	m.seen = fg_xcalloc(p->names.count, sizeof(*m.seen));
	gather(p, &m);
	if (p->sequence)
		lines = write_sequence(p, &all, format, out);
	else
		lines = fg_counts_write(&all, &p->names, format, out);
	fg_counts_release(&all);
	free(m.ids);
	free(m.seen);
	return lines;
}
