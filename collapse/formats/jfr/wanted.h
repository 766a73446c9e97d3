/*
 * Which events are wanted, what of them is counted, and how that gets to the sink, for
 * recordings and for what jfr print writes.
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
	struct fg_intern names;
};

/* Starts with the value "samples". */
void jfr_values_start(struct jfr_values *v);
void jfr_values_release(struct jfr_values *v);

/* Adds a value, unless there is one with this name; borrows both texts. */
void jfr_values_add(struct jfr_values *v, struct fg_str name, struct fg_str unit);

/* Chooses what to count, once in a run; returns as fg_sink_choose_value(). */
int jfr_values_choose(struct jfr *j, const struct jfr_values *v);

/* Whether events of this type are counted, as far as is known yet. */
bool jfr_wants(const struct jfr *j, struct fg_str type);

/*
 * Notes that there are events of this type. Without --event, the first type seen of
 * those that are counted by default is the one that the whole run counts.
 */
void jfr_settle(struct jfr *j, struct fg_str type);

/* Notes `count` events of this type, which have stacks. */
void jfr_saw(struct jfr *j, struct fg_str type, uint64_t count);

/* The threads of this name: whether --thread keeps them, and their root frames. */
struct jfr_thread jfr_thread_of(struct jfr *j, struct fg_str name);

/* The sample that the frames in the sink belong to. */
struct jfr_owner {
	struct jfr_thread thread;
	enum jfr_stack found;
	uint64_t count; /* of samples */
	struct fg_sum weight;
};

/* Counts the stack in the sink for its owner. */
void jfr_add_stack(struct jfr *j, const struct jfr_owner *owner);

/*
 * Ends an input. Where it has no event of the type that was settled on in one before,
 * but samples of another that is counted by default, these are lost.
 */
void jfr_end_input(struct jfr *j);

/* After the last input: says which events there were. */
void jfr_finish(struct jfr *j);

#endif
