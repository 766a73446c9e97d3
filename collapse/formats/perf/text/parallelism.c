/* --weight latency and --root parallelism: counts how many threads run. */
#include "collapse/formats/perf/text/parallelism.h"

#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/task.h"
#include "collapse/formats/perf/text/threads.h"
#include "lib/base/map.h"

struct perf_parallelism {
	struct fg_map states; /* enum perf_thread_state, by tid */
	uint64_t running; /* the number of threads in PERF_THREAD_RUNS */
	bool any_switch, any_task; /* the input has records of switches, or of tasks */
	bool any_sample;
};

struct perf_parallelism *perf_parallelism_new(void)
{
	return fg_xcalloc(1, sizeof(struct perf_parallelism));
}

void perf_parallelism_free(struct perf_parallelism *l)
{
	if (!l)
		return;
	fg_map_release(&l->states);
	free(l);
}

static enum perf_thread_state state_of(const struct perf_parallelism *l, uint64_t tid)
{
	return (enum perf_thread_state)fg_map_get(&l->states, tid);
}

static void set_state(struct perf_parallelism *l, uint64_t tid,
		      enum perf_thread_state state)
{
	l->running -= state_of(l, tid) == PERF_THREAD_RUNS;
	l->running += state == PERF_THREAD_RUNS;
	fg_map_set(&l->states, tid, state);
}

/*
 * Notes that a thread runs although no record says that it came to its CPU: it ran
 * before the recording started, or it is the first thread of the command.
 */
static void see_running(struct perf_parallelism *l, uint64_t tid)
{
	if (state_of(l, tid) == PERF_THREAD_UNKNOWN)
		set_state(l, tid, PERF_THREAD_RUNS);
}

/*
 * Sets the state of a thread from a record. A thread that has ended stays in that
 * state, whatever other records say. If perf records a command, no record says that an
 * ending thread leaves its CPU. If perf records the whole machine, the thread may come
 * to a CPU after its end, and perf does not know its tid when it leaves for good.
 */
void perf_parallelism_record(struct perf_parallelism *l, const struct perf_task *task)
{
	l->any_switch |= task->change < PERF_TASK_BEGINS;
	l->any_task |= task->change >= PERF_TASK_BEGINS;
	if (state_of(l, task->tid) == PERF_THREAD_ENDED &&
	    task->change != PERF_TASK_BEGINS)
		return;
	switch (task->change) {
	case PERF_TASK_IN:
		set_state(l, task->tid, PERF_THREAD_RUNS);
		break;
	case PERF_TASK_OUT:
	case PERF_TASK_PREEMPTED:
		set_state(l, task->tid, PERF_THREAD_WAITS);
		break;
	case PERF_TASK_BEGINS: /* its parent runs; the thread comes to a CPU later */
		set_state(l, task->tid,
			  task->time ? PERF_THREAD_WAITS : PERF_THREAD_UNKNOWN);
		break;
	case PERF_TASK_NAMED: /* by exec: this may be the first thread of the command */
		if (task->time)
			see_running(l, task->tid);
		break;
	case PERF_TASK_ENDS:
		set_state(l, task->tid, PERF_THREAD_ENDED);
		break;
	}
}

void perf_parallelism_is_recorded(struct perf_parallelism *l)
{
	l->any_switch = l->any_task = true;
}

/*
 * Counts the threads that run during the sample. The sample's own thread runs, even if
 * the last record of the thread says that it waits.
 */
void perf_parallelism_open(struct perf *p, struct perf_header *h)
{
	struct perf_parallelism *l = p->parallelism;
	uint64_t tid = fg_id_of_thread(h->sample.tid);

	l->any_sample = true;
	if (tid)
		see_running(l, tid);
	else if (h->sample.tid.known && !h->sample.tid.number &&
		 p->sample.fate == PERF_KEPT)
		p->sample.fate = PERF_DESELECTED;
	h->sample.parallelism = l->running + (state_of(l, tid) != PERF_THREAD_RUNS);
}

void perf_parallelism_end_input(struct perf *p)
{
	struct perf_parallelism *l = p->parallelism;

	if (l->any_sample && !l->any_switch)
		fg_sink_set_fault(
			p->sink,
			"the input does not say how many threads run: use perf record "
			"--latency or --switch-events, and perf script "
			"--show-switch-events --show-task-events");
	else if (l->any_sample && !l->any_task)
		fg_sink_set_fault(p->sink,
				  "the input does not say when threads end, so it is "
				  "not known how many run: use perf script "
				  "--show-switch-events --show-task-events");
	fg_map_release(&l->states);
	*l = (struct perf_parallelism){ .running = 0 };
}
