/* Reads folded stacks from the input into trees. */
#ifndef FG_FLAMEGRAPH_INPUT_H
#define FG_FLAMEGRAPH_INPUT_H

#include "flamegraph/heat.h"
#include "flamegraph/options.h"
#include "lib/base/reader.h"
#include "lib/profile/sections.h"
#include "lib/profile/tree.h"

/*
 * The profiles of the input, one for each section (lib/profile/sections.h). With
 * --compat there is only one.
 */
struct fg_input_profiles {
	struct fg_sections sections; /* each has the unit of its profile */
	struct fg_tree *trees; /* the tree of each section */
	/* slices of time of each section; empty if the section has none */
	struct fg_heat *heats;
	size_t count, alloc, heat_alloc;
};

void fg_input_init(struct fg_input_profiles *p, const struct fg_graph_options *options);
void fg_input_release(struct fg_input_profiles *p);

enum fg_input_result {
	FG_INPUT_READ,
	FG_INPUT_FAILED, /* reported */
	FG_INPUT_EMPTY, /* no counts; the likely reason was reported */
};

/*
 * Adds every stack to the tree of its section, as the options say: cut (--base),
 * reversed (--reverse), annotated (palette chain). Takes the units from header lines.
 * Other lines that are not stacks are ignored and reported once. The caller finishes
 * the trees. After FG_INPUT_READ, at least one of them has counts.
 */
enum fg_input_result fg_input_read(struct fg_reader *reader,
				   struct fg_input_profiles *profiles,
				   const struct fg_graph_options *options,
				   struct fg_diag *diag);

/* Returns true if the tree of a profile has anything to draw. */
bool fg_input_has_counts(const struct fg_tree *tree,
			 const struct fg_graph_options *options);

#endif
