/* --wall: what is counted of the time of threads, under which stacks. */
#include "collapse/formats/perf/text/wall_state.h"

#include <string.h>

#include "collapse/formats/perf/text/deferred.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

static const struct fg_str wait_states[PERF_WAITS] = {
	[PERF_WAIT_ASLEEP] = FG_STR_INIT("waiting"),
	[PERF_WAIT_PREEMPTED] = FG_STR_INIT("preempted"),
};

static const struct fg_str wait_leaves[PERF_WAITS] = {
	[PERF_WAIT_ASLEEP] = FG_STR_INIT("[waiting]_[o]"),
	[PERF_WAIT_PREEMPTED] = FG_STR_INIT("[preempted]_[o]"),
};

/* ---- stacks */

/* Whether chains come root first, as far as is known until now. */
static bool is_reversed(const struct perf *p)
{
	if (p->options->order != PERF_ORDER_AUTO)
		return p->options->order == PERF_ORDER_CALLER;
	return p->votes[1] > p->votes[0];
}

void perf_wall_keep_stack(const struct perf *p, struct perf_chain *c)
{
	size_t depth = fg_stack_depth(p->stack);

	perf_chain_set(c, fg_stack_ids(p->stack), depth);
	if (is_reversed(p))
		for (size_t i = 0; i < depth; i++)
			c->ids[i] = fg_stack_ids(p->stack)[depth - 1 - i];
}

/* The first frames of a chain and, if there is one, a leaf below them. */
static void put(struct perf *p, const struct perf_chain *c, size_t depth,
		const uint32_t *leaf)
{
	fg_stack_clear(p->stack);
	if (is_reversed(p)) {
		for (size_t i = 0; i < depth; i++)
			fg_stack_add_root(p->stack, c->ids[i]);
		if (leaf)
			fg_stack_add_root(p->stack, *leaf);
		return;
	}
	if (leaf)
		fg_stack_add_root(p->stack, *leaf);
	for (size_t i = depth; i-- > 0;)
		fg_stack_add_root(p->stack, c->ids[i]);
}

void perf_wall_put_stack(struct perf *p, const struct perf_chain *c, size_t depth)
{
	put(p, c, depth, NULL);
}

static uint32_t name_of_leaf(struct perf *p, struct fg_str name)
{
	return fg_intern(p->names, name);
}

/* The frame as the leaf of a wait. */
static uint32_t mark(struct perf *p, uint32_t id)
{
	struct perf_wall *w = p->wall;
	size_t had = w->marked_alloc;
	unsigned marks = 0;

	FG_GROW(w->marked, w->marked_alloc, (size_t)id + 1);
	if (w->marked_alloc > had)
		memset(w->marked + had, 0,
		       (w->marked_alloc - had) * sizeof(*w->marked));
	if (w->marked[id])
		return w->marked[id] - 1;
	fg_buf_clear(&p->scratch);
	fg_buf_add_str(&p->scratch,
		       fg_folded_without_annotation(fg_intern_name(p->names, id)));
	fg_buf_add_str(&p->scratch, FG_STR("_[o]"));
	w->marked[id] = fg_intern(p->names, fg_buf_str(&p->scratch)) + 1;
	for (unsigned bit = FG_MARK_BASE; bit <= FG_MARK_VALUE; bit <<= 1)
		if (fg_sink_has_mark(p->sink, id, (enum fg_mark)bit))
			marks |= bit;
	if (marks)
		fg_sink_mark(p->sink, w->marked[id] - 1, marks);
	return w->marked[id] - 1;
}

/* ---- counting */

/* Counts the stack that is open. */
static void count(struct perf *p, const struct fg_roots *roots, uint64_t weight)
{
	p->wall->total += weight;
	if (weight && (roots->count || fg_stack_depth(p->stack)))
		fg_sink_count(p->sink, roots, weight);
	fg_stack_clear(p->stack);
}

/* The same of a weight of which it may be known when it was. */
static void count_spans(struct perf *p, const struct fg_roots *roots, uint64_t weight,
			struct perf_spans *when)
{
	if (weight && (roots->count || fg_stack_depth(p->stack)))
		for (size_t i = 0; i < when->count; i++)
			fg_sink_add_span(p->sink, when->items[i].from,
					 when->items[i].to);
	when->count = 0;
	count(p, roots, weight);
}

/* Counts a wait with the stack of when it began. */
static void count_left(struct perf *p, const struct perf_thread *th, uint64_t weight)
{
	const struct perf_wait_stack *left = &th->left;
	struct perf_span when = { th->since - weight, th->since };
	struct perf_spans span = { &when, p->wall->wants_spans && weight, 1 };
	struct perf_sample open = p->sample;
	size_t depth = left->chain.depth;
	uint32_t leaf = depth ? mark(p, left->chain.ids[depth - 1]) :
				name_of_leaf(p, wait_leaves[PERF_WAIT_ASLEEP]);

	put(p, &left->chain, depth ? depth - 1 : 0, &leaf);
	if (!left->deferred) {
		count_spans(p, &left->roots, weight, &span);
		return;
	}
	p->wall->total += weight;
	p->sample.cookie = left->cookie;
	p->sample.roots = left->roots;
	p->sample.weight = weight;
	p->sample.until = th->since;
	perf_deferred_hold(p);
	p->sample = open;
	fg_stack_clear(p->stack);
}

static void add_wait(const struct perf *p, struct perf_thread *th, uint64_t waited)
{
	th->waits[th->wait] += waited;
	if (p->wall->wants_spans)
		perf_spans_add(&th->wait_spans[th->wait], th, waited);
}

void perf_wall_end_wait(struct perf *p, struct perf_thread *th, uint64_t time)
{
	uint64_t waited = perf_threads_pass(&p->wall->threads, th, time);

	if (th->wanted && th->left.known)
		count_left(p, th, waited);
	else if (th->wanted)
		add_wait(p, th, waited);
	th->left.known = false;
}

void perf_wall_name_waits(struct perf *p, const struct perf_thread *th,
			  const struct fg_sample *sample)
{
	for (size_t i = 0; i < PERF_WAITS; i++) {
		struct fg_sample wait = *sample;

		if (!th->waits[i])
			continue;
		wait.state = wait_states[i];
		fg_sink_set_roots(p->sink, &wait, &p->wall->open.roots[i]);
	}
}

bool perf_wall_count_waits(struct perf *p, struct perf_thread *th,
			   const struct fg_roots roots[PERF_WAITS], size_t depth)
{
	bool any = false;

	for (size_t i = 0; i < PERF_WAITS; i++) {
		uint32_t leaf;

		if (!th->waits[i])
			continue;
		any = true;
		leaf = name_of_leaf(p, wait_leaves[i]);
		put(p, &th->last, depth, &leaf);
		count_spans(p, &roots[i], th->waits[i], &th->wait_spans[i]);
		th->waits[i] = 0;
	}
	return any;
}

void perf_wall_count_run(struct perf *p, struct perf_thread *th)
{
	struct perf_wall *w = p->wall;
	const struct perf_sample *s = &p->sample;
	const struct perf_held_sums sums = { th->tid, w->open.period, s->weight };

	if (s->user_frames == PERF_USER_LATER) {
		w->total += s->weight;
		perf_deferred_hold(p);
		return;
	}
	p->tally->kept++;
	if (w->any_switch)
		count_spans(p, &s->roots, s->weight, &w->open.run_spans);
	else
		perf_held_add(w->held, p, &sums);
	th->periods += w->open.period;
	th->held += s->weight;
}

void perf_wall_count_waited(struct perf *p)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th = perf_threads_of(&w->threads, w->open.tid);
	size_t depth;
	uint32_t leaf;

	p->tally->kept++;
	th->waited += p->sample.weight;
	perf_wall_keep_stack(p, &w->now);
	depth = w->now.depth;
	leaf = depth ? mark(p, w->now.ids[depth - 1]) :
		       name_of_leaf(p, wait_leaves[PERF_WAIT_ASLEEP]);
	put(p, &w->now, depth ? depth - 1 : 0, &leaf);
	/* one long wait has the time when it ended; a sum of several has a fake one */
	if (p->sample.roots.has_time && p->sample.roots.time <= INT64_MAX &&
	    p->sample.roots.time >= p->sample.weight)
		fg_sink_add_span(p->sink, p->sample.roots.time - p->sample.weight,
				 p->sample.roots.time);
	count(p, &p->sample.roots, p->sample.weight);
}

/* ---- the end of a thread */

/*
 * Counts what a thread ran after its last sample: with that sample's stack or, if it
 * never had one, as [running]. Without switches nothing is counted yet, as its samples
 * will share the time from its start to its end, which only becomes longer.
 */
static void count_tail(struct perf *p, struct perf_thread *th)
{
	struct fg_sample sample = perf_threads_sample(&p->wall->threads, th);
	struct fg_roots roots;
	uint32_t leaf;

	if (!p->wall->any_switch) {
		th->held += th->run;
	} else if (th->samples) {
		put(p, &th->last, th->last.depth, NULL);
		count_spans(p, &th->roots, th->run, &th->run_spans);
	} else if (fg_sink_selects(p->sink, &sample)) {
		sample.state = FG_STR("running");
		fg_sink_set_roots(p->sink, &sample, &roots);
		leaf = name_of_leaf(p, FG_STR("[running]"));
		put(p, &th->last, 0, &leaf);
		count_spans(p, &roots, th->run, &th->run_spans);
	}
	th->run = th->run_spans.count = 0;
}

void perf_wall_flush_waits(struct perf *p, struct perf_thread *th)
{
	struct fg_sample sample = perf_threads_sample(&p->wall->threads, th);
	struct fg_roots roots[PERF_WAITS];

	for (size_t i = 0; i < PERF_WAITS; i++) {
		sample.state = wait_states[i];
		fg_sink_set_roots(p->sink, &sample, &roots[i]);
	}
	/* of one sample alone it is not known how long its callers were there */
	perf_wall_count_waits(p, th, roots, th->samples > 1 ? th->common : 0);
	/* each stack of the input is used once here, or time would not be linear */
	th->samples = th->common = th->last.depth = 0;
}

void perf_wall_end_thread(struct perf *p, struct perf_thread *th)
{
	th->state = PERF_THREAD_ENDED;
	if (!th->named)
		return;
	if (th->run)
		count_tail(p, th);
	perf_wall_flush_waits(p, th);
}
