/*
 * One run of a collapser: the input, by way of a format's grammar, to folded stacks.
 */
#ifndef FG_COLLAPSE_COLLAPSE_H
#define FG_COLLAPSE_COLLAPSE_H

#include "collapse/format.h"
#include "lib/base/out.h"

/* A format, and the options of a run. */
struct fg_collapse {
	const struct fg_format *format;
	struct fg_common_options common;
	struct fg_samples_options samples; /* where it has samples or values */
	void *own; /* the struct that the format's own rows set */
	struct fg_sink *sink; /* NULL before fg_collapse_check */
};

/* The defaults of a format, as its program has them when it is called by that name. */
void fg_collapse_init(struct fg_collapse *c, const struct fg_format *format,
		      const char *called_as);
void fg_collapse_release(struct fg_collapse *c);

/* The most tables of options that a collapser has. */
#define FG_COLLAPSE_TABLES 6

/* Fills in the tables of options that set `c`; returns how many there are. */
size_t fg_collapse_tables(struct fg_collapse *c,
			  struct fg_opt_table tables[FG_COLLAPSE_TABLES]);

/*
 * Completes the options when all are set: 0, or -1 after reporting one that is wrong.
 * Messages of the run go to `diag`, which is borrowed.
 */
int fg_collapse_check(struct fg_collapse *c, struct fg_diag *diag);

/* What is read and where lines go; all borrowed. */
struct fg_collapse_io {
	struct fg_reader *reader;
	const struct fg_opt_list
		*files; /* that the reader reads; none: standard input */
	struct fg_out *out;
};

/* Reads everything, writes folded stacks: 0, or -1 after reporting. Once a `c`. */
int fg_collapse_run(struct fg_collapse *c, const struct fg_collapse_io *io);

#endif
