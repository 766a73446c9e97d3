/*
 * What a filter is made of: for lib/filter.c and lib/filter_text.c only.
 */
#ifndef FG_LIB_FILTER_STATE_H
#define FG_LIB_FILTER_STATE_H

#include "lib/filter.h"
#include "lib/regex.h"
#include "lib/rename.h"

/* No frame: its name became empty. */
#define FG_FRAME_GONE (UINT32_MAX - 1)

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

/* The stack of the line before, since neighbours start alike. */
struct fg_filter_line {
	struct fg_buf text;
	uint32_t *ids;
	size_t ids_alloc;
	size_t *ends; /* of each frame in the text */
	size_t ends_alloc;
	size_t depth;
	uint32_t *out; /* its frames, to be changed */
	size_t out_alloc;
	struct fg_buf changed; /* its text when they were */
};

void fg_filter_text_release(struct fg_filter_line *line);

struct fg_filter {
	const struct fg_filter_options *options;
	struct fg_diag *diag;
	struct fg_intern *names; /* the caller's, or own_names */
	struct fg_intern own_names;
	struct fg_patterns patterns[FG_PATTERNS];
	struct fg_renames renames;
	uint8_t *marks; /* by id; 0: not known */
	size_t marks_alloc;
	uint32_t *renamed_plus_1; /* by id; 0: not known */
	size_t renamed_alloc;
	size_t *seen; /* by id: one more than where it may be in the chain */
	size_t seen_alloc;
	struct fg_buf name; /* while it is changed */
	struct fg_filter_line text;
	bool failed; /* reported; nothing is wanted from there on */
};

#endif
