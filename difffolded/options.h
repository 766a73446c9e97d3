/* The command line of diff-folded. */
#ifndef FG_DIFFFOLDED_OPTIONS_H
#define FG_DIFFFOLDED_OPTIONS_H

#include "difffolded/diff.h"
#include "lib/base/opts.h"

struct fg_diff_line {
	bool normalize;
	bool strip_hex;
	struct fg_opt_list before, after;
	const char *ignore_root;
	const char *root;
	int compat; /* enum fg_compat */
	int verbosity;
};

extern const struct fg_opt fg_diff_rows[];

/* Reads the options for the profiles. Returns 0, or -1 after reporting. */
int fg_diff_options_read(const struct fg_diff_line *line,
			 struct fg_diff_options *options, struct fg_diag *diag);

#endif
