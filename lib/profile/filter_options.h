/* The options for stacks and frames that programs share. */
#ifndef FG_LIB_PROFILE_FILTER_OPTIONS_H
#define FG_LIB_PROFILE_FILTER_OPTIONS_H

#include "lib/base/opts.h"

enum fg_recursion {
	FG_RECURSION_KEEP,
	FG_RECURSION_DIRECT, /* f;f becomes f */
	FG_RECURSION_CYCLES, /* f;g;f too */
	FG_RECURSION_UNKNOWN, /* only of [unknown] */
};

/* The values of the options in fg_filter_rows. */
struct fg_filter_options {
	struct fg_opt_list focus, ignore, hide, show, show_from, trim_below;
	struct fg_opt_list base, rename, rules, keep, drop;
	uint64_t skip_root;
	uint64_t max_depth; /* 0: no limit */
	int recursion; /* enum fg_recursion */
	bool strip_addresses;
};

extern const struct fg_opt fg_filter_rows[];

/* Whether an option chooses stacks, so that an empty result is no failure. */
bool fg_filter_options_choose(const struct fg_filter_options *o);

/* Whether an option other than --keep and --drop is given. */
bool fg_filter_options_change(const struct fg_filter_options *o);

#endif
