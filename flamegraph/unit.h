/*
 * The words for what a profile counts: its header has them, or an option.
 */
#ifndef FG_FLAMEGRAPH_UNIT_H
#define FG_FLAMEGRAPH_UNIT_H

#include "flamegraph/options.h"
#include "lib/profile/unit.h"

/* The unit, by --unit or the header; "" where it is not known. */
const char *fg_unit_name(struct fg_unit *u, const struct fg_graph_options *o);

/* The event; "" where it is not known. */
const char *fg_unit_event(struct fg_unit *u);

/* What one sample counts, as the header has it; "" where it is not known. */
const char *fg_unit_sample_weight(struct fg_unit *u);

/* The word after a count: --countname, or the unit, or samples. */
const char *fg_unit_word(struct fg_unit *u, const struct fg_graph_options *o);

#endif
