/* Plans a whole pipeline: from a recording or a profile to the picture. */
#ifndef FG_FLAME_PIPELINE_H
#define FG_FLAME_PIPELINE_H

#include "flame/flame.h"
#include "flame/plan.h"

/*
 * Checks and plans the recording of a command of `count` words or, if that is 0, of the
 * target that the options name. With append_to, the stacks go to the end of that file,
 * and nothing is drawn.
 */
int fg_pipeline_record(struct fg_flame *f, struct fg_plan *plan,
		       const char *const *words, size_t count, const char *append_to);

/* Plans the drawing of the profile that --perfdata names. */
int fg_pipeline_read(struct fg_flame *f, struct fg_plan *plan);

/* Adds flamegraph with its options. */
void fg_pipeline_draw(struct fg_flame *f, struct fg_args *draw);

/*
 * Chooses the heading, by what is recorded, if --title does not give one. The command
 * has `count` words.
 */
void fg_pipeline_title(struct fg_flame *f, const char *const *words, size_t count);

/*
 * Checks, before anything is recorded, that outputs can be written and are not the same
 * files, and that the filters accept their options. The plan may be NULL.
 */
int fg_pipeline_check(struct fg_flame *f, const struct fg_plan *plan);

/* Prints the text of a plan as a script, for -v or --dry-run. */
void fg_pipeline_show(struct fg_flame *f, const struct fg_buf *text);

#endif
