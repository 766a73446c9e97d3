/* The distinct stacks at the end: order, recursion, depth, time; then lines. */
#include "collapse/fold.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/sink.h"
#include "lib/regex.h"
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
struct fg_sequence {
	struct run *runs;
	size_t count, alloc;
	struct fg_intern lanes; /* by the ids of the root frames */
	size_t *newest_plus_1; /* run by lane */
	size_t newest_alloc;
};

struct fg_sequence *fg_sequence_new(void)
{
	struct fg_sequence *s = fg_xcalloc(1, sizeof(*s));

	fg_intern_init(&s->lanes);
	return s;
}

void fg_sequence_free(struct fg_sequence *s)
{
	if (!s)
		return;
	fg_intern_release(&s->lanes);
	free(s->newest_plus_1);
	free(s->runs);
	free(s);
}

/* Whether samples of different threads or cpus are kept apart. */
static bool has_lanes(const struct fg_samples_options *o)
{
	for (size_t i = 0; i < o->root_count; i++)
		if (o->roots[i] == FG_ROOT_PID || o->roots[i] == FG_ROOT_TID ||
		    o->roots[i] == FG_ROOT_CPU)
			return true;
	return o->tid || o->pid;
}

void fg_sequence_add(struct fg_sink *sink, size_t entry, const struct fg_roots *roots,
		     uint64_t weight)
{
	struct fg_sequence *s = sink->sequence;
	size_t lane_bytes =
		has_lanes(sink->samples) ? roots->count * sizeof(roots->ids[0]) : 0;
	size_t known = s->lanes.count;
	uint32_t lane =
		fg_intern(&s->lanes, fg_str_of((const char *)roots->ids, lane_bytes));
	struct run *run;

	FG_GROW(s->newest_plus_1, s->newest_alloc, s->lanes.count);
	if (lane == known)
		s->newest_plus_1[lane] = 0;
	if (s->newest_plus_1[lane]) {
		run = &s->runs[s->newest_plus_1[lane] - 1];
		if (run->entry == entry && run->root_depth == roots->count) {
			fg_sum_add(&run->weight, weight);
			return;
		}
	}
	FG_GROW(s->runs, s->alloc, s->count + 1);
	run = &s->runs[s->count++];
	run->lane = lane;
	run->entry = (uint32_t)entry;
	run->root_depth = (uint32_t)roots->count;
	run->weight = (struct fg_sum){ weight, 0 };
	s->newest_plus_1[lane] = s->count;
}

/* ---- --keep and --drop: which lines are written */

struct patterns {
	struct fg_regex **items;
	size_t count;
};

struct fg_filter {
	struct patterns keep, drop;
	bool failed; /* reported; no line is written from there on */
};

static void free_patterns(struct patterns *p)
{
	for (size_t i = 0; i < p->count; i++)
		fg_regex_free(p->items[i]);
	free(p->items);
}

static int compile(struct patterns *p, const struct fg_opt_list *texts,
		   const char *option, struct fg_diag *diag)
{
	p->items = fg_xcalloc(texts->count, sizeof(*p->items));
	for (size_t i = 0; i < texts->count; i++) {
		p->items[i] = fg_regex_new(texts->items[i], option, diag);
		if (!p->items[i])
			return -1;
		p->count++;
	}
	return 0;
}

int fg_filter_new(const struct fg_common_options *o, struct fg_diag *diag,
		  struct fg_filter **made)
{
	*made = NULL;
	if (!o->keep.count && !o->drop.count)
		return 0;
	*made = fg_xcalloc(1, sizeof(**made));
	if (compile(&(*made)->keep, &o->keep, "--keep", diag) ||
	    compile(&(*made)->drop, &o->drop, "--drop", diag))
		return -1;
	return 0;
}

void fg_filter_free(struct fg_filter *f)
{
	if (!f)
		return;
	free_patterns(&f->keep);
	free_patterns(&f->drop);
	free(f);
}

bool fg_filter_failed(const struct fg_filter *f)
{
	return f && f->failed;
}

static bool any_matches(struct fg_filter *f, const struct patterns *patterns,
			struct fg_str stack)
{
	for (size_t i = 0; i < patterns->count && !f->failed; i++) {
		int matched = fg_regex_match(patterns->items[i], stack);

		f->failed |= matched < 0;
		if (matched > 0)
			return true;
	}
	return false;
}

static bool is_kept(void *data, struct fg_str stack)
{
	struct fg_filter *f = data;

	if (f->failed || (f->keep.count && !any_matches(f, &f->keep, stack)))
		return false;
	return !any_matches(f, &f->drop, stack) && !f->failed;
}

/* ---- stacks as options want them */

static void reverse(uint32_t *ids, size_t depth)
{
	for (size_t i = 0; i < depth / 2; i++) {
		uint32_t id = ids[i];

		ids[i] = ids[depth - 1 - i];
		ids[depth - 1 - i] = id;
	}
}

/* Puts stacks into the shape that options ask for. */
struct shaper {
	const struct fg_sink *sink;
	const struct fg_common_options *options;
	struct fg_counts *all; /* the shaped stacks */
	uint32_t *ids; /* room for one stack */
	size_t alloc;
	size_t *seen; /* by id: one more than where it may be in the chain */
};

/* The chain starts with its last frame of FG_MARK_BASE; false where it has none. */
static bool cut_callers(const struct fg_sink *sink, uint32_t *ids, size_t *depth)
{
	size_t start = *depth;

	while (start && !fg_sink_has_mark(sink, ids[start - 1], FG_MARK_BASE))
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

static bool changes_stacks(const struct fg_sink *s)
{
	return s->root_first || s->cuts_callers || s->common->max_depth ||
	       s->common->recursion != FG_RECURSION_KEEP;
}

/* How many frames at the leaf are values, and no part of the chain. */
static size_t count_values(const struct fg_sink *s, const struct fg_counts_entry *entry,
			   size_t root_depth)
{
	size_t count = 0;

	while (count < s->values_max && root_depth + count < entry->depth &&
	       fg_sink_has_mark(s, entry->ids[entry->depth - count - 1], FG_MARK_VALUE))
		count++;
	return count;
}

/* Copies a stack to m->ids as options want it; returns its depth. */
static size_t shape(struct shaper *m, const struct fg_counts_entry *entry,
		    size_t root_depth)
{
	size_t values = count_values(m->sink, entry, root_depth);
	size_t depth = entry->depth - root_depth - values;
	uint32_t *chain;

	FG_GROW(m->ids, m->alloc, (size_t)entry->depth + 1);
	if (entry->depth)
		memcpy(m->ids, entry->ids, entry->depth * sizeof(*m->ids));
	chain = m->ids + root_depth;
	if (m->sink->root_first)
		reverse(chain, depth);
	if (m->sink->cuts_callers != FG_CUT_NONE &&
	    cut_callers(m->sink, chain, &depth) &&
	    m->sink->cuts_callers == FG_CUT_ROOTS) {
		memmove(m->ids, chain, depth * sizeof(*chain));
		chain = m->ids;
		root_depth = 0;
	}
	if (m->options->recursion == FG_RECURSION_DIRECT)
		depth = cut_direct(chain, depth);
	else if (m->options->recursion == FG_RECURSION_CYCLES)
		depth = cut_cycles(chain, depth, m->seen);
	if (m->options->max_depth && depth > m->options->max_depth)
		depth = (size_t)m->options->max_depth;
	memmove(chain + depth, entry->ids + entry->depth - values,
		values * sizeof(*chain));
	return root_depth + depth + values;
}

/* Adds all of `from`, shaped; `where`: the new index of each entry. */
static void merge(struct shaper *m, const struct fg_counts *from, size_t root_depth,
		  uint32_t *where)
{
	for (size_t i = 0; i < from->count; i++) {
		size_t depth = shape(m, &from->entries[i], root_depth);
		struct fg_counts_entry *sum = fg_counts_entry(m->all, m->ids, depth);

		fg_sum_add_sum(&sum->sum, from->entries[i].sum);
		if (where)
			where[i] = (uint32_t)(sum - m->all->entries);
	}
}

/* ---- lines */

static int compare_lanes(const void *context, uint32_t a, uint32_t b)
{
	const struct run *runs = context;

	return (runs[a].lane > runs[b].lane) - (runs[a].lane < runs[b].lane);
}

/* Lane by lane, each in time order; equal neighbours are one line. */
static size_t write_sequence(const struct fg_sink *sink, const struct fg_counts *all,
			     const struct fg_counts_format *format, struct fg_out *out)
{
	const struct fg_sequence *s = sink->sequence;
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
	lines = fg_counts_write_steps(&steps, &sink->names, format, out);
	free(items);
	free(order);
	return lines;
}

/* Puts the stacks of every number of roots together; they are in m->all only, then. */
static void gather(struct fg_sink *s, struct shaper *m)
{
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++) {
		struct fg_counts *from = &s->counts[roots];
		uint32_t *where = fg_xcalloc(from->count, sizeof(*where));

		merge(m, from, roots, where);
		for (size_t i = 0; s->sequence && i < s->sequence->count; i++) {
			struct run *run = &s->sequence->runs[i];

			if (run->root_depth == roots) {
				run->entry = where[run->entry];
				run->root_depth = UINT32_MAX; /* done */
			}
		}
		free(where);
		fg_counts_release(from);
	}
	if (!s->any_header && !m->all->count)
		merge(m, &s->orphans, 0, NULL);
}

/* The only table that has stacks, where they have the shape that options want. */
static const struct fg_counts *only_table(const struct fg_sink *s)
{
	const struct fg_counts *only = NULL;

	if (changes_stacks(s) || s->sequence || (!s->any_header && s->orphans.count))
		return NULL;
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++) {
		if (!s->counts[roots].count)
			continue;
		if (only)
			return NULL;
		only = &s->counts[roots];
	}
	return only;
}

/* Nothing is looked up from now on. */
static void finish(struct fg_sink *s)
{
	fg_intern_trim(&s->names);
	fg_intern_release(&s->comms);
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++)
		fg_counts_finish(&s->counts[roots]);
	fg_counts_finish(&s->orphans);
}

size_t fg_sink_write(struct fg_sink *s, struct fg_out *out)
{
	const struct fg_counts_format format = {
		.style = s->style,
		.decimals = s->decimals,
		.whole = !s->keeps_decimals,
		.keep = s->filter ? is_kept : NULL,
		.data = s->filter,
	};
	const struct fg_counts *only = only_table(s);
	struct fg_counts all;
	struct shaper m = { .sink = s, .options = s->common, .all = &all };
	size_t lines;

	finish(s);
	if (only)
		return fg_counts_write(only, &s->names, &format, out);
	fg_counts_init(&all);
	m.seen = fg_xcalloc(s->names.count, sizeof(*m.seen));
	gather(s, &m);
	fg_counts_finish(&all);
	if (s->sequence)
		lines = write_sequence(s, &all, &format, out);
	else
		lines = fg_counts_write(&all, &s->names, &format, out);
	fg_counts_release(&all);
	free(m.ids);
	free(m.seen);
	return lines;
}
