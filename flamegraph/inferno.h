/*
 * --compat=inferno: reads and orders the lines of a profile like inferno-flamegraph.
 *
 * inferno sorts whole lines, counts included, and then merges neighbours. So we keep
 * all lines until the last one has been read.
 */
#ifndef FG_FLAMEGRAPH_INFERNO_H
#define FG_FLAMEGRAPH_INFERNO_H

#include "flamegraph/options.h"
#include "lib/profile/folded.h"

struct fg_inferno_line {
	size_t start, len; /* the line's bytes in fg_inferno.text */
	struct fg_place at; /* borrows the input's name */
};

struct fg_inferno {
	const struct fg_graph_options *options; /* borrowed */
	struct fg_buf text;
	struct fg_inferno_line *lines;
	size_t lines_alloc;
	uint32_t *order; /* indices of `lines`; set by fg_inferno_order() */
	uint32_t count;
};

/* Starts with no lines. It is safe to release a zeroed struct. */
void fg_inferno_init(struct fg_inferno *l, const struct fg_graph_options *options);
void fg_inferno_release(struct fg_inferno *l);

enum fg_inferno_result {
	FG_INFERNO_ADDED, /* added, or ignored because it is empty or a comment */
	FG_INFERNO_NO_BASE, /* the line is left out: --base names no frame of it */
	FG_INFERNO_TOO_MANY, /* already 2^32-1 lines */
};

/* Adds a copy of a line, cut by --base or reversed by --reverse. */
enum fg_inferno_result fg_inferno_add(struct fg_inferno *l, struct fg_str line,
				      const struct fg_place *at);

/* Puts the lines in order. Call it after the last fg_inferno_add(). */
void fg_inferno_order(struct fg_inferno *l);

/* Returns line `i` in the order, and its place. `i` is less than `count`. */
struct fg_str fg_inferno_line(const struct fg_inferno *l, uint32_t i,
			      struct fg_place *at);

/*
 * Like fg_folded_parse(), but drops the decimals of counts, and the spaces between the
 * stack and the counts. Sets *cut to true if a count changed.
 */
enum fg_folded_kind fg_inferno_parse(struct fg_str line, struct fg_folded *folded,
				     bool *cut);

#endif
