/* The names of what the options of flamegraph choose from. */
#include "flamegraph/options.h"

#include <stddef.h>

const char *const fg_theme_names[] = {
	[FG_THEME_AUTO] = "auto",
	[FG_THEME_LIGHT] = "light",
	[FG_THEME_DARK] = "dark",
	[FG_THEME_CLASSIC] = "classic",
	NULL,
};

const char *const fg_diff_view_names[] = {
	[FG_DIFF_UNION] = "union",
	[FG_DIFF_AFTER] = "after",
	[FG_DIFF_BEFORE] = "before",
	NULL,
};

const char *const fg_diff_by_names[] = {
	[FG_DIFF_INCLUSIVE] = "inclusive",
	[FG_DIFF_SELF] = "self",
	NULL,
};
