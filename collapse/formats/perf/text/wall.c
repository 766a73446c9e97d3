/*
 * --wall: counts all time of threads, on a CPU and off it.
 *
 * Each sample and each record moves its thread on in time (threads.h). The time that it
 * ran goes to th->run, and the next sample of the thread counts it. The time that it
 * waited is counted at once if a sample of sched:sched_switch has given us the stack of
 * the wait (th->left). If not, it goes to th->waits; the next sample of the thread
 * counts it, on the frames at the root that this sample shares with the one before the
 * wait.
 */
#include "collapse/formats/perf/text/wall.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/text/deferred.h"
#include "collapse/formats/perf/text/order.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/task.h"
#include "collapse/formats/perf/text/threads.h"
#include "lib/base/count.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

/* The kind of the open sample. */
enum open_kind {
	/* the sample does not count, for example because the idle task ran */
	OPEN_NO_SAMPLE,
	OPEN_TIMELESS, /* the sample has no time or no thread */
	OPEN_RUNS, /* the thread is on a CPU */
	OPEN_LEAVES, /* the thread leaves the CPU */
	OPEN_WAITED, /* the thread waited for as long as the sample says */
};

struct open_sample {
	enum open_kind kind;
	uint64_t tid; /* the thread; 0 if it is unknown or the idle task */
	uint64_t period;
	/* the spans of the time that the sample counts, for --slice */
	struct perf_spans run_spans;
	/* root frames of the waits that the sample ends */
	struct fg_roots roots[PERF_WAITS];
};

/*
 * Samples whose weight is not known yet, by thread and stack.
 *
 * Before the first switch we cannot know if the recording has any. If it has, a sample
 * counts how long its thread ran since its last sample. If not, a sample counts its
 * period: in nanoseconds, or as a share of the time from the thread's start to its end,
 * less its waits.
 */
struct held {
	struct fg_intern keys; /* struct held_key, then the ids of frames, root first */
	struct held_sums *sums; /* indexed by the id of the key */
	size_t alloc;
	struct fg_buf key; /* scratch */
};

/* The sums over all samples of a thread with the same stack. */
struct held_sums {
	uint64_t tid;
	uint64_t periods;
	uint64_t
		/*
		 * nanoseconds that the thread ran before these samples: before each of
		 * them, since the thread's previous sample
		 */
		run;
};

struct held_key {
	uint64_t tid;
	struct fg_roots roots;
};

struct perf_wall {
	struct perf_threads threads;
	struct held held;
	struct open_sample open;
	struct perf_chain now; /* the stack of the open sample */
	/* the id of NAME_[o] plus 1, or 0; indexed by the id of the frame NAME */
	uint32_t *marked;
	size_t marked_alloc;
	bool wants_spans; /* --slice is given */

	/* facts about the current input */
	bool any_switch; /* the input says when threads come to a CPU and leave it */
	bool any_task; /* the input says when threads begin and end */
	bool any_waited; /* the input has samples of perf record --off-cpu */
	bool clocks; /* the periods of its samples are nanoseconds */

	/* facts about the whole run, for the report */
	bool any_waits; /* some input says when threads wait */
	bool taskless; /* some input with switches does not say when threads end */
	uint64_t total; /* counted nanoseconds */
	uint64_t unnoticed; /* waits whose end we know only by a later sample */
	uint64_t timeless; /* samples without a time or a thread */
	uint64_t unended; /* waits whose end is not known */
	uint64_t idle, idle_time; /* threads that only waited, and their time */
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

/* Copies the open stack to a chain, root first. */
static void keep_stack(const struct perf *p, struct perf_chain *c)
{
	size_t depth = fg_stack_depth(p->stack);

	perf_chain_set(c, fg_stack_ids(p->stack), depth);
	if (perf_order_was_root_first(p))
		for (size_t i = 0; i < depth; i++)
			c->ids[i] = fg_stack_ids(p->stack)[depth - 1 - i];
}

/*
 * Sets the open stack to the first `depth` frames of a chain, and `leaf` if it is not
 * NULL.
 */
static void put(struct perf *p, const struct perf_chain *c, size_t depth,
		const uint32_t *leaf)
{
	fg_stack_clear(p->stack);
	if (perf_order_was_root_first(p)) {
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

static uint32_t id_of_leaf(struct perf *p, struct fg_str name)
{
	return fg_intern(p->names, name);
}

/* Returns the frame NAME_[o] for the frame NAME. It is the leaf of a wait in NAME. */
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

/* Returns the weight of the samples that have these sums. */
typedef uint64_t weigh_fn(void *data, const struct held_sums *sums);

/* Holds the open sample: adds `sums` to those of its stack and root frames. */
static void held_add(struct held *h, const struct perf *p, const struct held_sums *sums)
{
	size_t known = h->keys.count, depth = fg_stack_depth(p->stack);
	struct held_key key;
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
		h->sums[id] = (struct held_sums){ .tid = sums->tid };
	h->sums[id].periods = fg_count_add(h->sums[id].periods, sums->periods);
	h->sums[id].run = fg_count_add(h->sums[id].run, sums->run);
}

static void count_held(struct perf *p, struct fg_str name, uint64_t weight)
{
	struct fg_str ids = fg_str_from_pos(name, sizeof(struct held_key));
	struct held_key key;

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

/* Counts all held samples with the weights that `weigh` returns, and forgets them. */
static void held_count(struct held *h, struct perf *p, weigh_fn *weigh, void *data)
{
	for (uint32_t id = 0; id < h->keys.count; id++) {
		uint64_t weight = weigh(data, &h->sums[id]);

		if (weight)
			count_held(p, fg_intern_name(&h->keys, id), weight);
	}
	fg_intern_release(&h->keys);
}

/* ---- counting */

/* Counts the open stack, and empties it. */
static void count(struct perf *p, const struct fg_roots *roots, uint64_t weight)
{
	p->wall->total += weight;
	if (weight && (roots->count || fg_stack_depth(p->stack)))
		fg_sink_count(p->sink, roots, weight);
	fg_stack_clear(p->stack);
}

/*
 * Like count(), but first passes the spans in `when`, the times of the weight, to the
 * sink. Empties `when`.
 */
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

/* Counts a wait that ends at th->since, with the stack of its start. */
static void count_left(struct perf *p, const struct perf_thread *th, uint64_t weight)
{
	const struct perf_wait_stack *left = &th->left;
	struct perf_span when = { th->since - weight, th->since };
	struct perf_spans span = { &when, p->wall->wants_spans && weight, 1 };
	struct perf_sample open = p->sample;
	size_t depth = left->chain.depth;
	uint32_t leaf = depth ? mark(p, left->chain.ids[depth - 1]) :
				id_of_leaf(p, wait_leaves[PERF_WAIT_ASLEEP]);

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

/* Adds a wait whose stack is not known to th->waits. */
static void add_wait(const struct perf *p, struct perf_thread *th, uint64_t waited)
{
	th->waits[th->wait] += waited;
	if (p->wall->wants_spans)
		perf_spans_add(&th->wait_spans[th->wait], th, waited);
}

/* Ends the current wait of a thread. If its stack is known, counts it at once. */
static void end_wait(struct perf *p, struct perf_thread *th, uint64_t time)
{
	uint64_t waited = perf_threads_pass(&p->wall->threads, th, time);

	if (th->wanted && th->left.known)
		count_left(p, th, waited);
	else if (th->wanted)
		add_wait(p, th, waited);
	th->left.known = false;
}

/* Works out the root frames of the waits that the open sample ends. */
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

/*
 * Counts the time that a thread has waited since its last sample, on the first `depth`
 * frames of that sample. Returns true if there was such time; then the open stack has
 * been overwritten.
 */
static bool count_waits(struct perf *p, struct perf_thread *th,
			const struct fg_roots roots[PERF_WAITS], size_t depth)
{
	bool any = false;

	for (size_t i = 0; i < PERF_WAITS; i++) {
		uint32_t leaf;

		if (!th->waits[i])
			continue;
		any = true;
		leaf = id_of_leaf(p, wait_leaves[i]);
		put(p, &th->last, depth, &leaf);
		count_spans(p, &roots[i], th->waits[i], &th->wait_spans[i]);
		th->waits[i] = 0;
	}
	return any;
}

/* Counts the open sample of a running thread, or holds it. */
static void count_run(struct perf *p, struct perf_thread *th)
{
	struct perf_wall *w = p->wall;
	const struct perf_sample *s = &p->sample;
	const struct held_sums sums = { th->tid, w->open.period, s->weight };

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

/* Counts the open sample of perf record --off-cpu, which has the length of a wait. */
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
		       id_of_leaf(p, wait_leaves[PERF_WAIT_ASLEEP]);
	put(p, &w->now, depth ? depth - 1 : 0, &leaf);
	/* a single long wait has the time of its end; a sum has a made-up time */
	if (p->sample.roots.has_time && p->sample.roots.time <= INT64_MAX &&
	    p->sample.roots.time >= p->sample.weight)
		fg_sink_add_span(p->sink, p->sample.roots.time - p->sample.weight,
				 p->sample.roots.time);
	count(p, &p->sample.roots, p->sample.weight);
}

/* ---- the end of a thread */

/*
 * Counts the time that a thread ran after its last sample: on that sample's stack, or
 * as [running] if it never had a sample. Without switches nothing is counted yet,
 * because the samples of the thread will share the time from its start to its end.
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
		leaf = id_of_leaf(p, FG_STR("[running]"));
		put(p, &th->last, 0, &leaf);
		count_spans(p, &roots, th->run, &th->run_spans);
	}
	th->run = th->run_spans.count = 0;
}

/* Counts the waits up to now, before the thread gets another name or ends. */
static void flush_waits(struct perf *p, struct perf_thread *th)
{
	struct fg_sample sample = perf_threads_sample(&p->wall->threads, th);
	struct fg_roots roots[PERF_WAITS];

	for (size_t i = 0; i < PERF_WAITS; i++) {
		sample.state = wait_states[i];
		fg_sink_set_roots(p->sink, &sample, &roots[i]);
	}
	/* after only one sample, we do not know how long its callers were there */
	count_waits(p, th, roots, th->samples > 1 ? th->common : 0);
	/* use each stack of the input only once here, so that our time stays linear */
	th->samples = th->common = th->last.depth = 0;
}

/* Ends a thread, and counts the rest of its time. */
static void end_thread(struct perf *p, struct perf_thread *th)
{
	th->state = PERF_THREAD_ENDED;
	if (!th->named)
		return;
	if (th->run)
		count_tail(p, th);
	flush_waits(p, th);
}

/* ---- the state of a thread */

/* Counts the time of a thread up to `time` as time on a CPU. */
static void run_until(struct perf *p, struct perf_thread *th, uint64_t time)
{
	uint64_t ran = perf_threads_pass(&p->wall->threads, th, time);

	th->run += ran;
	if (p->wall->wants_spans)
		perf_spans_add(&th->run_spans, th, ran);
}

/* The weigh_fn of a recording with switches. */
static uint64_t run_of(void *data, const struct held_sums *sums)
{
	struct perf_wall *w = data;

	w->total += sums->run;
	return sums->run;
}

/* Notes that the recording has switches, so the weight of held samples is known now. */
static void note_switch(struct perf *p)
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

/* Notes that a thread comes to a CPU. */
static void comes_back(struct perf *p, struct perf_thread *th, uint64_t time)
{
	struct perf_wall *w = p->wall;

	if (th->state == PERF_THREAD_ENDED && w->any_task)
		return;
	if (th->state == PERF_THREAD_ENDED)
		th->placed = false;
	/* if it seems to run already, the record of when it left was lost */
	if (th->state != PERF_THREAD_WAITS) {
		th->wanted = is_wanted(p, th);
		th->wait = PERF_WAIT_ASLEEP;
	}
	end_wait(p, th, time);
	th->state = PERF_THREAD_RUNS;
	th->ran = true;
}

/* Notes that a thread leaves its CPU, by a record without a stack. */
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

/* Notes that a thread begins, or was there at the start of the recording (time 0). */
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

/* Notes that a thread ends. */
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
		note_switch(p);
	if (r->change == PERF_TASK_BEGINS)
		begins(p, th, r->time);
	if (r->change == PERF_TASK_NAMED && !th->placed && !r->time)
		th->was_there = true;
	if (r->change == PERF_TASK_NAMED && th->named)
		flush_waits(p, th);
	perf_threads_name(&w->threads, th, &r->thread);
	if (r->change == PERF_TASK_ENDS)
		ends(p, th, r->time);
	else if (r->change == PERF_TASK_IN)
		comes_back(p, th, r->time);
	else if (r->change < PERF_TASK_BEGINS)
		leaves(p, th, r);
}

/* ---- samples */

/* Notes that a thread runs, because it has a sample, whatever its last record says. */
static void note_running(struct perf *p, struct perf_thread *th, uint64_t time)
{
	if (th->state == PERF_THREAD_WAITS) {
		p->wall->unnoticed++;
		end_wait(p, th, time);
	} else {
		run_until(p, th, time);
	}
	th->state = PERF_THREAD_RUNS;
	th->ran = true;
}

/* Returns the thread that tracepoints call `pid`. */
static struct perf_thread *thread_of_pid(struct perf_threads *t, uint64_t pid)
{
	return perf_threads_of(t, perf_threads_tid(t, pid));
}

/* Opens a sample of a clock or of cycles, whose thread runs. */
static void open_running(struct perf *p, struct fg_sample *sample)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th = perf_threads_of(&w->threads, w->open.tid);
	const struct perf_spans empty = w->open.run_spans;

	note_running(p, th, sample->time);
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

/*
 * Opens a sample of sched:sched_switch, with the stack of the thread that leaves. If
 * the thread waits already and no sample has set the stack of its wait (th->left), a
 * record just before this sample has said that it left. But if an earlier sample has
 * set that stack, the thread has been on a CPU in between, and no record said so.
 */
static void open_leaving(struct perf *p, struct fg_sample *sample,
			 const struct perf_switch *now)
{
	struct perf_wall *w = p->wall;
	struct perf_threads *threads = &w->threads;
	struct perf_thread *th;

	note_switch(p);
	sample->state = now->state;
	if (now->next_pid)
		comes_back(p, thread_of_pid(&w->threads, now->next_pid), sample->time);
	if (w->open.tid)
		perf_threads_note_pid(threads, now->prev_pid, w->open.tid);
	else
		w->open.tid = perf_threads_tid(threads, now->prev_pid);
	th = perf_threads_of(threads, w->open.tid);
	perf_threads_name(threads, th, sample);
	if (th->state == PERF_THREAD_ENDED) {
		w->open.kind = OPEN_NO_SAMPLE;
		return;
	}
	if (th->state != PERF_THREAD_WAITS || th->left.known)
		note_running(p, th, sample->time);
	th->state = PERF_THREAD_WAITS;
	th->left.known = false;
	th->wanted = p->sample.fate == PERF_KEPT;
	if (!fg_str_eq(now->state, FG_STR("dead")))
		return;
	w->open.kind = OPEN_NO_SAMPLE;
	end_thread(p, th);
}

/* Opens a sample of perf record --off-cpu: how long a thread waited with its stack. */
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

/* Sets the kind of the open sample by its event. */
static void choose_kind(struct perf *p, struct perf_header *h, struct fg_str payload)
{
	struct perf_wall *w = p->wall;
	struct fg_sample *sample = &h->sample;
	struct perf_switch now;

	if (fg_str_starts(sample->event, FG_STR("offcpu-time"))) {
		w->open.kind = OPEN_WAITED;
		open_waited(p, sample);
		return;
	}
	perf_threads_at(&w->threads, sample->time);
	if (fg_str_starts(sample->event, FG_STR("sched:sched_switch")) &&
	    perf_switch_read(fg_str_trim(payload), &now)) {
		w->open.kind = now.prev_pid ? OPEN_LEAVES : OPEN_NO_SAMPLE;
		if (now.prev_pid)
			open_leaving(p, sample, &now);
		else if (now.next_pid)
			comes_back(p, thread_of_pid(&w->threads, now.next_pid),
				   sample->time);
	} else if (!fg_events_keep(p->events, sample->event)) {
		p->sample.fate = PERF_OTHER_EVENT;
	} else if (w->open.tid) {
		w->open.kind = OPEN_RUNS;
		open_running(p, sample);
	}
}

void perf_wall_open(struct perf *p, struct perf_header *h, struct fg_str payload)
{
	struct perf_wall *w = p->wall;
	struct perf_sample *s = &p->sample;

	w->open = (struct open_sample){ .kind = OPEN_NO_SAMPLE,
					.run_spans = w->open.run_spans };
	w->open.run_spans.count = 0;
	if (!h->timed || !h->sample.has_time || !h->sample.tid.known) {
		w->open.kind = OPEN_TIMELESS;
		return;
	}
	w->open.tid = fg_id_of_thread(h->sample.tid);
	choose_kind(p, h, payload);
	if (w->open.kind == OPEN_NO_SAMPLE && s->fate == PERF_KEPT)
		s->fate = PERF_DESELECTED;
	if (w->open.kind == OPEN_RUNS && s->fate == PERF_KEPT)
		name_waits(p, perf_threads_of(&w->threads, w->open.tid), &h->sample);
}

/* ---- the end of a sample */

/*
 * Counts the waits of the thread since its last sample on the frames that both samples
 * share, then the open sample, and remembers its stack.
 */
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

/* Keeps the stack of the open sample until the wait that starts with it ends. */
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
	case OPEN_RUNS:
		keep_running(p);
		break;
	case OPEN_LEAVES:
		keep_leaving(p);
		break;
	case OPEN_WAITED:
		count_waited(p);
		break;
	case OPEN_TIMELESS:
		p->wall->timeless++;
		p->tally->dropped++;
		p->tally->timeless++;
		break;
	case OPEN_NO_SAMPLE:
		break;
	}
}

/* ---- the end of an input */

/* Adds the time from the last record of a thread to the end of the recording. */
static void settle(struct perf *p, struct perf_thread *th)
{
	struct perf_wall *w = p->wall;
	uint64_t end = w->threads.end;

	/* if the input does not say when threads end, this one may be gone already */
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
 * Returns true for a command that perf starts but does not record: in `perf record -p
 * PID -- sleep 5`, sleep only sets how long perf records. All that we see of its
 * process is the name "perf-exec", which perf gives it before exec().
 */
static bool is_workload(const struct perf_threads *t, const struct perf_thread *th)
{
	return !th->ran && th->comm &&
	       fg_str_eq(fg_intern_name(&t->comms, th->comm - 1), FG_STR("perf-exec"));
}

/* Ends a thread at the end of the recording. */
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

/*
 * The weigh_fn of a recording without switches. Samples of a clock count their period;
 * samples of cycles share the time of their thread in proportion to their periods.
 */
static uint64_t weigh(void *data, const struct held_sums *sums)
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

	for (size_t i = 0; i < w->threads.count; i++)
		end_with_input(p, &w->threads.list[i]);
	if (!w->any_switch)
		held_count(&w->held, p, weigh, w);
	w->taskless |= w->any_switch && !w->any_task;
	w->any_waits |= w->any_switch || w->any_waited;
	w->any_switch = w->any_task = w->any_waited = false;
	w->clocks = true;
	perf_threads_release(&w->threads);
	perf_threads_init(&w->threads);
}

/* ---- the end of the run */

/* Returns why nothing was counted, or NULL if --wall is not the reason. */
static const char *cause(const struct perf *p)
{
	const struct perf_wall *w = p->wall;

	if (p->tally->kept)
		return "no thread ran or waited for a measurable time";
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
	if (!w->any_waits && p->tally->kept)
		fg_warn(p->diag, NULL,
			"the input does not say when threads wait: use perf record "
			"--switch-events, and perf script --show-switch-events "
			"--show-task-events");
	if (w->unnoticed > p->tally->kept / 10)
		fg_warn(p->diag, NULL,
			"%llu wait%s no end in the input, so %s counted until the next "
			"sample: record with --switch-events",
			(unsigned long long)w->unnoticed,
			w->unnoticed == 1 ? " has" : "s have",
			w->unnoticed == 1 ? "it is" : "they are");
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
