/*
 * Processes and threads, from the records of their start, their names and their
 * mappings.
 */
#include "collapse/perfdata/tasks.h"

#include <stdlib.h>

#include "lib/buf.h"
#include "lib/xalloc.h"

static void unshare_from(struct fg_pd_tasks *t, struct fg_pd_process *process)
{
	struct fg_pd_maps *maps = process->maps;

	process->maps = NULL;
	if (!maps || --maps->users)
		return;
	t->map_count -= maps->count;
	free(maps->list);
	free(maps);
}

void fg_pd_tasks_init(struct fg_pd_tasks *t)
{
	memset(t, 0, sizeof(*t));
	fg_intern_init(&t->comms);
	t->kernel.id = ++t->last_maps_id;
	fg_pd_tasks_name(t, 0, FG_STR("swapper"));
}

void fg_pd_tasks_release(struct fg_pd_tasks *t)
{
	for (size_t i = 0; i < t->process_count; i++)
		unshare_from(t, &t->processes[i]);
	free(t->tasks);
	free(t->processes);
	free(t->kernel.list);
	fg_pd_index_release(&t->by_tid);
	fg_pd_index_release(&t->by_pid);
	fg_intern_release(&t->comms);
	memset(t, 0, sizeof(*t));
}

static struct fg_pd_task *task_of(struct fg_pd_tasks *t, int32_t tid)
{
	uint32_t index = fg_pd_index_get(&t->by_tid, (uint32_t)tid);
	struct fg_pd_task *task;

	if (index)
		return &t->tasks[index - 1];
	FG_GROW(t->tasks, t->task_alloc, t->task_count + 1);
	task = &t->tasks[t->task_count++];
	task->tid = tid;
	task->comm = 0;
	fg_pd_index_set(&t->by_tid, (uint32_t)tid, (uint32_t)t->task_count);
	return task;
}

static struct fg_pd_process *process_of(struct fg_pd_tasks *t, int32_t pid)
{
	uint32_t index = fg_pd_index_get(&t->by_pid, (uint32_t)pid);
	struct fg_pd_process *process;

	if (index)
		return &t->processes[index - 1];
	FG_GROW(t->processes, t->process_alloc, t->process_count + 1);
	process = &t->processes[t->process_count++];
	process->maps = NULL;
	process->exited = false;
	fg_pd_index_set(&t->by_pid, (uint32_t)pid, (uint32_t)t->process_count);
	return process;
}

void fg_pd_tasks_name(struct fg_pd_tasks *t, int32_t tid, struct fg_str comm)
{
	task_of(t, tid)->comm = fg_intern(&t->comms, comm) + 1;
}

struct fg_str fg_pd_tasks_comm(struct fg_pd_tasks *t, int32_t tid)
{
	struct fg_buf text = FG_BUF_INIT;
	uint32_t comm = task_of(t, tid)->comm;

	if (!comm) {
		fg_buf_addf(&text, ":%d", (int)tid);
		comm = fg_intern(&t->comms, fg_buf_str(&text)) + 1;
		fg_buf_release(&text);
	}
	return fg_intern_name(&t->comms, comm - 1);
}

void fg_pd_tasks_fork(struct fg_pd_tasks *t, const struct fg_pd_fork *fork)
{
	uint32_t comm = task_of(t, fork->ptid)->comm;
	struct fg_pd_process *process;
	struct fg_pd_maps *maps;

	task_of(t, fork->tid)->comm = comm;
	if (fork->pid != fork->tid || fork->pid == fork->ppid)
		return;
	process_of(t, fork->ppid);
	process = process_of(t, fork->pid);
	unshare_from(t, process);
	process->exited = false;
	maps = process_of(t, fork->ppid)->maps;
	if (maps && !fork->was_there) {
		maps->users++;
		process->maps = maps;
	}
}

void fg_pd_tasks_exit(struct fg_pd_tasks *t, int32_t pid)
{
	process_of(t, pid)->exited = true;
}

static void forget_exited(struct fg_pd_tasks *t)
{
	for (size_t i = 0; i < t->process_count; i++)
		if (t->processes[i].exited)
			unshare_from(t, &t->processes[i]);
}

/* The mappings of a process, for it alone, so that they can be changed. */
static struct fg_pd_maps *own_maps(struct fg_pd_tasks *t, int32_t pid)
{
	struct fg_pd_process *process = process_of(t, pid);
	struct fg_pd_maps *shared = process->maps, *maps;

	if (shared && shared->users == 1)
		return shared;
	maps = fg_xcalloc(1, sizeof(*maps));
	maps->users = 1;
	maps->id = ++t->last_maps_id;
	if (shared) {
		FG_GROW(maps->list, maps->alloc, shared->count);
		if (shared->count)
			memcpy(maps->list, shared->list,
			       shared->count * sizeof(*maps->list));
		maps->count = shared->count;
		t->map_count += maps->count;
		unshare_from(t, process);
	}
	process->maps = maps;
	return maps;
}

void fg_pd_tasks_map(struct fg_pd_tasks *t, int32_t pid, const struct fg_pd_map *map)
{
	struct fg_pd_maps *maps;
	size_t before;

	if (map->end <= map->start)
		return;
	if (t->map_count > FG_PD_MAPS_MAX)
		forget_exited(t);
	if (t->map_count > FG_PD_MAPS_MAX) {
		t->dropped++;
		return;
	}
	maps = own_maps(t, pid);
	before = maps->count;
	if (fg_pd_maps_clear(maps, map->start, map->end))
		maps->id = ++t->last_maps_id;
	fg_pd_maps_insert(maps, map);
	t->map_count += maps->count - before;
}

void fg_pd_tasks_map_kernel(struct fg_pd_tasks *t, const struct fg_pd_map *map)
{
	if (map->end <= map->start)
		return;
	fg_pd_tasks_unmap_kernel(t, map->start, map->end);
	if (t->kernel.count < FG_PD_MAPS_MAX)
		fg_pd_maps_insert(&t->kernel, map);
	else
		t->dropped++;
}

void fg_pd_tasks_unmap_kernel(struct fg_pd_tasks *t, uint64_t start, uint64_t end)
{
	if (fg_pd_maps_clear(&t->kernel, start, end))
		t->kernel.id = ++t->last_maps_id;
}

struct fg_pd_maps *fg_pd_tasks_maps(const struct fg_pd_tasks *t, int32_t pid)
{
	uint32_t index = fg_pd_index_get(&t->by_pid, (uint32_t)pid);

	return index ? t->processes[index - 1].maps : NULL;
}
