/*
 * A profile as V8 makes it: a tree of nodes that have numbers, and samples that name
 * them. It is what .cpuprofile and .heapprofile files are, and within traces of Chrome.
 *
 * Nodes, samples and times come in any order, in parts, and name each other before they
 * are there; all is held until fg_v8_write, 12 bytes a sample.
 */
#ifndef FG_COLLAPSE_V8_H
#define FG_COLLAPSE_V8_H

#include "collapse/json.h"
#include "collapse/rows.h"

#define FG_V8_NO_ID UINT32_MAX

/* What a function without a name is called. */
#define FG_V8_UNNAMED "(anonymous)"

/* A node with a parent, by their ids. */
struct fg_v8_child {
	uint32_t parent; /* a row where `is_row`, else an id */
	uint32_t child; /* an id, or a row where not */
	bool parent_is_row;
};

struct fg_v8 {
	struct fg_sink *sink;
	struct fg_rows rows; /* of the nodes, in the order of the input */
	uint32_t *ids; /* of the rows */
	uint64_t *own; /* hitCount, or selfSize, of the rows */
	bool *idle;
	size_t ids_alloc, own_alloc, idle_alloc;

	struct fg_v8_child *children;
	size_t child_count, child_alloc;

	uint32_t *samples; /* ids of nodes */
	size_t sample_count, sample_alloc;
	int64_t *deltas; /* from one sample to the next, in picoseconds */
	size_t delta_count, delta_alloc;

	/* set by their members; times are in 10^-12 s where they are absolute */
	bool is_heap; /* nodes have sizes */
	bool has_stamps; /* the deltas are of absolute times, in microseconds */
	struct fg_sum first, last_stamp;

	struct fg_buf text; /* names of the nodes that are open */
	struct fg_v8_open *open;
	size_t open_alloc;
	uint64_t odd_times; /* that are no numbers, or too large */
};

/* What stacks weigh. */
enum fg_v8_weight { FG_V8_OWN /* hits, bytes */, FG_V8_SAMPLES, FG_V8_TIME };

struct fg_v8_how {
	enum fg_v8_weight weight;
	bool idle; /* "(idle)" counts, too */
	struct fg_sum start; /* of which samples' times are counted, in picoseconds */
	int64_t duration; /* from the start to the end, in picoseconds; 0: not known */
	bool microseconds; /* times are written in these, not in nanoseconds */
};

void fg_v8_init(struct fg_v8 *v, struct fg_sink *sink);
void fg_v8_release(struct fg_v8 *v);

/*
 * Each reads a value of the JSON: a list of nodes or one, ids of samples (or objects
 * with "nodeId"), microseconds between them, or their absolute microseconds.
 */
void fg_v8_read_nodes(struct fg_v8 *v, struct fg_json *j);
void fg_v8_read_samples(struct fg_v8 *v, struct fg_json *j);
void fg_v8_read_deltas(struct fg_v8 *v, struct fg_json *j);
void fg_v8_read_stamps(struct fg_v8 *v, struct fg_json *j);

/*
 * After all times: they say how long the sample lasted that has the same place in its
 * list, not the one before.
 */
void fg_v8_own_times(struct fg_v8 *v);

/* Adds all of `part`, a later part of the same profile, which is empty afterwards. */
void fg_v8_append(struct fg_v8 *v, struct fg_v8 *part);

/* After the last value: adds the stacks to the sink. `owner` may be NULL. */
void fg_v8_write(struct fg_v8 *v, const struct fg_v8_how *how,
		 const struct fg_owner *owner);

#endif
