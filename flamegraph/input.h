/* Folded stacks from the input into a tree. */
#ifndef FG_FLAMEGRAPH_INPUT_H
#define FG_FLAMEGRAPH_INPUT_H

#include "flamegraph/unit.h"
#include "lib/reader.h"
#include "lib/tree.h"

enum fg_input_result {
	FG_INPUT_READ,
	FG_INPUT_FAILED, /* after reporting */
	FG_INPUT_EMPTY, /* no counts, after reporting the likely reason */
};

/* What is filled in. */
struct fg_profile {
	struct fg_tree *tree;
	struct fg_unit *unit;
};

/*
 * Adds every stack to the tree, as the options say: cut (--base), turned round
 * (--reverse), annotated (the palette chain). Takes the unit from header lines. Other
 * lines that are no stacks are ignored and reported once. The tree is not finished.
 */
enum fg_input_result fg_input_read(struct fg_reader *reader,
				   const struct fg_profile *profile,
				   const struct fg_graph_options *options,
				   struct fg_diag *diag);

#endif
