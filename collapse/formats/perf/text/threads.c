/*
 * Keeps the threads of a recording for --wall: their names, and the time that passes.
 */
#include "collapse/formats/perf/text/threads.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

void perf_threads_init(struct perf_threads *t)
{
	memset(t, 0, sizeof(*t));
	fg_intern_init(&t->ids);
	fg_intern_init(&t->comms);
	fg_intern_init(&t->kernel_pids);
}

void perf_threads_release(struct perf_threads *t)
{
	for (size_t i = 0; i < t->ids.count; i++) {
		free(t->list[i].left.chain.ids);
		free(t->list[i].last.ids);
		free(t->list[i].run_spans.items);
		for (size_t k = 0; k < PERF_WAITS; k++)
			free(t->list[i].wait_spans[k].items);
	}
	fg_intern_release(&t->ids);
	fg_intern_release(&t->comms);
	fg_intern_release(&t->kernel_pids);
	free(t->list);
	free(t->tids);
}

static uint32_t id_of(struct fg_intern *t, uint64_t number)
{
	return fg_intern(t, fg_str_of((const char *)&number, sizeof(number)));
}

struct perf_thread *perf_threads_of(struct perf_threads *t, uint64_t tid)
{
	size_t known = t->ids.count;
	uint32_t id = id_of(&t->ids, tid);
	struct perf_thread *th;

	FG_GROW(t->list, t->alloc, t->ids.count);
	th = &t->list[id];
	if (id == known) {
		memset(th, 0, sizeof(*th));
		th->tid = tid;
	}
	return th;
}

/* ---- names */

void perf_threads_name(struct perf_threads *t, struct perf_thread *th,
		       const struct fg_sample *sample)
{
	th->named = true;
	if (sample->comm.ptr)
		th->comm = fg_intern(&t->comms, sample->comm) + 1;
	if (sample->pid.known)
		th->pid = sample->pid;
	if (sample->cpu.known)
		th->cpu = sample->cpu;
}

struct fg_sample perf_threads_sample(const struct perf_threads *t,
				     const struct perf_thread *th)
{
	return (struct fg_sample){
		.comm = th->comm ? fg_intern_name(&t->comms, th->comm - 1) :
				   fg_str_of(NULL, 0),
		.pid = th->pid,
		.tid = { (int64_t)th->tid, th->tid <= INT64_MAX },
		.cpu = th->cpu,
		.event = FG_STR("context-switches"),
		.has_time = th->placed,
		.time = th->since,
	};
}

/* ---- pids of tracepoints */

void perf_threads_note_pid(struct perf_threads *t, uint64_t kernel_pid, uint64_t tid)
{
	uint32_t id;

	if (kernel_pid == tid)
		return;
	id = id_of(&t->kernel_pids, kernel_pid);
	FG_GROW(t->tids, t->tids_alloc, t->kernel_pids.count);
	t->tids[id] = tid;
}

uint64_t perf_threads_tid(struct perf_threads *t, uint64_t kernel_pid)
{
	size_t known = t->kernel_pids.count;
	uint32_t id;

	if (!known)
		return kernel_pid;
	id = id_of(&t->kernel_pids, kernel_pid);
	FG_GROW(t->tids, t->tids_alloc, t->kernel_pids.count);
	if (id == known)
		t->tids[id] = kernel_pid;
	return t->tids[id];
}

/* ---- time */

void perf_threads_at(struct perf_threads *t, uint64_t time)
{
	if (!t->any_time)
		t->start = time;
	if (!t->any_time || time > t->end)
		t->end = time;
	t->any_time = true;
}

uint64_t perf_threads_pass(const struct perf_threads *t, struct perf_thread *th,
			   uint64_t time)
{
	uint64_t since;

	if (!th->placed)
		th->since = th->was_there && t->start < time ? t->start : time;
	th->placed = true;
	since = th->since;
	if (time <= since)
		return 0;
	th->since = time;
	return time - since;
}

void perf_spans_add(struct perf_spans *s, const struct perf_thread *th, uint64_t passed)
{
	if (!passed)
		return;
	FG_GROW(s->items, s->alloc, s->count + 1);
	s->items[s->count++] = (struct perf_span){ th->since - passed, th->since };
}
