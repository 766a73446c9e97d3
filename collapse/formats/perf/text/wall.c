/* --wall: all time of threads, on a CPU and off it. */
#include "collapse/formats/perf/text/wall.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/text/deferred.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/task.h"
#include "collapse/formats/perf/text/threads.h"
#include "lib/base/count.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

/* What the open sample is. */
enum perf_wall_kind {
	PERF_WALL_NO_SAMPLE, /* one that does not count: the idle task's */
	PERF_WALL_TIMELESS, /* it has no time or no thread */
	PERF_WALL_RUNS, /* the thread is on a CPU */
	PERF_WALL_LEAVES, /* the thread leaves the CPU */
	PERF_WALL_WAITED, /* the end of a wait, with how long it was */
};

struct perf_wall_open {
	enum perf_wall_kind kind;
	uint64_t tid; /* 0 if not known, or of the idle task */
	uint64_t period;
	struct perf_spans run_spans; /* its weight, for --slice */
	struct fg_roots roots[PERF_WAITS]; /* root frames of the waits it ends */
};

/* What equal samples add up to. */
struct perf_held_sums {
	uint64_t tid;
	uint64_t periods;
	uint64_t run; /* nanoseconds since the samples before them */
};

struct perf_held {
	struct fg_intern keys; /* struct key, and the ids of frames */
	struct perf_held_sums *sums; /* by id of the key */
	size_t alloc;
	struct fg_buf key; /* room for work */
};

struct key {
	uint64_t tid;
	struct fg_roots roots;
};

struct perf_wall {
	struct perf_threads threads;
	struct perf_held held;
	struct perf_wall_open open;
	struct perf_chain now; /* the stack of the open sample */
	uint32_t *marked; /* by frame id: id of NAME_[o] plus 1; 0 if not made yet */
	size_t marked_alloc;
	bool any_switch, any_task, any_waited; /* records seen in this input */
	bool wants_spans; /* --slice is given */
	bool clocks; /* periods are nanoseconds */
	bool said_switches; /* some input had switches or waits */
	uint64_t total; /* counted so far */
	uint64_t unseen; /* waits whose end only a later sample shows */
	uint64_t timeless; /* samples without a time or a thread */
	uint64_t unended; /* waits whose end is not known */
	uint64_t idle, idle_time; /* threads that only waited, and their time */
	bool taskless; /* an input with switches has no records of threads' ends */
};

struct perf_wall *perf_wall_new(const struct fg_sink *sink)
{
	struct perf_wall *w = fg_xcalloc(1, sizeof(*w));

	w->wants_spans = fg_sink_wants_time(sink);
	perf_threads_init(&w->threads);
	fg_intern_init(&w->held.keys);
	w->clocks = true;
	return w;
}

void perf_wall_free(struct perf_wall *w)
{
	if (!w)
		return;
	perf_threads_release(&w->threads);
	fg_intern_release(&w->held.keys);
	fg_buf_release(&w->held.key);
	free(w->held.sums);
	free(w->marked);
	free(w->now.ids);
	free(w->open.run_spans.items);
	free(w);
}

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

static void keep_stack(const struct perf *p, struct perf_chain *c)
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
	perf_push_ids(p, c->ids, depth);
}

static void put_stack(struct perf *p, const struct perf_chain *c, size_t depth)
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

/* ---- samples whose weight is not known yet */

/* Returns what samples of these sums weigh. */
typedef uint64_t weigh_fn(void *data, const struct perf_held_sums *sums);

static void held_add(struct perf_held *h, const struct perf *p,
		     const struct perf_held_sums *sums)
{
	size_t known = h->keys.count, depth = fg_stack_depth(p->stack);
	struct key key;
	uint32_t id;

	memset(&key, 0, sizeof(key));
	key.tid = sums->tid;
	key.roots.count = p->sample.roots.count;
	key.roots.has_time = p->sample.roots.has_time && fg_sink_wants_time(p->sink);
	key.roots.time = fg_sink_slice_start(p->sink, p->sample.roots.time);
	memcpy(key.roots.ids, p->sample.roots.ids,
	       key.roots.count * sizeof(*key.roots.ids));
	fg_buf_clear(&h->key);
	fg_buf_add_str(&h->key, fg_str_of((const char *)&key, sizeof(key)));
	if (depth)
		fg_buf_add_str(&h->key, fg_str_of((const char *)fg_stack_ids(p->stack),
						  depth * sizeof(uint32_t)));
	id = fg_intern(&h->keys, fg_buf_str(&h->key));
	FG_GROW(h->sums, h->alloc, h->keys.count);
	if (id == known)
		h->sums[id] = (struct perf_held_sums){ .tid = sums->tid };
	h->sums[id].periods = fg_count_add(h->sums[id].periods, sums->periods);
	h->sums[id].run = fg_count_add(h->sums[id].run, sums->run);
}

static void count_held(struct perf *p, struct fg_str name, uint64_t weight)
{
	struct fg_str ids = fg_str_from_pos(name, sizeof(struct key));
	struct key key;

	memcpy(&key, name.ptr, sizeof(key));
	fg_stack_clear(p->stack);
	for (size_t at = ids.len; at; at -= sizeof(uint32_t)) {
		uint32_t id;

		memcpy(&id, ids.ptr + at - sizeof(id), sizeof(id));
		fg_stack_add_root(p->stack, id);
	}
	fg_sink_count(p->sink, &key.roots, weight);
	fg_stack_clear(p->stack);
}

static void held_count(struct perf_held *h, struct perf *p, weigh_fn *weigh, void *data)
{
	for (uint32_t id = 0; id < h->keys.count; id++) {
		uint64_t weight = weigh(data, &h->sums[id]);

		if (weight)
			count_held(p, fg_intern_name(&h->keys, id), weight);
	}
	fg_intern_release(&h->keys);
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

static void end_wait(struct perf *p, struct perf_thread *th, uint64_t time)
{
	uint64_t waited = perf_threads_pass(&p->wall->threads, th, time);

	if (th->wanted && th->left.known)
		count_left(p, th, waited);
	else if (th->wanted)
		add_wait(p, th, waited);
	th->left.known = false;
}

static void name_waits(struct perf *p, const struct perf_thread *th,
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

static bool count_waits(struct perf *p, struct perf_thread *th,
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

static void count_run(struct perf *p, struct perf_thread *th)
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
		held_add(&w->held, p, &sums);
	th->periods += w->open.period;
	th->held += s->weight;
}

static void count_waited(struct perf *p)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th = perf_threads_of(&w->threads, w->open.tid);
	size_t depth;
	uint32_t leaf;

	p->tally->kept++;
	th->waited += p->sample.weight;
	keep_stack(p, &w->now);
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

static void flush_waits(struct perf *p, struct perf_thread *th)
{
	struct fg_sample sample = perf_threads_sample(&p->wall->threads, th);
	struct fg_roots roots[PERF_WAITS];

	for (size_t i = 0; i < PERF_WAITS; i++) {
		sample.state = wait_states[i];
		fg_sink_set_roots(p->sink, &sample, &roots[i]);
	}
	/* of one sample alone it is not known how long its callers were there */
	count_waits(p, th, roots, th->samples > 1 ? th->common : 0);
	/* each stack of the input is used once here, or time would not be linear */
	th->samples = th->common = th->last.depth = 0;
}

static void end_thread(struct perf *p, struct perf_thread *th)
{
	th->state = PERF_THREAD_ENDED;
	if (!th->named)
		return;
	if (th->run)
		count_tail(p, th);
	flush_waits(p, th);
}

/* ---- what a thread does */

static void run_until(struct perf *p, struct perf_thread *th, uint64_t time)
{
	uint64_t ran = perf_threads_pass(&p->wall->threads, th, time);

	th->run += ran;
	if (p->wall->wants_spans)
		perf_spans_add(&th->run_spans, th, ran);
}

static uint64_t run_of(void *data, const struct perf_held_sums *sums)
{
	struct perf_wall *w = data;

	w->total += sums->run;
	return sums->run;
}

/* The recording has switches, so samples count the time since the one before. */
static void see_switch(struct perf *p)
{
	if (!p->wall->any_switch)
		held_count(&p->wall->held, p, run_of, p->wall);
	p->wall->any_switch = true;
}

static bool is_wanted(struct perf *p, const struct perf_thread *th)
{
	struct fg_sample sample = perf_threads_sample(&p->wall->threads, th);

	return fg_sink_selects(p->sink, &sample);
}

/* Whatever it did last is over. */
static void comes_back(struct perf *p, struct perf_thread *th, uint64_t time)
{
	struct perf_wall *w = p->wall;

	if (th->state == PERF_THREAD_ENDED && w->any_task)
		return;
	if (th->state == PERF_THREAD_ENDED)
		th->placed = false;
	/* where it seems to run, that it left is lost */
	if (th->state != PERF_THREAD_WAITS) {
		th->wanted = is_wanted(p, th);
		th->wait = PERF_WAIT_ASLEEP;
	}
	end_wait(p, th, time);
	th->state = PERF_THREAD_RUNS;
	th->ran = true;
}

static void leaves(struct perf *p, struct perf_thread *th, const struct perf_task *r)
{
	if (th->state == PERF_THREAD_ENDED || th->state == PERF_THREAD_WAITS)
		return;
	run_until(p, th, r->time);
	th->state = PERF_THREAD_WAITS;
	th->ran = true;
	th->left.known = false;
	th->wait = r->change == PERF_TASK_PREEMPTED ? PERF_WAIT_PREEMPTED :
						      PERF_WAIT_ASLEEP;
	th->wanted = is_wanted(p, th);
}

static void begins(struct perf *p, struct perf_thread *th, uint64_t time)
{
	if (th->placed && th->state != PERF_THREAD_ENDED)
		end_thread(p, th);
	th->state = PERF_THREAD_UNKNOWN;
	th->placed = th->ran = false;
	th->was_there = !time;
	th->samples = th->common = th->last.depth = 0;
	if (time)
		perf_threads_pass(&p->wall->threads, th, time);
}

static void ends(struct perf *p, struct perf_thread *th, uint64_t time)
{
	if (th->state == PERF_THREAD_ENDED)
		return;
	if (th->state == PERF_THREAD_WAITS)
		end_wait(p, th, time);
	else
		run_until(p, th, time);
	th->ran = true;
	end_thread(p, th);
}

void perf_wall_record(struct perf *p, const struct perf_task *r)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th;

	if (r->time && !w->threads.any_time)
		fg_sink_note_time(p->sink, r->time);
	if (r->time)
		perf_threads_at(&w->threads, r->time);
	th = perf_threads_of(&w->threads, r->tid);
	w->any_task |= r->change >= PERF_TASK_BEGINS;
	if (r->change < PERF_TASK_BEGINS)
		see_switch(p);
	if (r->change == PERF_TASK_BEGINS)
		begins(p, th, r->time);
	if (r->change == PERF_TASK_NAMED && !th->placed && !r->time)
		th->was_there = true;
	if (r->change == PERF_TASK_NAMED && th->named)
		flush_waits(p, th);
	perf_threads_name(&w->threads, th, &r->says);
	if (r->change == PERF_TASK_ENDS)
		ends(p, th, r->time);
	else if (r->change == PERF_TASK_IN)
		comes_back(p, th, r->time);
	else if (r->change < PERF_TASK_BEGINS)
		leaves(p, th, r);
}

/* ---- samples */

/* A sample shows that a thread runs that was not seen to come back. */
static void see_running(struct perf *p, struct perf_thread *th, uint64_t time)
{
	if (th->state == PERF_THREAD_WAITS) {
		p->wall->unseen++;
		end_wait(p, th, time);
	} else {
		run_until(p, th, time);
	}
	th->state = PERF_THREAD_RUNS;
	th->ran = true;
}

static void open_running(struct perf *p, struct fg_sample *sample)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th = perf_threads_of(&w->threads, w->open.tid);
	const struct perf_spans empty = w->open.run_spans;

	see_running(p, th, sample->time);
	w->open.run_spans = th->run_spans;
	th->run_spans = empty;
	w->open.period = sample->weight;
	w->clocks &= sample->weight > 1 &&
		     (fg_str_starts(sample->event, FG_STR("cpu-clock")) ||
		      fg_str_starts(sample->event, FG_STR("task-clock")));
	sample->weight = th->run;
	sample->state = FG_STR("running");
	th->run = 0;
	perf_threads_name(&w->threads, th, sample);
}

/* It came back without our knowledge, or a record said before that it left. */
static void open_leaving(struct perf *p, struct fg_sample *sample,
			 const struct perf_switch *now)
{
	struct perf_wall *w = p->wall;
	struct perf_threads *threads = &w->threads;
	struct perf_thread *th;

	see_switch(p);
	sample->state = now->state;
	if (now->next_pid)
		comes_back(p,
			   perf_threads_of(threads,
					   perf_threads_tid(threads, now->next_pid)),
			   sample->time);
	if (w->open.tid)
		perf_threads_note_pid(threads, now->prev_pid, w->open.tid);
	else
		w->open.tid = perf_threads_tid(threads, now->prev_pid);
	th = perf_threads_of(threads, w->open.tid);
	perf_threads_name(threads, th, sample);
	if (th->state == PERF_THREAD_ENDED) {
		w->open.kind = PERF_WALL_NO_SAMPLE;
		return;
	}
	if (th->state != PERF_THREAD_WAITS || th->left.known)
		see_running(p, th, sample->time);
	th->state = PERF_THREAD_WAITS;
	th->left.known = false;
	th->wanted = p->sample.fate == PERF_KEPT;
	if (!fg_str_eq(now->state, FG_STR("dead")))
		return;
	w->open.kind = PERF_WALL_NO_SAMPLE;
	end_thread(p, th);
}

/* perf record --off-cpu: how long a thread waited with that stack, in all. */
static void open_waited(struct perf *p, struct fg_sample *sample)
{
	struct perf_wall *w = p->wall;

	if (w->any_switch) {
		p->sample.fate = PERF_OTHER_EVENT;
		return;
	}
	w->any_waited = true;
	sample->state = FG_STR("waiting");
}

static void choose_kind(struct perf *p, struct perf_header *h, struct fg_str payload)
{
	struct perf_wall *w = p->wall;
	struct fg_sample *sample = &h->sample;
	struct perf_switch now;

	if (fg_str_starts(sample->event, FG_STR("offcpu-time"))) {
		w->open.kind = PERF_WALL_WAITED;
		open_waited(p, sample);
		return;
	}
	perf_threads_at(&w->threads, sample->time);
	if (fg_str_starts(sample->event, FG_STR("sched:sched_switch")) &&
	    perf_switch_read(fg_str_trim(payload), &now)) {
		w->open.kind = now.prev_pid ? PERF_WALL_LEAVES : PERF_WALL_NO_SAMPLE;
		if (now.prev_pid)
			open_leaving(p, sample, &now);
		else if (now.next_pid)
			comes_back(p,
				   perf_threads_of(
					   &w->threads,
					   perf_threads_tid(&w->threads, now.next_pid)),
				   sample->time);
	} else if (!fg_events_keep(p->events, sample->event)) {
		p->sample.fate = PERF_OTHER_EVENT;
	} else if (w->open.tid) {
		w->open.kind = PERF_WALL_RUNS;
		open_running(p, sample);
	}
}

void perf_wall_open(struct perf *p, struct perf_header *h, struct fg_str payload)
{
	struct perf_wall *w = p->wall;
	struct perf_sample *s = &p->sample;

	w->open = (struct perf_wall_open){ .kind = PERF_WALL_NO_SAMPLE,
					   .run_spans = w->open.run_spans };
	w->open.run_spans.count = 0;
	if (!h->timed || !h->sample.has_time || !h->sample.tid.known) {
		w->open.kind = PERF_WALL_TIMELESS;
		return;
	}
	w->open.tid = fg_id_of_thread(h->sample.tid);
	choose_kind(p, h, payload);
	if (w->open.kind == PERF_WALL_NO_SAMPLE && s->fate == PERF_KEPT)
		s->fate = PERF_DESELECTED;
	if (w->open.kind == PERF_WALL_RUNS && s->fate == PERF_KEPT)
		name_waits(p, perf_threads_of(&w->threads, w->open.tid), &h->sample);
}

/* ---- the end of a sample */

static void keep_running(struct perf *p)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th = perf_threads_of(&w->threads, w->open.tid);
	bool whole = p->sample.user_frames != PERF_USER_LATER;
	size_t common;
	struct perf_chain last;

	keep_stack(p, &w->now);
	common = whole ? perf_chain_common(&th->last, &w->now) : 0;
	if (count_waits(p, th, w->open.roots, common))
		put_stack(p, &w->now, w->now.depth);
	if (!th->samples || common < th->common)
		th->common = th->samples ? common : w->now.depth;
	if (!whole)
		w->now.depth = th->common = 0;
	count_run(p, th);
	th->samples++;
	th->roots = p->sample.roots;
	last = th->last;
	th->last = w->now;
	w->now = last;
}

static void keep_leaving(struct perf *p)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th = perf_threads_of(&w->threads, w->open.tid);
	const struct perf_sample *s = &p->sample;

	p->tally->kept += s->user_frames != PERF_USER_LATER;
	if (th->state != PERF_THREAD_WAITS)
		return;
	th->left.known = true;
	th->left.deferred = s->user_frames == PERF_USER_LATER;
	th->left.cookie = s->cookie;
	th->left.roots = s->roots;
	keep_stack(p, &th->left.chain);
}

void perf_wall_keep(struct perf *p)
{
	switch (p->wall->open.kind) {
	case PERF_WALL_RUNS:
		keep_running(p);
		break;
	case PERF_WALL_LEAVES:
		keep_leaving(p);
		break;
	case PERF_WALL_WAITED:
		count_waited(p);
		break;
	case PERF_WALL_TIMELESS:
		p->wall->timeless++;
		p->tally->dropped++;
		p->tally->timeless++;
		break;
	case PERF_WALL_NO_SAMPLE:
		break;
	}
}

/* ---- the end of an input */

/* What a thread does when the recording ends goes on until then. */
static void settle(struct perf *p, struct perf_thread *th)
{
	struct perf_wall *w = p->wall;
	uint64_t end = w->threads.end;

	/* where it is not said when threads end, it may be gone */
	if (!w->any_task) {
		w->unended += th->state == PERF_THREAD_WAITS;
		return;
	}
	if (th->state == PERF_THREAD_RUNS) {
		run_until(p, th, end);
		return;
	}
	if (th->state == PERF_THREAD_UNKNOWN) {
		struct fg_sample sample = perf_threads_sample(&w->threads, th);

		th->wanted = w->any_switch && fg_sink_selects(p->sink, &sample);
	}
	end_wait(p, th, end);
}

/*
 * Returns true for the child that perf made for the command behind its options, if
 * it records something else: in `perf record -p PID -- sleep 5`, sleep is no thread of
 * PID. perf writes the name that it has before exec(), and no other record of it.
 */
static bool is_workload(const struct perf_threads *t, const struct perf_thread *th)
{
	return !th->ran && th->comm &&
	       fg_str_eq(fg_intern_name(&t->comms, th->comm - 1), FG_STR("perf-exec"));
}

static void end_with_input(struct perf *p, struct perf_thread *th)
{
	struct perf_wall *w = p->wall;
	uint64_t waited;

	if (th->state == PERF_THREAD_ENDED || !w->threads.any_time ||
	    is_workload(&w->threads, th))
		return;
	settle(p, th);
	waited = th->waits[PERF_WAIT_ASLEEP] + th->waits[PERF_WAIT_PREEMPTED];
	if (!th->ran && th->named && waited) {
		w->idle++;
		w->idle_time += waited;
		if (p->options->ignore_idle)
			return;
	}
	end_thread(p, th);
}

/* Without switches, samples of a clock count their period; others are scaled. */
static uint64_t weigh(void *data, const struct perf_held_sums *sums)
{
	struct perf_wall *w = data;
	const struct perf_thread *th = perf_threads_of(&w->threads, sums->tid);
	uint64_t weight = sums->periods;

	if (!w->clocks && th->periods) {
		struct fg_sum run = { th->held > th->waited ? th->held - th->waited : 0,
				      0 };
		struct fg_sum part = { sums->periods, 0 }, all = { th->periods, 0 };

		weight = fg_sum_share(run, part, all).low;
	}
	w->total += weight;
	return weight;
}

void perf_wall_end_input(struct perf *p)
{
	struct perf_wall *w = p->wall;

	for (size_t i = 0; i < w->threads.ids.count; i++)
		end_with_input(p, &w->threads.list[i]);
	if (!w->any_switch)
		held_count(&w->held, p, weigh, w);
	w->taskless |= w->any_switch && !w->any_task;
	w->said_switches |= w->any_switch || w->any_waited;
	w->any_switch = w->any_task = w->any_waited = false;
	w->clocks = true;
	perf_threads_release(&w->threads);
	perf_threads_init(&w->threads);
}

/* ---- the end of the run */

static const char *cause(const struct perf *p)
{
	const struct perf_wall *w = p->wall;

	if (p->tally->kept)
		return "no thread was seen to run or to wait for any time";
	if (w->timeless)
		return "--wall needs samples with a thread and a time: use perf "
		       "script -F +tid,+time";
	if (p->tally->ignored > p->tally->deselected)
		return "--wall needs samples of a clock or of cycles: record with perf "
		       "record -e cpu-clock, or choose an event by --event-filter";
	return NULL;
}

static void report_idle(const struct perf *p)
{
	const struct perf_wall *w = p->wall;
	bool left_out = p->options->ignore_idle;
	uint64_t all = w->total + (left_out ? w->idle_time : 0);

	if (w->idle)
		fg_note(p->diag, NULL, "%llu thread%s only waited, %u %% of all time%s",
			(unsigned long long)w->idle, w->idle == 1 ? "" : "s",
			(unsigned)((double)w->idle_time * 100 / (double)(all + !all)),
			left_out ? ", which --ignore-idle leaves out" :
				   " (--ignore-idle leaves that out)");
}

void perf_wall_finish(struct perf *p)
{
	const struct perf_wall *w = p->wall;

	if (!p->tally->kept || !w->total)
		fg_sink_set_cause(p->sink, cause(p));
	if (!w->said_switches && p->tally->kept)
		fg_warn(p->diag, NULL,
			"the input does not say when threads wait: use perf record "
			"--switch-events, and perf script --show-switch-events "
			"--show-task-events");
	if (w->unseen > p->tally->kept / 10)
		fg_warn(p->diag, NULL,
			"%llu wait%s no end in the input, and %s until the next "
			"sample: record with --switch-events",
			(unsigned long long)w->unseen,
			w->unseen == 1 ? " has" : "s have",
			w->unseen == 1 ? "lasts" : "last");
	if (w->taskless)
		fg_note(p->diag, NULL,
			"threads count from their first event to their last: perf "
			"script --show-task-events says when they begin and end");
	if (w->timeless && p->tally->kept)
		fg_warn(p->diag, NULL,
			"%llu sample%s no thread or no time: use perf script "
			"-F +tid,+time",
			(unsigned long long)w->timeless,
			w->timeless == 1 ? " has" : "s have");
	report_idle(p);
}
