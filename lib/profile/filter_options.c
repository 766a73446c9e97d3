/* The rows of those options, and what they ask for together. */
#include "lib/profile/filter_options.h"

#include "lib/base/optrows.h"

static const char *const recursion_choices[] = {
	[FG_RECURSION_KEEP] = "keep",
	[FG_RECURSION_DIRECT] = "direct",
	[FG_RECURSION_CYCLES] = "cycles",
	[FG_RECURSION_UNKNOWN] = "unknown",
	NULL,
};

#define OPTIONS struct fg_filter_options

const struct fg_opt fg_filter_rows[] = {
	SECTION("Stacks"),
	LIST("focus", focus, "REGEX",
	     "keep stacks with a frame that matches (repeatable: any)"),
	LIST("ignore", ignore, "REGEX",
	     "leave out stacks with a frame that matches (repeatable)"),
	LIST("keep", keep, "REGEX",
	     "keep stacks whose folded text matches (repeatable: any)"),
	LIST("drop", drop, "REGEX",
	     "leave out stacks whose folded text matches (repeatable)"),
	UINT("skip-root", skip_root, "leave out the first N frames of each stack"),
	LIST("hide", hide, "REGEX",
	     "leave out frames that match; their callers get the counts"),
	LIST("show", show, "REGEX", "leave out frames that do not match"),
	LIST("show-from", show_from, "REGEX",
	     "start stacks at the first frame that matches; leave out others"),
	LIST("base", base, "NAME",
	     "start stacks at the last frame of that name; leave out others"),
	LIST("trim-below", trim_below, "REGEX",
	     "end stacks at the last frame that matches"),
	UINT("max-depth", max_depth, "cut chains to N frames from the root"),
	CHOICE("recursion", recursion, "HOW", recursion_choices,
	       "keep (default); direct: f;f becomes f; cycles: f;g;f too; "
	       "unknown: only [unknown]"),

	SECTION("Names"),
	LIST("rename", rename, "s/RE/TEXT/",
	     "replace what matches in names, the first or all with /g (repeatable)"),
	LIST("rules", rules, "FILE", "the same for each line of a file (repeatable)"),
	FLAG("strip-addresses", strip_addresses,
	     "0x... for addresses such as 0x1f2e in names"),
	FG_OPT_END,
};

bool fg_filter_options_choose(const struct fg_filter_options *o)
{
	return o->keep.count || o->drop.count || o->focus.count || o->ignore.count ||
	       o->show_from.count || o->base.count;
}

bool fg_filter_options_change(const struct fg_filter_options *o)
{
	return o->focus.count || o->ignore.count || o->hide.count || o->show.count ||
	       o->show_from.count || o->trim_below.count || o->base.count ||
	       o->rename.count || o->rules.count || o->skip_root || o->max_depth ||
	       o->recursion != FG_RECURSION_KEEP || o->strip_addresses;
}
