/* The options of flame, while flame has no table of them that C can read. */
#ifndef FG_FLAME_CARGO_PASSED_H
#define FG_FLAME_CARGO_PASSED_H

#include "lib/base/opts.h"

struct fg_passed {
	const char *text; /* the last argument of any option */
	struct fg_opt_list words;
	bool quiet, verbose, dry_run, flag;
};

extern const struct fg_opt fg_passed_rows[];

#endif
