/* Says what a run has brought, and finds its exit status. */
#ifndef FG_FLAME_REPORT_H
#define FG_FLAME_REPORT_H

#include "flame/flame.h"
#include "flame/plan.h"
#include "flame/run.h"

/*
 * Prints the messages of the collapser. Leaves out the number of samples if none was
 * lost. With --quiet, prints them only if something failed.
 */
void fg_report_lost(const struct fg_flame *f, const struct fg_run *r);

/*
 * Ends the run if a part of the plan failed, and says why there is no picture. Returns
 * 0, or the exit status.
 */
int fg_report_failure(const struct fg_flame *f, const struct fg_run *r,
		      const struct fg_plan *plan);

/*
 * Prints the picture's name, a summary, and what was lost.
 */
void fg_report_picture(const struct fg_flame *f, const struct fg_run *r);

/*
 * Returns the exit status of flame: that of the command, unless a signal ended the
 * recording. Says so if it is not 0.
 */
int fg_report_status(const struct fg_flame *f, const struct fg_run *r,
		     const struct fg_plan *plan);

/*
 * Prints a short digest of a file of folded stacks: what was recorded, and the hottest
 * functions or what has changed. With --quiet, prints nothing.
 */
void fg_report_summary(const struct fg_flame *f, const char *file);

/* Shows the picture if --open is given. */
void fg_report_open(struct fg_flame *f);

#endif
