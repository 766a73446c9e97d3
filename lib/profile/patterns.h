/* Patterns of a filter: what they match, and those that never did. */
#ifndef FG_LIB_PROFILE_PATTERNS_H
#define FG_LIB_PROFILE_PATTERNS_H

#include "lib/base/regex.h"
#include "lib/profile/filter_options.h"

/* Those of names, which have a bit each in fg_filter.marks; then those of stacks. */
enum fg_pattern {
	FG_PATTERN_FOCUS,
	FG_PATTERN_IGNORE,
	FG_PATTERN_HIDE,
	FG_PATTERN_SHOW,
	FG_PATTERN_SHOW_FROM,
	FG_PATTERN_BASE,
	FG_PATTERN_TRIM_BELOW,
	FG_PATTERNS_OF_NAMES,
	FG_PATTERN_KEEP = FG_PATTERNS_OF_NAMES,
	FG_PATTERN_DROP,
	FG_PATTERNS,
};

struct fg_pattern_item {
	const char *text;
	struct fg_regex *regex; /* NULL of --base: the name itself */
	bool matched; /* any name */
};

struct fg_patterns {
	const char *option;
	struct fg_pattern_item *items;
	size_t count;
};

/*
 * Compiles those of the options, which are borrowed, into FG_PATTERNS lists: 0, or -1
 * after reporting one that is wrong. Release them in any case.
 */
int fg_patterns_compile(struct fg_patterns *lists, const struct fg_filter_options *o,
			struct fg_diag *diag);
void fg_patterns_release(struct fg_patterns *lists);

/*
 * Whether any of a list matches: 1 or 0, or -1 after matching failed, which has been
 * reported. All are tried until they have matched once, so that one that never does is
 * known.
 */
int fg_patterns_match(struct fg_patterns *list, struct fg_str s);

/* Warns of those of names that matched none. */
void fg_patterns_report(const struct fg_patterns *lists, struct fg_diag *diag);

#endif
