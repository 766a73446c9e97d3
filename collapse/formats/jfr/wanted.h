/*
 * Which events are wanted, what is counted of them, and how it gets to the sink; of
 * recordings and of what jfr print writes.
 */
#ifndef FG_JFR_WANTED_H
#define FG_JFR_WANTED_H

#include "collapse/formats/jfr/run.h"
#include "collapse/values.h"

#define JFR_UNWEIGHTED "events without the field that --weight names"

/* The values that events have. */
struct jfr_values {
	struct fg_value *items;
	size_t count;
	size_t alloc;
};

/* A zeroed struct has the value "samples" from now on; `items` is the caller's. */
void jfr_values_start(struct jfr_values *v);

/* Adds one, unless there is one of that name; both are borrowed. */
void jfr_values_add(struct jfr_values *v, struct fg_str name, struct fg_str unit);

/* Once a run: 0, or -1 as fg_sink_choose. */
int jfr_values_choose(struct jfr *j, const struct jfr_values *v);

/* Whether events of that type are counted, as far as is known. */
bool jfr_wants(const struct jfr *j, struct fg_str type);

/*
 * Without --event the first type of those that are counted by default is that of the
 * whole run: notes that there are events of that type.
 */
void jfr_settle(struct jfr *j, struct fg_str type);

/* Notes that there were events with stacks of that type. */
void jfr_saw(struct jfr *j, struct fg_str type, uint64_t count);

/* Whose the frames are that were added to the sink. */
struct jfr_owner {
	struct fg_str thread;
	enum jfr_stack found;
	uint64_t count; /* of samples */
	struct fg_sum weight;
};

/* Counts them. */
void jfr_add_stack(struct jfr *j, const struct jfr_owner *owner);

/* After the last input: says which events there were. */
void jfr_finish(struct jfr *j);

#endif
