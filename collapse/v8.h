/*
 * A profile of V8: a tree of nodes with ids, and samples that name the ids. It is in
 * .cpuprofile and .heapprofile files, and inside traces of Chrome.
 *
 * Nodes, samples and times come in any order and in parts, and an id may be named
 * before its node is read. So everything stays in memory until fg_v8_write(), with 12
 * bytes for each sample.
 */
#ifndef FG_COLLAPSE_V8_H
#define FG_COLLAPSE_V8_H

#include "lib/base/json.h"
#include "collapse/rows.h"

#define FG_V8_NO_ID UINT32_MAX

/* The frame of a function without a name. */
#define FG_V8_UNNAMED "(anonymous)"

/* A node and its parent, one of them a row and the other an id. */
struct fg_v8_child {
	uint32_t parent;
	uint32_t child;
	bool parent_is_row; /* if not, the child is the row */
};

/* Hits of a node on one line, from its "positionTicks". */
struct fg_v8_tick {
	uint32_t row; /* the node's row */
	uint32_t frame; /* the function with the line */
	uint32_t line_row; /* a row with that frame, beside the node's */
	uint64_t line;
	uint64_t hits;
};

struct fg_v8 {
	struct fg_sink *sink;
	struct fg_rows rows; /* the nodes, in the order of the input */
	uint32_t *ids; /* the id of each row's node */
	uint64_t *own; /* each row's hitCount or selfSize */
	bool *idle; /* for each row: the node is V8's "(idle)" */
	size_t ids_alloc, own_alloc, idle_alloc;

	struct fg_v8_child *children;
	size_t child_count, child_alloc;

	struct fg_v8_tick *ticks; /* only with --lines; the ticks of a node adjoin */
	size_t tick_count, tick_alloc;

	uint32_t *samples; /* the samples, each as the id of its node */
	size_t sample_count, sample_alloc;
	int64_t *deltas; /* from one sample to the next, in picoseconds */
	size_t delta_count, delta_alloc;

	bool is_heap; /* it is a heap profile: nodes have sizes */
	bool has_stamps; /* fg_v8_read_stamps() has read absolute times */
	/* the first and the last of these times, in picoseconds */
	struct fg_sum first, last_stamp;

	struct fg_buf text; /* the strings of the nodes that are open */
	struct fg_v8_open *open;
	size_t open_alloc;
	/* the number of times that are not numbers or are too large */
	uint64_t bad_times;
};

enum fg_v8_weight {
	FG_V8_OWN, /* hits or bytes of nodes */
	FG_V8_SAMPLES,
	FG_V8_TIME,
};

/* Options for counting stacks. */
struct fg_v8_how {
	enum fg_v8_weight weight;
	bool idle; /* "(idle)" counts too */
	struct fg_sum start; /* when the first delta starts, in picoseconds */
	int64_t duration; /* from the start to the end, in picoseconds; 0 if unknown */
	bool microseconds; /* write times in microseconds, not nanoseconds */
};

void fg_v8_init(struct fg_v8 *v, struct fg_sink *sink);
void fg_v8_release(struct fg_v8 *v);

/*
 * Reads a list of nodes, or a single node. Like the functions below, it reads one value
 * of the JSON.
 */
void fg_v8_read_nodes(struct fg_v8 *v, struct fg_json *j);

/* Reads the list of samples: ids, or objects with "nodeId". */
void fg_v8_read_samples(struct fg_v8 *v, struct fg_json *j);

/* Reads the list of microseconds from each sample to the next. */
void fg_v8_read_deltas(struct fg_v8 *v, struct fg_json *j);

/* Reads the list of absolute times of samples, in microseconds. */
void fg_v8_read_stamps(struct fg_v8 *v, struct fg_json *j);

/*
 * Treats each delta as the length of the sample with the same index. By default it is
 * the length of the sample before that one. Call this after the last delta.
 */
void fg_v8_own_times(struct fg_v8 *v);

/* Moves all of `part`, a later part of the same profile, to the end of `v`. */
void fg_v8_append(struct fg_v8 *v, struct fg_v8 *part);

/* Counts all stacks. Call this after the last value. `owner` may be NULL. */
void fg_v8_write(struct fg_v8 *v, const struct fg_v8_how *how,
		 const struct fg_owner *owner);

#endif
