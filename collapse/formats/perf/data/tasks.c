/*
 * Keeps processes and threads, with their names and mappings, as records start and end
 * them.
 */
#include "collapse/formats/perf/data/tasks.h"

#include <stdlib.h>

#include "lib/base/buf.h"
#include "lib/base/xalloc.h"

static void unshare_from(struct fg_pd_tasks *t, struct fg_pd_process *process)
{
	struct fg_pd_maps *maps = process->maps;

	process->maps = NULL;
	if (!maps || --maps->users)
		return;
	t->map_count -= fg_pd_maps_count(maps);
	fg_pd_maps_release(maps);
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
	fg_pd_maps_release(&t->kernel);
	free(t->tasks);
	free(t->processes);
	free(t->leaderless);
	fg_map_release(&t->by_tid);
	fg_map_release(&t->by_pid);
	fg_intern_release(&t->comms);
	memset(t, 0, sizeof(*t));
}

static struct fg_pd_task *task_of(struct fg_pd_tasks *t, int32_t tid)
{
	size_t index = fg_map_get(&t->by_tid, (uint32_t)tid);
	struct fg_pd_task *task;

	if (index)
		return &t->tasks[index - 1];
	FG_GROW(t->tasks, t->task_alloc, t->task_count + 1);
	task = &t->tasks[t->task_count++];
	*task = (struct fg_pd_task){ .tid = tid };
	fg_map_set(&t->by_tid, (uint32_t)tid, t->task_count);
	return task;
}

static struct fg_pd_process *process_of(struct fg_pd_tasks *t, int32_t pid)
{
	size_t index = fg_map_get(&t->by_pid, (uint32_t)pid);
	struct fg_pd_process *process;

	if (index)
		return &t->processes[index - 1];
	FG_GROW(t->processes, t->process_alloc, t->process_count + 1);
	process = &t->processes[t->process_count++];
	*process = (struct fg_pd_process){ .pid = pid, .has_leader = true };
	fg_map_set(&t->by_pid, (uint32_t)pid, t->process_count);
	return process;
}

static struct fg_pd_task *live_task(struct fg_pd_tasks *t, int32_t tid)
{
	struct fg_pd_task *task = task_of(t, tid);

	task->age = FG_PD_ALIVE;
	return task;
}

void fg_pd_tasks_name(struct fg_pd_tasks *t, int32_t tid, struct fg_str comm)
{
	comm = fg_str_before(comm, FG_PD_COMM_MAX);
	live_task(t, tid)->comm = fg_intern(&t->comms, comm) + 1;
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
	struct fg_pd_task *task = live_task(t, fork->tid);
	struct fg_pd_process *process;
	struct fg_pd_maps *maps;

	task->comm = comm;
	task->birth = fork->was_there ? 0 : ++t->births;
	if (fork->pid != fork->tid)
		process_of(t, fork->pid)->threads++;
	if (fork->pid != fork->tid || fork->pid == fork->ppid)
		return;
	process_of(t, fork->ppid);
	process = process_of(t, fork->pid);
	unshare_from(t, process);
	*process = (struct fg_pd_process){ .pid = fork->pid,
					   .has_leader = true,
					   .birth = task->birth };
	maps = process_of(t, fork->ppid)->maps;
	if (maps && !fork->was_there) {
		maps->users++;
		process->maps = maps;
	}
}

/* ---- ended tasks */

/*
 * Notes a process whose main thread has ended. If there are too many mappings,
 * forget_ended() drops its mappings.
 */
static void note_leaderless(struct fg_pd_tasks *t, const struct fg_pd_process *process)
{
	if (process->has_leader || !process->maps)
		return;
	FG_GROW(t->leaderless, t->leaderless_alloc, t->leaderless_count + 1);
	t->leaderless[t->leaderless_count++] = process->pid;
}

/*
 * Removes old threads. Their names stay, because borrowers may compare names by
 * address.
 */
static void sweep_tasks(struct fg_pd_tasks *t)
{
	size_t kept = 0;

	fg_map_release(&t->by_tid);
	for (size_t i = 0; i < t->task_count; i++) {
		struct fg_pd_task task = t->tasks[i];

		if (task.age == FG_PD_OLD)
			continue;
		if (task.age == FG_PD_ENDED)
			task.age = FG_PD_OLD;
		t->tasks[kept++] = task;
		fg_map_set(&t->by_tid, (uint32_t)task.tid, kept);
	}
	t->task_count = kept;
}

static void sweep_processes(struct fg_pd_tasks *t)
{
	size_t kept = 0;

	fg_map_release(&t->by_pid);
	t->leaderless_count = 0;
	for (size_t i = 0; i < t->process_count; i++) {
		struct fg_pd_process process = t->processes[i];

		if (process.age == FG_PD_OLD) {
			unshare_from(t, &process);
			continue;
		}
		if (process.age == FG_PD_ENDED)
			process.age = FG_PD_OLD;
		note_leaderless(t, &process);
		t->processes[kept++] = process;
		fg_map_set(&t->by_pid, (uint32_t)process.pid, kept);
	}
	t->process_count = kept;
}

/* Lets all ended threads and processes age by one step, and frees the old ones. */
static void grow_older(struct fg_pd_tasks *t)
{
	sweep_tasks(t);
	sweep_processes(t);
	t->ends = 0;
}

void fg_pd_tasks_exit(struct fg_pd_tasks *t, int32_t pid, int32_t tid)
{
	struct fg_pd_process *process = process_of(t, pid);

	task_of(t, tid)->age = FG_PD_ENDED;
	if (pid == tid) {
		process->has_leader = false;
		note_leaderless(t, process);
	} else if (process->threads) {
		process->threads--;
	}
	if (!process->has_leader && !process->threads)
		process->age = FG_PD_ENDED;
	t->ends++;
	if (t->ends >= FG_PD_ENDS_KEPT && t->ends >= t->task_count / 4 &&
	    t->ends >= t->process_count / 4)
		grow_older(t);
}

/*
 * Drops the mappings of all processes whose main thread has ended, even if other
 * threads may still run, because there are too many mappings.
 */
static void forget_ended(struct fg_pd_tasks *t)
{
	while (t->leaderless_count) {
		int32_t pid = t->leaderless[--t->leaderless_count];
		size_t index = fg_map_get(&t->by_pid, (uint32_t)pid);

		if (index && !t->processes[index - 1].has_leader)
			unshare_from(t, &t->processes[index - 1]);
	}
}

/*
 * Returns the mappings of a process so that they can be changed. Copies them if another
 * process shares them.
 */
static struct fg_pd_maps *own_maps(struct fg_pd_tasks *t, int32_t pid)
{
	struct fg_pd_process *process = process_of(t, pid);
	struct fg_pd_maps *shared = process->maps, *maps;

	process->age = FG_PD_ALIVE;
	if (shared && shared->users == 1)
		return shared;
	maps = fg_xcalloc(1, sizeof(*maps));
	maps->users = 1;
	maps->id = ++t->last_maps_id;
	if (shared)
		fg_pd_maps_copy(maps, shared);
	t->map_count += fg_pd_maps_count(maps);
	unshare_from(t, process);
	process->maps = maps;
	note_leaderless(t, process);
	return maps;
}

/* Returns true if another mapping may be added. Otherwise counts it as dropped. */
static bool has_space(struct fg_pd_tasks *t)
{
	if (t->map_count > FG_PD_MAPS_MAX)
		forget_ended(t);
	if (t->map_count <= FG_PD_MAPS_MAX)
		return true;
	t->dropped++;
	return false;
}

void fg_pd_tasks_map(struct fg_pd_tasks *t, int32_t pid, const struct fg_pd_map *map)
{
	struct fg_pd_maps *maps;
	size_t before;

	if (map->end <= map->start || !has_space(t))
		return;
	maps = own_maps(t, pid);
	before = maps->count;
	if (fg_pd_maps_clear(maps, map->start, map->end) || maps->missed) {
		maps->id = ++t->last_maps_id;
		maps->missed = false;
	}
	fg_pd_maps_insert(maps, map);
	t->map_count += maps->count - before;
}

void fg_pd_tasks_map_code(struct fg_pd_tasks *t, int32_t pid,
			  const struct fg_pd_map *map)
{
	struct fg_pd_maps *maps;
	size_t before;

	if (map->end <= map->start || !has_space(t))
		return;
	maps = own_maps(t, pid);
	if (!maps->code)
		maps->code = fg_xcalloc(1, sizeof(*maps->code));
	before = maps->code->count;
	fg_pd_maps_clear(maps->code, map->start, map->end);
	fg_pd_maps_insert(maps->code, map);
	maps->id = ++t->last_maps_id;
	t->map_count += maps->code->count - before;
}

void fg_pd_tasks_unmap_code(struct fg_pd_tasks *t, int32_t pid,
			    const struct fg_pd_map *map)
{
	struct fg_pd_maps *maps = fg_pd_tasks_maps(t, pid);
	size_t before;

	if (!maps || !maps->code)
		return;
	maps = own_maps(t, pid);
	before = maps->code->count;
	if (fg_pd_maps_clear(maps->code, map->start, map->end))
		maps->id = ++t->last_maps_id;
	t->map_count += maps->code->count - before;
}

void fg_pd_tasks_map_core(struct fg_pd_tasks *t, const struct fg_pd_map *map)
{
	t->kernel.rest = *map;
	t->kernel.id = ++t->last_maps_id;
}

void fg_pd_tasks_map_kernel(struct fg_pd_tasks *t, const struct fg_pd_map *map)
{
	if (map->end <= map->start)
		return;
	fg_pd_tasks_unmap_kernel(t, map);
	if (t->kernel.count < FG_PD_MAPS_MAX)
		fg_pd_maps_insert(&t->kernel, map);
	else
		t->dropped++;
}

/*
 * Changes the id even if nothing was mapped there: the kernel's own code fills the gaps
 * between other mappings, and these gaps may have changed.
 */
void fg_pd_tasks_unmap_kernel(struct fg_pd_tasks *t, const struct fg_pd_map *map)
{
	fg_pd_maps_clear(&t->kernel, map->start, map->end);
	t->kernel.id = ++t->last_maps_id;
}

uint64_t fg_pd_tasks_birth(const struct fg_pd_tasks *t, int32_t pid)
{
	size_t index = fg_map_get(&t->by_pid, (uint32_t)pid);

	return index ? t->processes[index - 1].birth : 0;
}

uint64_t fg_pd_tasks_thread_birth(const struct fg_pd_tasks *t, int32_t tid)
{
	size_t index = fg_map_get(&t->by_tid, (uint32_t)tid);

	return index ? t->tasks[index - 1].birth : 0;
}

struct fg_pd_maps *fg_pd_tasks_maps(const struct fg_pd_tasks *t, int32_t pid)
{
	size_t index = fg_map_get(&t->by_pid, (uint32_t)pid);

	return index ? t->processes[index - 1].maps : NULL;
}

static void mark(struct fg_pd_maps *maps, bool *used)
{
	const struct fg_pd_map *map = fg_pd_maps_from(maps, 0);

	for (; map; map = fg_pd_maps_from(maps, map->end))
		used[map->dso] = true;
	maps->marked = true;
	if (maps->code)
		mark(maps->code, used);
}

/* Visits mappings only once if several processes share them. */
void fg_pd_tasks_mark(struct fg_pd_tasks *t, bool *used)
{
	for (size_t i = 0; i < t->process_count; i++)
		if (t->processes[i].maps)
			t->processes[i].maps->marked = false;
	for (size_t i = 0; i < t->process_count; i++) {
		const struct fg_pd_process *process = &t->processes[i];

		if (process->age == FG_PD_ALIVE && process->maps &&
		    !process->maps->marked)
			mark(process->maps, used);
	}
}
