/* --wall: all time of threads: samples and records, and what follows from them. */
#include "collapse/formats/perf/text/wall.h"

#include <stdlib.h>

#include "collapse/formats/perf/text/switch.h"
#include "collapse/formats/perf/text/task.h"
#include "collapse/formats/perf/text/wall_state.h"
#include "lib/base/xalloc.h"

struct perf_wall *perf_wall_new(const struct fg_sink *sink)
{
	struct perf_wall *w = fg_xcalloc(1, sizeof(*w));

	w->wants_spans = fg_sink_wants_time(sink);
	perf_threads_init(&w->threads);
	w->held = perf_held_new();
	w->clocks = true;
	return w;
}

void perf_wall_free(struct perf_wall *w)
{
	if (!w)
		return;
	perf_threads_release(&w->threads);
	perf_held_free(w->held);
	free(w->marked);
	free(w->now.ids);
	free(w->open.run_spans.items);
	free(w);
}

/* ---- what a thread does */

void perf_wall_run(struct perf *p, struct perf_thread *th, uint64_t time)
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
		perf_held_count(p->wall->held, p, run_of, p->wall);
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
	perf_wall_end_wait(p, th, time);
	th->state = PERF_THREAD_RUNS;
	th->ran = true;
}

static void leaves(struct perf *p, struct perf_thread *th, const struct perf_task *r)
{
	if (th->state == PERF_THREAD_ENDED || th->state == PERF_THREAD_WAITS)
		return;
	perf_wall_run(p, th, r->time);
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
		perf_wall_end_thread(p, th);
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
		perf_wall_end_wait(p, th, time);
	else
		perf_wall_run(p, th, time);
	th->ran = true;
	perf_wall_end_thread(p, th);
}

void perf_wall_record(struct perf *p, const struct perf_task *r)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th;

	if (r->time && !w->threads.any_time)
		fg_sink_see_time(p->sink, r->time);
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
		perf_wall_flush_waits(p, th);
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
		perf_wall_end_wait(p, th, time);
	} else {
		perf_wall_run(p, th, time);
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
	perf_wall_end_thread(p, th);
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
		perf_wall_name_waits(p, perf_threads_of(&w->threads, w->open.tid),
				     &h->sample);
}

/* ---- the end of a sample */

static void keep_running(struct perf *p)
{
	struct perf_wall *w = p->wall;
	struct perf_thread *th = perf_threads_of(&w->threads, w->open.tid);
	bool whole = p->sample.user_frames != PERF_USER_LATER;
	size_t common;
	struct perf_chain last;

	perf_wall_keep_stack(p, &w->now);
	common = whole ? perf_chain_common(&th->last, &w->now) : 0;
	if (perf_wall_count_waits(p, th, w->open.roots, common))
		perf_wall_put_stack(p, &w->now, w->now.depth);
	if (!th->samples || common < th->common)
		th->common = th->samples ? common : w->now.depth;
	if (!whole)
		w->now.depth = th->common = 0;
	perf_wall_count_run(p, th);
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
	perf_wall_keep_stack(p, &th->left.chain);
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
		perf_wall_count_waited(p);
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
