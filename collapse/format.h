/*
 * What a profiler's output format is to the rest of the project: a descriptor.
 *
 * A format is one row of formats.def and one file whose only external symbol is
 * its descriptor, fg_format_NAME. The program's main does the rest.
 */
#ifndef FG_COLLAPSE_FORMAT_H
#define FG_COLLAPSE_FORMAT_H

#include "lib/opts.h"
#include "lib/reader.h"

/* What one run of a collapser works with. */
struct fg_collapse {
	struct fg_reader *reader;
	const struct fg_opt_list *files; /* what it reads; none: standard input */
	struct fg_out *out;
	struct fg_diag *diag;
	const void *options; /* the format's own struct, set from its rows */
};

/* All members are set. */
struct fg_format {
	const char *name; /* as in formats.def */
	const char *summary; /* for --help: what is read and written */
	const char *footer; /* for --help: an example */
	const char *waiting; /* for a terminal, while a pipe brings nothing */

	const struct fg_opt *rows;
	size_t options_size;

	/*
	 * Fills in the defaults of a zeroed options struct. `called_as` is the
	 * program's name without its folder: under an older script's name the
	 * defaults are that script's.
	 */
	void (*init)(void *options, const char *called_as);

	/* Frees what the options own. */
	void (*release)(void *options);

	/* Completes options and checks them: 0, or -1 after reporting. */
	int (*check)(void *options, struct fg_diag *diag);

	/* How much is to be said on standard error. */
	enum fg_verbosity (*verbosity)(const void *options);

	/* Reads everything, writes folded stacks: 0, or -1 after reporting. */
	int (*run)(const struct fg_collapse *run);
};

#define FORMAT(format, older) extern const struct fg_format fg_format_##format;
#include "collapse/formats.def"
#undef FORMAT

#endif
