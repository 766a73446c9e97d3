/*
 * Processes and threads, with their names and mappings at the time of the current
 * record.
 *
 * Mappings belong to a process, names to a thread. A child shares its parent's mappings
 * until one of the two changes its own, because builds fork thousands of times. Like in
 * perf, exec does not remove mappings. We keep ended tasks for a while, because records
 * without a time may still refer to them. Then we free them: a machine that is watched
 * for days keeps starting new processes.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_TASKS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_TASKS_H

#include "lib/base/map.h"
#include "collapse/formats/perf/data/maps.h"
#include "lib/base/intern.h"

/*
 * The ages of a thread or process, in order. Ended ones become old and are then freed.
 */
enum fg_pd_age { FG_PD_ALIVE, FG_PD_ENDED, FG_PD_OLD };

struct fg_pd_task {
	int32_t tid;
	uint32_t comm; /* id of its name in `comms`, plus 1; 0: unknown */
	enum fg_pd_age age;
	uint64_t birth; /* number of its fork; 0: unknown */
};

struct fg_pd_process {
	struct fg_pd_maps *maps; /* NULL: nothing is mapped */
	int32_t pid;
	uint32_t threads; /* number of running threads, without the main thread */
	bool has_leader; /* the main thread has not ended */
	uint64_t birth; /* number of its fork; 0: unknown */
	enum fg_pd_age age;
};

/*
 * Ended tasks age by one step when this many threads have ended, and at least a quarter
 * as many as there are tasks. Aging visits all tasks; this way the cost for each ended
 * thread stays small.
 */
#define FG_PD_ENDS_KEPT ((size_t)4096)

/* If there are more mappings than this, we free those of ended processes. */
#define FG_PD_MAPS_MAX ((size_t)2 << 20)

struct fg_pd_tasks {
	struct fg_pd_task *tasks;
	struct fg_pd_process *processes;
	size_t task_count, task_alloc, process_count, process_alloc;
	struct fg_map by_tid, by_pid; /* from tid or pid to the index plus 1 */
	struct fg_intern comms;
	uint64_t births; /* number of threads forked so far */
	size_t ends; /* number of threads that ended since tasks last aged */
	/* pids of processes that have mappings but whose main thread has ended */
	int32_t *leaderless;
	size_t leaderless_count, leaderless_alloc;
	struct fg_pd_maps kernel;
	size_t map_count; /* mappings of all processes */
	/* mappings left out because there were FG_PD_MAPS_MAX already */
	uint64_t dropped;
	uint32_t last_maps_id;
};

void fg_pd_tasks_init(struct fg_pd_tasks *t);
void fg_pd_tasks_release(struct fg_pd_tasks *t);

/*
 * The longest name that we keep, in bytes. Linux writes at most 15. In a malformed
 * recording a longer name could be inherited by many threads, each with a root frame.
 */
#define FG_PD_COMM_MAX 1024

/* Names a thread, like PERF_RECORD_COMM. Cuts a longer name. */
void fg_pd_tasks_name(struct fg_pd_tasks *t, int32_t tid, struct fg_str comm);

/*
 * A fork: a new thread in its parent's process or, if `pid` is not `ppid`, in a new
 * one.
 */
struct fg_pd_fork {
	int32_t pid, ppid, tid, ptid;
	/* the thread was there before the recording; its mappings follow */
	bool was_there;
};
void fg_pd_tasks_fork(struct fg_pd_tasks *t, const struct fg_pd_fork *fork);

/*
 * Ends a thread, and its process with the last thread. Borrowed mappings become
 * invalid.
 */
void fg_pd_tasks_exit(struct fg_pd_tasks *t, int32_t pid, int32_t tid);

/*
 * Maps a range of a process, and replaces older mappings there. Counts it as dropped if
 * running processes have FG_PD_MAPS_MAX mappings already.
 */
void fg_pd_tasks_map(struct fg_pd_tasks *t, int32_t pid, const struct fg_pd_map *map);

/*
 * Change the mappings of a process's compiled code, which hide its other mappings.
 * _map_code adds one like fg_pd_tasks_map(). _unmap_code removes those in a range.
 */
void fg_pd_tasks_map_code(struct fg_pd_tasks *t, int32_t pid,
			  const struct fg_pd_map *map);
void fg_pd_tasks_unmap_code(struct fg_pd_tasks *t, int32_t pid,
			    const struct fg_pd_map *map);

/*
 * Change the kernel's mappings. _core adds the kernel's own code, which never replaces
 * another mapping. _kernel adds a module or other loaded code. _unmap_kernel removes
 * such code.
 */
void fg_pd_tasks_map_core(struct fg_pd_tasks *t, const struct fg_pd_map *map);
void fg_pd_tasks_map_kernel(struct fg_pd_tasks *t, const struct fg_pd_map *map);
void fg_pd_tasks_unmap_kernel(struct fg_pd_tasks *t, const struct fg_pd_map *map);

/* Sets used[i] for each DSO, by its index, that a running process has mapped. */
void fg_pd_tasks_mark(struct fg_pd_tasks *t, bool *used);

/* Returns a thread's name, borrowed, or ":TID" if it is not known. */
struct fg_str fg_pd_tasks_comm(struct fg_pd_tasks *t, int32_t tid);

/*
 * Return a number that tells a process, or a thread, from earlier ones with the same
 * id. It is 0 if unknown.
 */
uint64_t fg_pd_tasks_birth(const struct fg_pd_tasks *t, int32_t pid);
uint64_t fg_pd_tasks_thread_birth(const struct fg_pd_tasks *t, int32_t tid);

/* Returns the mappings of a process, or NULL. */
struct fg_pd_maps *fg_pd_tasks_maps(const struct fg_pd_tasks *t, int32_t pid);

#endif
