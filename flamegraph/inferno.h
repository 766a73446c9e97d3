/*
 * --compat=inferno: the lines of a profile as inferno-flamegraph reads and orders them.
 *
 * It sorts whole lines, counts included, and merges what is then side by side; so all
 * lines are kept until the last one has been read.
 */
#ifndef FG_FLAMEGRAPH_INFERNO_H
#define FG_FLAMEGRAPH_INFERNO_H

#include "flamegraph/options.h"
#include "lib/profile/folded.h"

struct fg_inferno_line {
	size_t start, len; /* in the text of all */
	struct fg_place at; /* borrows the input's name */
};

struct fg_inferno {
	const struct fg_graph_options *options; /* borrowed */
	struct fg_buf text;
	struct fg_inferno_line *lines;
	size_t lines_alloc;
	uint32_t *order; /* of the lines, once that is known */
	uint32_t count;
};

/* A zeroed one is empty, too. */
void fg_inferno_init(struct fg_inferno *l, const struct fg_graph_options *options);
void fg_inferno_release(struct fg_inferno *l);

enum fg_inferno_result {
	FG_INFERNO_ADDED, /* or there was nothing on the line */
	FG_INFERNO_NO_BASE, /* left out: --base names none of its frames */
	FG_INFERNO_TOO_MANY, /* 2^32-1 lines were added already */
};

/* Adds a copy of a line, after --base or --reverse. */
enum fg_inferno_result fg_inferno_add(struct fg_inferno *l, struct fg_str line,
				      const struct fg_place *at);

/* Puts the lines in order, once all were added. */
void fg_inferno_order(struct fg_inferno *l);

/* Line number `i` of the order, which is one that was added, and its place. */
struct fg_str fg_inferno_line(const struct fg_inferno *l, uint32_t i,
			      struct fg_place *at);

/*
 * As fg_folded_parse; counts are cut to whole numbers, which sets *cut where it changes
 * one, and there are no blanks before them.
 */
enum fg_folded_kind fg_inferno_parse(struct fg_str line, struct fg_folded *folded,
				     bool *cut);

#endif
