/* --off-cpu: counts how long threads waited, from samples of sched:sched_switch. */
#include "collapse/formats/perf/text/offcpu.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/text/deferred.h"
#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/task.h"
#include "lib/base/map.h"
#include "lib/base/xalloc.h"

/* A thread, and the sample with which it left the CPU. */
struct wait {
	bool open; /* the thread is not back yet */
	struct perf_leaving since;
	enum perf_user_frames user_frames;
	uint64_t cookie;
	struct fg_roots roots;
	struct perf_chain chain;
};

struct perf_offcpu {
	struct wait *waits;
	size_t count, alloc;
	/* index in `waits`, by the kernel's number of the thread */
	struct fg_map by_pid;
	/* index in `waits` plus 1, by tid; only for threads in a pid namespace */
	struct fg_map by_tid;
	bool any_event; /* a sample was of sched:sched_switch */
	bool any_switch; /* a sample had the payload of that event */
	uint64_t unended; /* waits that were open at the end of the input */
	uint64_t endless; /* waits whose end was lost: the thread left its CPU again */
	uint64_t timeless; /* waits without times, or that end before they start */
};

struct perf_offcpu *perf_offcpu_new(void)
{
	return fg_xcalloc(1, sizeof(struct perf_offcpu));
}

/* Forgets all threads. */
static void forget_threads(struct perf_offcpu *o)
{
	for (size_t i = 0; i < o->count; i++)
		free(o->waits[i].chain.ids);
	o->count = 0;
	fg_map_release(&o->by_pid);
	fg_map_release(&o->by_tid);
}

void perf_offcpu_free(struct perf_offcpu *o)
{
	if (!o)
		return;
	forget_threads(o);
	free(o->waits);
	free(o);
}

/*
 * Returns the wait of a thread. Adds one if the thread is new. It is valid until the
 * next call.
 */
static struct wait *wait_of(struct perf_offcpu *o, uint64_t pid)
{
	const struct fg_map_key key = { pid, 0 };
	bool is_new;
	size_t i = *fg_map_add(&o->by_pid, key, o->count, &is_new);

	if (is_new) {
		FG_GROW(o->waits, o->alloc, o->count + 1);
		memset(&o->waits[o->count++], 0, sizeof(o->waits[0]));
	}
	return &o->waits[i];
}

/* ---- the end of a wait */

/*
 * Counts `weight` for the stack of `w`. If its user frames are still to come, passes
 * the stack to deferred.c. `until` is the time at which the wait ended, if the weight
 * is in nanoseconds, or else 0.
 */
static void count(struct perf *p, const struct wait *w, uint64_t weight, uint64_t until)
{
	struct fg_stack *stack = p->stack;
	struct perf_sample open = p->sample;

	if (until)
		fg_sink_note_length(p->sink, until - weight, until);
	fg_stack_clear(stack);
	perf_push_ids(p, w->chain.ids, w->chain.depth);
	if (w->user_frames == PERF_USER_LATER) {
		p->sample.cookie = w->cookie;
		p->sample.roots = w->roots;
		p->sample.weight = weight;
		p->sample.until = until;
		perf_deferred_hold(p);
		p->sample = open;
	} else {
		p->tally->kept++;
		if (weight && until)
			fg_sink_add_span(p->sink, until - weight, until);
		if (weight)
			fg_sink_count(p->sink, &w->roots, weight);
	}
	fg_stack_clear(stack);
}

/* Drops a wait whose start or end is not known. */
static void drop(struct perf *p)
{
	p->offcpu->timeless++;
	p->tally->dropped++;
	p->tally->timeless++;
}

/* Ends the wait of a thread that is on a CPU again. */
static void end_wait(struct perf *p, struct wait *w, const struct fg_sample *at)
{
	if (!w->open)
		return;
	w->open = false;
	if (!at->has_time || at->time < w->since.time)
		drop(p);
	else if (p->samples->weighs == FG_WEIGHT_SAMPLES)
		count(p, w, 1, 0);
	else
		count(p, w, at->time - w->since.time, at->time);
}

/* Leaves out a wait whose end we will never know, and counts it in *counter. */
static void leave_out(struct perf *p, struct wait *w, uint64_t *counter)
{
	if (!w->open)
		return;
	w->open = false;
	++*counter;
	p->tally->ignored++;
	p->tally->deselected++;
}

/* ---- samples and records */

void perf_offcpu_open(struct perf *p, struct perf_header *h, struct fg_str payload)
{
	struct perf_sample *s = &p->sample;
	struct perf_switch now;

	p->offcpu->any_event |=
		fg_str_starts(h->sample.event, FG_STR("sched:sched_switch"));
	if (!perf_switch_read(fg_str_trim(payload), &now)) {
		if (s->fate == PERF_KEPT)
			s->fate = PERF_OTHER_EVENT;
		return;
	}
	p->offcpu->any_switch = true;
	h->sample.state = now.state;
	if (now.next_pid)
		end_wait(p, wait_of(p->offcpu, now.next_pid), &h->sample);
	s->leaving = (struct perf_leaving){ .pid = now.prev_pid,
					    .tid = fg_id_of_thread(h->sample.tid),
					    .time = h->sample.time,
					    .timed = h->sample.has_time };
	if (now.prev_pid)
		leave_out(p, wait_of(p->offcpu, now.prev_pid), &p->offcpu->endless);
	else if (s->fate == PERF_KEPT)
		s->fate = PERF_DESELECTED;
}

/*
 * Notes the tid of a thread. In a pid namespace, payloads have another number for the
 * thread.
 */
static void note_tid(struct perf_offcpu *o, const struct perf_leaving *l)
{
	if (l->tid && l->tid != l->pid)
		fg_map_set(&o->by_tid, l->tid, fg_map_get(&o->by_pid, l->pid) + 1);
}

void perf_offcpu_hold(struct perf *p)
{
	const struct perf_sample *s = &p->sample;
	struct wait *w = wait_of(p->offcpu, s->leaving.pid);

	if (!s->leaving.timed) {
		drop(p);
		return;
	}
	note_tid(p->offcpu, &s->leaving);
	w->open = true;
	w->since = s->leaving;
	w->user_frames = s->user_frames;
	w->cookie = s->cookie;
	w->roots = s->roots;
	perf_chain_set(&w->chain, fg_stack_ids(p->stack), fg_stack_depth(p->stack));
}

/* Returns the wait of the thread that has this tid in perf's pid namespace. */
static struct wait *wait_of_tid(struct perf_offcpu *o, uint64_t tid)
{
	size_t index_plus_1 = fg_map_get(&o->by_tid, tid);

	return index_plus_1 ? &o->waits[index_plus_1 - 1] : wait_of(o, tid);
}

void perf_offcpu_back(struct perf *p, uint64_t tid, uint64_t time)
{
	const struct fg_sample at = { .has_time = true, .time = time };

	end_wait(p, wait_of_tid(p->offcpu, tid), &at);
}

/* ---- the end */

void perf_offcpu_end_input(struct perf *p)
{
	for (size_t i = 0; i < p->offcpu->count; i++)
		leave_out(p, &p->offcpu->waits[i], &p->offcpu->unended);
	forget_threads(p->offcpu); /* another input has other threads */
}

/* Returns why no sample was kept, or NULL if --off-cpu is not the reason. */
static const char *cause(const struct perf *p)
{
	const struct perf_offcpu *o = p->offcpu;

	if (o->any_event && !o->any_switch)
		return "samples of sched:sched_switch lack the fields that --off-cpu "
		       "reads: simpleperf does not record them, and perf script prints "
		       "them with -F +trace";
	if (!o->any_switch)
		return "--off-cpu needs samples of sched:sched_switch: use perf record "
		       "-e sched:sched_switch -a -g";
	if (o->timeless)
		return "--off-cpu needs samples with times, in the order of time: use "
		       "perf script -F +time";
	if (o->unended || o->endless)
		return "no wait ends in the input: record with -a, or with "
		       "--switch-events and use perf script --show-switch-events";
	return NULL;
}

/* Reports waits without an end. A few are usual because perf loses switches. */
static void report_endless(const struct perf *p)
{
	uint64_t endless = p->offcpu->endless;
	bool many = endless > p->tally->kept / 10;

	if (endless)
		(many ? fg_warn : fg_note)(
			p->diag, NULL, "%llu wait%s no end in the input%s",
			(unsigned long long)endless, endless == 1 ? " has" : "s have",
			many ? ": record with -a, or with --switch-events and use perf "
			       "script --show-switch-events" :
			       "");
}

void perf_offcpu_finish(struct perf *p)
{
	const struct perf_offcpu *o = p->offcpu;
	struct fg_sink *sink = p->sink;

	if (!p->tally->kept) {
		fg_sink_set_cause(sink, cause(p));
		return;
	}
	if (o->timeless)
		fg_warn(fg_sink_diag(sink), NULL,
			"%llu wait%s no times, or an end before the start: use perf "
			"script -F +time, and keep its order",
			(unsigned long long)o->timeless,
			o->timeless == 1 ? " has" : "s have");
	report_endless(p);
	if (o->unended)
		fg_note(fg_sink_diag(sink), NULL,
			"%llu thread%s at the end of the input; such waits are not "
			"counted",
			(unsigned long long)o->unended,
			o->unended == 1 ? " still waits" : "s still wait");
}
