/*
 * Runs a collapser: sets its options, and turns its input into folded stacks.
 *
 *     fg_collapse_init(&c, format, "collapse-perf");
 *     count = fg_collapse_tables(&c, tables);
 *     ... set options by the tables ...
 *     if (!fg_collapse_check(&c, diag))
 *             status = fg_collapse_run(&c, &io);
 *     fg_collapse_release(&c);
 */
#ifndef FG_COLLAPSE_COLLAPSE_H
#define FG_COLLAPSE_COLLAPSE_H

#include "collapse/format.h"
#include "lib/base/out.h"

/* A format, and the options of a run. */
struct fg_collapse {
	const struct fg_format *format;
	struct fg_common_options common;
	struct fg_samples_options samples; /* also for a format with values */
	void *own; /* the format's own options */
	struct fg_sink *sink; /* NULL before fg_collapse_check() */
};

/*
 * Sets the defaults of `format`. They may depend on `called_as`, the name by which the
 * program was called.
 */
void fg_collapse_init(struct fg_collapse *c, const struct fg_format *format,
		      const char *called_as);
void fg_collapse_release(struct fg_collapse *c);

/* A collapser has at most this many tables of options. */
#define FG_COLLAPSE_TABLES 6

/* Fills in the tables of options, which set fields of `c`. Returns their number. */
size_t fg_collapse_tables(struct fg_collapse *c,
			  struct fg_opt_table tables[FG_COLLAPSE_TABLES]);

/*
 * Checks the options after all are set, and makes the sink. Returns -1 after reporting
 * a wrong option. `diag` is borrowed for the whole run.
 */
int fg_collapse_check(struct fg_collapse *c, struct fg_diag *diag);

/* The input and output of a run; all borrowed. */
struct fg_collapse_io {
	struct fg_reader *reader;
	/* the files that the reader reads; empty for standard input */
	const struct fg_opt_list *files;
	struct fg_out *out;
};

/*
 * Reads all input and writes folded stacks. Returns -1 after reporting. Call it once
 * for each fg_collapse_check().
 */
int fg_collapse_run(struct fg_collapse *c, const struct fg_collapse_io *io);

#endif
