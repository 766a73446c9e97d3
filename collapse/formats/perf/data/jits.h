/*
 * The code that runtimes compiled while they were recorded, from their jitdumps.
 *
 * The recording says which process writes which dump. Before a sample of the process
 * is looked up, we map the code that the dump has up to the time of the sample. perf
 * inject --jit does the same, but writes a file for each function.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_JITS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_JITS_H

#include "collapse/formats/perf/data/events.h"
#include "collapse/formats/perf/data/tasks.h"
#include "collapse/symbols/dsos.h"

/* The ways to turn times of a dump into times of the recording. */
enum fg_pd_jit_clock {
	FG_PD_JIT_UNREAD, /* the dump has no code yet */
	FG_PD_JIT_SAME,
	FG_PD_JIT_CYCLES, /* the recording says how to turn cycles into its times */
	/* the clocks differ by a time that we estimate */
	FG_PD_JIT_SHIFTED,
	FG_PD_JIT_TIMELESS, /* none: the last code at an address was always there */
};

/* A process and its dump. */
struct fg_pd_jit {
	int32_t pid;
	uint32_t dso;
	uint64_t mapped; /* when the process mapped the dump; 0: unknown */
	enum fg_pd_jit_clock clock;
	uint64_t shift; /* for FG_PD_JIT_SHIFTED: added to times of the dump */
	size_t next; /* number of functions that we have mapped */
	size_t other; /* index plus 1 of another dump with this pid; 0: there is none */
};

/* The counter of a processor and the recording's time: PERF_RECORD_TIME_CONV. */
struct fg_pd_cycles {
	uint64_t shift, factor, zero; /* factor 0: not recorded */
};

struct fg_pd_jits {
	struct fg_dsos *dsos; /* borrowed, like the next two */
	struct fg_pd_tasks *tasks;
	const struct fg_pd_events *events;
	struct fg_pd_jit *list;
	size_t count, alloc;
	struct fg_map by_pid; /* from a pid to the index of its last dump, plus 1 */
	struct fg_pd_cycles cycles;
	bool left_out; /* a process has too many dumps */
};

/* There is no _init: set the three borrowed pointers, and the rest to 0. */
void fg_pd_jits_release(struct fg_pd_jits *jits);

/* Takes the record PERF_RECORD_TIME_CONV. */
void fg_pd_jits_take_cycles(struct fg_pd_jits *jits, struct fg_str body);

/*
 * Adds a process that has mapped its dump. Set pid, dso and mapped, the rest to 0. Does
 * nothing if there is no dump to read, if the process has it already, or if it has too
 * many; the last is reported.
 */
void fg_pd_jits_add(struct fg_pd_jits *jits, const struct fg_pd_jit *jit);

/* Maps the code that a process has compiled up to a time. */
void fg_pd_jits_map_until(struct fg_pd_jits *jits, int32_t pid, uint64_t time);

/* Warns if dumps are damaged, or if times of code are not sure. */
void fg_pd_jits_report(const struct fg_pd_jits *jits, struct fg_diag *diag,
		       const struct fg_place *at);

#endif
