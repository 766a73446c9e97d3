/* --wall: the end of an input and of the run, and what could not be counted. */
#include "collapse/formats/perf/text/wall.h"

#include "collapse/formats/perf/text/wall_state.h"
#include "lib/base/count.h"

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
		perf_wall_run(p, th, end);
		return;
	}
	if (th->state == PERF_THREAD_UNKNOWN) {
		struct fg_sample sample = perf_threads_sample(&w->threads, th);

		th->wanted = w->any_switch && fg_sink_selects(p->sink, &sample);
	}
	perf_wall_end_wait(p, th, end);
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

static void end_thread(struct perf *p, struct perf_thread *th)
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
	perf_wall_end_thread(p, th);
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
		end_thread(p, &w->threads.list[i]);
	if (!w->any_switch)
		perf_held_count(w->held, p, weigh, w);
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
