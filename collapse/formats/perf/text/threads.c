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
	fg_intern_init(&t->comms);
}

void perf_threads_release(struct perf_threads *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->list[i].left.chain.ids);
		free(t->list[i].last.ids);
		free(t->list[i].run_spans.items);
		for (size_t k = 0; k < PERF_WAITS; k++)
			free(t->list[i].wait_spans[k].items);
	}
	fg_map_release(&t->by_tid);
	fg_map_release(&t->by_kernel_pid);
	fg_intern_release(&t->comms);
	free(t->list);
}

struct perf_thread *perf_threads_of(struct perf_threads *t, uint64_t tid)
{
	const struct fg_map_key key = { tid, 0 };
	bool is_new;
	size_t i = *fg_map_add(&t->by_tid, key, t->count, &is_new);

	if (is_new) {
		FG_GROW(t->list, t->alloc, t->count + 1);
		t->list[t->count++] = (struct perf_thread){ .tid = tid };
	}
	return &t->list[i];
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
	if (kernel_pid != tid)
		fg_map_set(&t->by_kernel_pid, kernel_pid,
			   (size_t)(perf_threads_of(t, tid) - t->list) + 1);
}

uint64_t perf_threads_tid(const struct perf_threads *t, uint64_t kernel_pid)
{
	size_t index_plus_1 = fg_map_get(&t->by_kernel_pid, kernel_pid);

	return index_plus_1 ? t->list[index_plus_1 - 1].tid : kernel_pid;
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
