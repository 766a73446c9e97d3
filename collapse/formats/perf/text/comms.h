/*
 * The commands of threads that have ended.
 *
 * perf forgets a thread at its end, from 6.12 on. Samples that come afterwards, while
 * its memory is freed say, have ":4242" for the command of thread 4242. They are given
 * the command that was printed last for the thread or, for a thread that had no sample
 * before, for its process.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_COMMS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_COMMS_H

#include "collapse/roots.h"
#include "lib/base/intern.h"
#include "lib/base/map.h"

/* So many threads, and as many commands, are remembered before half is forgotten. */
#define PERF_COMMS_MAX 65536

struct perf_comm {
	uint32_t comm; /* its id */
	struct fg_id pid;
};

/* A zeroed struct is empty but for `comms`. */
struct perf_comm_table {
	struct fg_map by_tid; /* index plus 1 */
	struct perf_comm *list;
	size_t count, alloc;
	struct fg_intern comms;
};

/* A stream may have any number of threads: the older table is dropped at times. */
struct perf_comms {
	struct perf_comm_table now, before;
};

void perf_comms_init(struct perf_comms *c);
void perf_comms_release(struct perf_comms *c);

/* Forgets all threads: another recording has others. */
void perf_comms_clear(struct perf_comms *c);

/* What there is to know about the samples of a thread that come later. */
enum perf_comm_news {
	PERF_COMM_KNOWN, /* those with the same command need not be settled */
	PERF_COMM_CHANGED, /* all have to be settled */
	PERF_COMM_ALL_CHANGED, /* so have those of all other threads */
};

/* Remembers the command of a thread, as a record says it. `comm` is copied. */
enum perf_comm_news perf_comms_name(struct perf_comms *c, uint64_t tid,
				    struct fg_str comm);

/*
 * Remembers the sample's command. If it has none, sets the one that is remembered,
 * which is valid until the next call.
 */
enum perf_comm_news perf_comms_settle(struct perf_comms *c, struct fg_sample *sample);

#endif
