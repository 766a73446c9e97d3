/* Plans a recording on Linux: what is recorded, with which options of the recorder. */
#ifndef FG_FLAME_RECORDING_H
#define FG_FLAME_RECORDING_H

#include "flame/flame.h"
#include "flame/plan.h"

/*
 * Chooses how to record f->target, with the options of the collapser and flamegraph
 * that go with it.
 */
int fg_recording_choose(struct fg_flame *f);

/* Sets the options of collapser and picture for --off-cpu or --wall. */
void fg_recording_show_waits(struct fg_flame *f);

/*
 * Plans the collapser of a recording in the file `data`, or NULL for a stream. With
 * `is_lbr`, perf script reads the file for it.
 */
void fg_recording_plan_collapser(struct fg_flame *f, struct fg_plan *plan,
				 const char *data, bool is_lbr);

/*
 * Plans the recorder and the first stage, the collapser. They are for a command of
 * `count` words or, if that is 0, for the target that the options name.
 */
int fg_recording_plan(struct fg_flame *f, struct fg_plan *plan,
		      const char *const *words, size_t count);

/* Returns true for the name of a tracepoint, SUBSYSTEM:NAME. */
bool fg_is_tracepoint(const char *event);

/* Facts about the tracepoint sched:sched_switch. */
struct fg_tracepoint_facts {
	bool readable; /* we may use it */
	bool mounted; /* there are tracepoints at all */
	bool as_root;
};

/* Returns why the tracepoint cannot be used, or NULL if it can. */
const char *fg_tracepoint_refused(const struct fg_tracepoint_facts *facts);

#endif
