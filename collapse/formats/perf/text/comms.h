/*
 * Commands (perf's "comm") of threads that have ended.
 *
 * From 6.12 on, perf forgets a thread when it ends. Samples that come later, for
 * example while its memory is freed, have ":4242" as the command of thread 4242. We
 * give them the command that was printed last for the thread, or else for its process.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_COMMS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_COMMS_H

#include "collapse/roots.h"
#include "lib/base/intern.h"
#include "lib/base/map.h"

/* A table is full with this many threads or commands; two tables are kept. */
#define PERF_COMMS_MAX 65536

struct perf_comm {
	uint32_t comm; /* its id in `comms` */
	struct fg_id pid;
};

struct perf_comm_table {
	struct fg_map by_tid; /* index in `list` plus 1 */
	struct perf_comm *list;
	size_t count, alloc;
	struct fg_intern comms;
};

/*
 * A stream may have any number of threads. So if `now` is full, it becomes `before`,
 * and the older half is forgotten.
 */
struct perf_comms {
	struct perf_comm_table now, before;
};

void perf_comms_init(struct perf_comms *c);
void perf_comms_release(struct perf_comms *c);

/* Forgets all threads, because another recording has other threads. */
void perf_comms_clear(struct perf_comms *c);

/* Tells the caller which later samples it must pass to perf_comms_settle(). */
enum perf_comm_news {
	PERF_COMM_KNOWN, /* settle samples of this thread that have another command */
	PERF_COMM_CHANGED, /* settle all samples of this thread */
	PERF_COMM_ALL_CHANGED, /* settle all samples of all threads */
};

/* Remembers the command that a record gives a thread. Copies `comm`. */
enum perf_comm_news perf_comms_name(struct perf_comms *c, uint64_t tid,
				    struct fg_str comm);

/*
 * Remembers the sample's command. If it is ":4242", replaces it by the one we remember,
 * which is valid until the next call.
 */
enum perf_comm_news perf_comms_settle(struct perf_comms *c, struct fg_sample *sample);

#endif
