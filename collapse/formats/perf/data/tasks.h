/*
 * Processes and threads: what they are called and what is mapped where, at the time
 * that reading has come to.
 *
 * Mappings belong to a process, names to a thread. A process that forks shares its
 * mappings with the child until one of them changes its own, as builds fork thousands
 * of times. As in perf, exec takes nothing away. What has ended is kept for a while, as
 * records of it may come later where they have no time, and then given back: a machine
 * that is watched for days starts ever new processes.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_TASKS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_TASKS_H

#include "lib/base/map.h"
#include "collapse/formats/perf/data/maps.h"
#include "lib/base/intern.h"

/* What has ended grows old, and is given back when old. */
enum fg_pd_age { FG_PD_ALIVE, FG_PD_ENDED, FG_PD_OLD };

struct fg_pd_task {
	int32_t tid;
	uint32_t comm; /* an id of `comms` and 1; 0: none is known */
	enum fg_pd_age age;
};

struct fg_pd_process {
	struct fg_pd_maps *maps; /* NULL: none */
	int32_t pid;
	uint32_t threads; /* that were begun beside the first, and have not ended */
	bool led; /* false: its first thread has ended */
	enum fg_pd_age age;
};

/* Ends of threads, and as many as there are threads, after which all grow older. */
#define FG_PD_ENDS_KEPT ((size_t)4096)

/* Mappings in all, above which those of processes that have ended are forgotten. */
#define FG_PD_MAPS_MAX ((size_t)2 << 20)

struct fg_pd_tasks {
	struct fg_pd_task *tasks;
	struct fg_pd_process *processes;
	size_t task_count, task_alloc, process_count, process_alloc;
	struct fg_map by_tid, by_pid; /* to index and 1 */
	struct fg_intern comms;
	size_t ends; /* of threads, since all grew older */
	struct fg_pd_maps kernel;
	size_t map_count; /* mappings of all processes */
	uint64_t dropped; /* mappings for which there was no room */
	uint32_t last_maps_id;
};

void fg_pd_tasks_init(struct fg_pd_tasks *t);
void fg_pd_tasks_release(struct fg_pd_tasks *t);

/* A thread is called that from now on. */
void fg_pd_tasks_name(struct fg_pd_tasks *t, int32_t tid, struct fg_str comm);

/* A thread that is new: of the same process as its parent, or of another one. */
struct fg_pd_fork {
	int32_t pid, ppid, tid, ptid;
	bool was_there; /* before recording began: its mappings follow */
};
void fg_pd_tasks_fork(struct fg_pd_tasks *t, const struct fg_pd_fork *fork);

/*
 * A thread has ended, and its process if no other is left. Mappings that were borrowed
 * are no longer valid.
 */
void fg_pd_tasks_exit(struct fg_pd_tasks *t, int32_t pid, int32_t tid);

/*
 * A mapping of a process; where others are, it takes their place. Counted as dropped
 * where there are FG_PD_MAPS_MAX of processes that have not ended.
 */
void fg_pd_tasks_map(struct fg_pd_tasks *t, int32_t pid, const struct fg_pd_map *map);

/*
 * Mappings of the kernel: that of its own code, which never takes the place of another;
 * one of what was loaded into it; and the end of such a one.
 */
void fg_pd_tasks_map_core(struct fg_pd_tasks *t, const struct fg_pd_map *map);
void fg_pd_tasks_map_kernel(struct fg_pd_tasks *t, const struct fg_pd_map *map);
void fg_pd_tasks_unmap_kernel(struct fg_pd_tasks *t, const struct fg_pd_map *map);

/* What a thread is called; ":TID" where that is not known. Borrowed. */
struct fg_str fg_pd_tasks_comm(struct fg_pd_tasks *t, int32_t tid);

/* The mappings of a process; NULL where it has none. */
struct fg_pd_maps *fg_pd_tasks_maps(const struct fg_pd_tasks *t, int32_t pid);

#endif
