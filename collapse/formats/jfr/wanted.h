/*
 * Code for both recordings and the output of jfr print. It decides which events are
 * wanted and which of their values to count, and passes stacks to the sink.
 */
#ifndef FG_JFR_WANTED_H
#define FG_JFR_WANTED_H

#include "collapse/formats/jfr/state.h"
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

/* Adds a value, unless there is one with this name. Borrows both strings. */
void jfr_values_add(struct jfr_values *v, struct fg_str name, struct fg_str unit);

/* Chooses the value to count, once in a run. Returns 0, or -1 if the run is over. */
int jfr_values_choose(struct jfr *j, const struct jfr_values *v);

/*
 * Returns true if events of this type are counted. Without --event, the answer may
 * change until jfr_choose_type() has found the type to count.
 */
bool jfr_wants(const struct jfr *j, struct fg_str type);

/*
 * Notes that there are events of this type. Without --event, makes it the one that the
 * run counts, unless that is jdk.ExecutionSample already.
 */
void jfr_choose_type(struct jfr *j, struct fg_str type);

/* Notes `count` events of this type, which have stacks, for the report at the end. */
void jfr_note_events(struct jfr *j, struct fg_str type, uint64_t count);

/* Returns the root frames of a thread with this name, and whether --thread keeps it. */
struct jfr_thread jfr_thread_of(struct jfr *j, struct fg_str name);

/* The sample to which the frames in the sink belong. */
struct jfr_owner {
	struct jfr_thread thread;
	enum jfr_stack found;
	uint64_t count; /* events that were added up */
	struct fg_sum weight;
};

/* Counts the stack in the sink for its owner. */
void jfr_add_stack(struct jfr *j, const struct jfr_owner *owner);

/*
 * Ends an input. If it has no event of the type that an earlier input made us count,
 * but has events of another default type, reports these as lost.
 */
void jfr_end_input(struct jfr *j);

/* Reports which events there were, after the last input. */
void jfr_finish(struct jfr *j);

#endif
