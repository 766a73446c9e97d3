/*
 * A plan: the programs that record and draw, as data that is both printed for a shell
 * and run, so that the two cannot differ.
 */
#ifndef FG_FLAME_PLAN_H
#define FG_FLAME_PLAN_H

#include "flame/args.h"
#include "lib/base/buf.h"

/* A filter of the pipeline. */
struct fg_stage {
	struct fg_args args;
	/* the user's own command, for sh -c, instead of `args`; borrowed, or NULL */
	const char *script;
	/* a collapser, whose messages are kept for the end */
	bool is_collapser;
};

/* The longest pipeline: perf script, collapse-perf, the user's filter, tee, diff. */
#define FG_STAGES_MAX 5

/* Ways in which the recording gets to the stages. */
enum fg_way {
	FG_WAY_PIPE, /* the recorder writes it to standard output */
	/*
	 * the recorder writes it to /dev/fd/3, because a command has standard output
	 */
	FG_WAY_DESCRIPTOR,
	FG_WAY_FILE, /* the stages read a file afterwards */
	FG_WAY_INPUT, /* there is no recorder, and the stages read standard input */
};

struct fg_plan {
	/* a command that runs first, and the file for its output; may be empty */
	struct fg_args before;
	const char *before_to;
	struct fg_args record; /* the recorder; empty: nothing is recorded */
	const char *recorder; /* its name for messages, without sudo */
	const char *data; /* the file of the recording, or NULL */
	enum fg_way way;
	struct fg_stage stages[FG_STAGES_MAX];
	size_t stage_count;
	/* the program that draws what comes out of the stages; may be empty */
	struct fg_args draw;
	/* the stages write to the end of this file, and nothing is drawn; or NULL */
	const char *append_to;
};

/* Adds a stage to the end of the pipeline. Its arguments are then added to it. */
struct fg_stage *fg_plan_add(struct fg_plan *plan);

void fg_plan_release(struct fg_plan *plan);

/* Appends a program as one types it. Files in the folder `tmp` become "$tmp/FILE". */
void fg_plan_add_command(struct fg_buf *text, const struct fg_args *args,
			 const char *tmp);

/* Appends a stage as one types it. */
void fg_plan_add_stage(struct fg_buf *text, const struct fg_stage *stage,
		       const char *tmp);

/* Appends the plan as lines for the shell. */
void fg_plan_add_text(struct fg_buf *text, const struct fg_plan *plan, const char *tmp);

/*
 * Appends the text of a plan as a script: if it has temporary files, it makes their
 * folder and removes it.
 */
void fg_plan_add_script(struct fg_buf *script, const struct fg_buf *text);

#endif
