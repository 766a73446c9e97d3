/* The command line of filter-folded, and the steps of a run. */
#include "filterfolded/options.h"

#include "filterfolded/prune.h"
#include "lib/base/optrows.h"

#define OPTIONS struct fg_choosing_options

const struct fg_opt fg_choosing_rows[] = {
	SECTION("Slices of time, of collapse-perf --slice"),
	TEXT("from", slicing.from, "TIME",
	     "keep slices from that time on, such as 1.5 or 1500ms"),
	TEXT("to", slicing.to, "TIME", "keep slices up to that time"),
	TEXT("slice", slicing.slice, "WIDTH", "make slices wider, such as 1s"),
	FLAG("no-slice", slicing.no_slice, "remove the slices from stacks"),

	SECTION("The profile as a whole"),
	FLAG("reverse", reverse, "reverse stacks: the leaf comes first"),
	REAL("min-percent", min_percent,
	     "leave out frames below N %; their callers get the counts"),
	TEXT("section", section, "NAME", "keep only the section of that event or unit"),
	UINT("top", top,
	     "keep the N stacks with the highest counts; the rest is [other]"),

	SECTION("Many profiles at once"),
	FLAG("key-prefix", key_prefix,
	     "lines are a key, a tab, a stack and its count: each key is a profile"),

	SECTION("Messages"),
	VERBOSITY(verbosity, "show lines that are ignored"),
	FG_OPT_END,
};

/* Prunes the profile by --min-percent and --top. Returns 0, or -1 after reporting. */
static int prune(struct fg_profile *profile, const struct fg_choosing_options *o)
{
	bool by_percent = o->min_percent > 0;

	if ((by_percent || o->top) && fg_slicing_any(profile->slicing))
		return fg_error(profile->diag, NULL,
				"%s does not work with slices of time: remove them "
				"with --no-slice",
				by_percent ? "--min-percent" : "--top");
	for (size_t i = 0; i < profile->count; i++) {
		if (by_percent)
			fg_prune_percent(&profile->trees[i], o->min_percent);
		if (o->top)
			fg_prune_top(&profile->trees[i], o->top);
	}
	return 0;
}

int fg_choosing_init(struct fg_choosing *c, const struct fg_choosing_options *o,
		     struct fg_diag *diag)
{
	int status = 0;

	*c = (struct fg_choosing){ .options = o };
	diag->verbosity = o->verbosity;
	if (o->min_percent > 100)
		status = fg_error(diag, NULL,
				  "--min-percent takes a number from 0 to 100");
	if (o->key_prefix && (o->min_percent > 0 || o->top))
		status = fg_error(diag, NULL,
				  "--min-percent and --top cannot be combined with "
				  "--key-prefix, which reads many profiles");
	if (!status)
		status = fg_slicing_init(&c->slicing, &o->slicing, diag);
	if (!status)
		status = fg_filter_new(&o->filter, NULL, diag, &c->stacks);
	fg_profile_init(&c->profile, c->stacks, &c->slicing, diag);
	c->profile.reverse = o->reverse;
	c->profile.section = o->section;
	c->profile.keyed = o->key_prefix;
	return status;
}

void fg_choosing_release(struct fg_choosing *c)
{
	fg_profile_release(&c->profile);
	fg_slicing_release(&c->slicing);
	fg_filter_free(c->stacks);
}

int fg_choosing_run(struct fg_choosing *c, struct fg_reader *reader, struct fg_out *out)
{
	if (fg_profile_add(&c->profile, reader) || fg_profile_finish(&c->profile) ||
	    prune(&c->profile, c->options) || fg_profile_write(&c->profile, out))
		return -1;
	fg_filter_report(c->stacks);
	return 0;
}
