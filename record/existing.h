/*
 * Describes what already runs when a recording starts.
 *
 * The kernel records only changes: a process that starts, a file that is mapped. So for
 * processes that run already we read /proc and write the records that the kernel would
 * have written: FORK, COMM, NAMESPACES and MMAP2. Like those of perf they have no time,
 * so readers take them as they come.
 */
#ifndef FG_RECORD_EXISTING_H
#define FG_RECORD_EXISTING_H

#include "lib/base/out.h"
#include "record/options.h"

struct fg_existing {
	const char *proc; /* "/proc"; tests have their own */
	struct fg_out *out; /* gets the records */
	bool data; /* also describe mappings that are not executable */
	size_t trailer; /* zero bytes at the end of each record: an empty sample_id */
	struct fg_buf record, text; /* scratch */
};

void fg_existing_release(struct fg_existing *x);

/* Writes the record in x->record, with its trailer. */
void fg_existing_end(struct fg_existing *x, size_t start);

/* Describes a process. One that has ended, or that we may not look at, is skipped. */
void fg_existing_process(struct fg_existing *x, int pid);

/* Describes all processes. */
void fg_existing_processes(struct fg_existing *x);

/* Lists the threads of a process. Returns false if there is no such process. */
bool fg_existing_threads(const char *proc, int pid, struct fg_numbers *threads);

#endif
