/* The patterns of a filter, matched against names and stacks. */
#ifndef FG_LIB_PROFILE_PATTERNS_H
#define FG_LIB_PROFILE_PATTERNS_H

#include "lib/base/regex.h"
#include "lib/profile/filter.h"

/* Patterns for names come first: each has a bit in fg_filter.marks. Then for stacks. */
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
	struct fg_regex *regex; /* NULL for --base, which is compared as it is */
	bool matched; /* it has matched some name */
};

struct fg_patterns {
	const char *option;
	struct fg_pattern_item *items;
	size_t count;
};

/*
 * Compiles the patterns of the options, which are borrowed, into FG_PATTERNS lists. 0,
 * or -1 after reporting a wrong one. Release the lists in either case.
 */
int fg_patterns_compile(struct fg_patterns *lists, const struct fg_filter_options *o,
			struct fg_diag *diag);
void fg_patterns_release(struct fg_patterns *lists);

/*
 * Whether any pattern of a list matches: 1 or 0, or -1 after reporting that matching
 * failed. Each is tried until it has matched once, so that those that never do are
 * known.
 */
int fg_patterns_match(struct fg_patterns *list, struct fg_str s);

/* Warns of patterns for names that matched none. */
void fg_patterns_report(const struct fg_patterns *lists, struct fg_diag *diag);

#endif
