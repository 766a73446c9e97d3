/*
 * Runs plans. Ctrl-C, TERM, HUP and QUIT end the recording and not the run: what was
 * recorded is still drawn. While nothing is recorded, they end the run.
 */
#ifndef FG_FLAME_RUN_H
#define FG_FLAME_RUN_H

#include "flame/flame.h"
#include "flame/plan.h"

/* The results of running a plan. */
struct fg_run {
	int recorded; /* exit status of the recorder, like a shell reports it */
	int signal; /* the signal that ended the recording, or 0 */
	/* the part of the plan that failed, as one types it; empty: all is well */
	struct fg_buf failed;
	struct fg_buf said; /* messages of the collapser */
	const char *folded; /* the file of the stacks, which the plan's draw reads */
};

/*
 * Catches signals and makes the folder of temporary files. Returns 0, or the exit
 * status after reporting.
 */
int fg_run_start(struct fg_flame *f);

/*
 * Removes the folder of temporary files. Returns the exit status: `status`, or that of
 * a signal which came after the last program had ended.
 */
int fg_run_end(int status);

/*
 * Runs a plan up to the file of stacks. Returns 0 even if a part failed, or the exit
 * status if the run has to end.
 */
int fg_run_record(struct fg_run *r, struct fg_flame *f, const struct fg_plan *plan);

/*
 * Draws what fg_run_record() has left. An older picture stays if that fails. Returns 0,
 * or the exit status if the run has to end; r->failed tells if it failed.
 */
int fg_run_draw(struct fg_run *r, struct fg_flame *f, const struct fg_plan *plan);

void fg_run_release(struct fg_run *r);

/*
 * Runs a recorder and its collapser only for the collapser's messages, which are
 * appended to `messages`.
 */
void fg_run_quietly(struct fg_flame *f, const struct fg_plan *plan,
		    struct fg_buf *messages);

/*
 * Finds the number of samples in a collapser's messages. Returns false if there is
 * none, or if it counts lines, because the input is folded stacks.
 */
bool fg_run_samples(struct fg_str messages, uint64_t *samples);

#endif
