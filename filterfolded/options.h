/*
 * The command line of filter-folded, and the filter that it describes.
 *
 * Call fg_choosing_init(), fg_choosing_run() and fg_choosing_release(). profile.h reads
 * and writes profiles; prune.h and slicing.h change a whole profile.
 */
#ifndef FG_FILTERFOLDED_OPTIONS_H
#define FG_FILTERFOLDED_OPTIONS_H

#include "filterfolded/profile.h"

struct fg_choosing_options {
	bool reverse;
	bool key_prefix;
	uint64_t top; /* 0: all */
	double min_percent;
	const char *section; /* NULL: all */
	int verbosity;
	struct fg_slicing_options slicing;
	struct fg_filter_options filter; /* set by fg_filter_rows */
};

extern const struct fg_opt fg_choosing_rows[];

/* A filter, made from options. */
struct fg_choosing {
	const struct fg_choosing_options *options;
	struct fg_filter *stacks;
	struct fg_slicing slicing;
	struct fg_profile profile;
};

/*
 * Makes the filter. The options are borrowed. Returns 0, or -1 after reporting a wrong
 * option. Release `c` in either case.
 */
int fg_choosing_init(struct fg_choosing *c, const struct fg_choosing_options *o,
		     struct fg_diag *diag);
void fg_choosing_release(struct fg_choosing *c);

/*
 * Reads all of `reader` and writes what is left to `out`. Returns 0, or -1 after
 * reporting.
 */
int fg_choosing_run(struct fg_choosing *c, struct fg_reader *reader,
		    struct fg_out *out);

#endif
