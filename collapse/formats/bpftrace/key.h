/*
 * The key of an entry in one of bpftrace's maps: places with commas between them.
 *
 * Stacks are the lines of frames below a line of places; a place with nothing in it is
 * an empty stack. All else, such as a comm, is a root frame.
 */
#ifndef FG_COLLAPSE_FORMATS_BPFTRACE_KEY_H
#define FG_COLLAPSE_FORMATS_BPFTRACE_KEY_H

#include "collapse/frames.h"

struct bpftrace_key {
	struct fg_sink *sink;

	/* set by the owner; map is borrowed */
	bool offsets; /* are shown */
	const char *map; /* the only one that is wanted; NULL: all are */
	struct fg_str weight; /* what of stats() is: "total " or "count " */
	bool json; /* no blank follows a comma between places */

	/* private */
	struct fg_frames frames; /* of lines */
	struct fg_buf name; /* room for a frame's */
	bool wanted; /* the map is */
	bool has_stack;
	bool in_stack; /* frames may follow */
	unsigned stacks; /* so far */
	size_t first_depth; /* of the first stack */
};

/* The sink is borrowed; what the owner sets is zeroed. */
void bpftrace_key_init(struct bpftrace_key *k, struct fg_sink *sink);
void bpftrace_key_release(struct bpftrace_key *k);

/* A key of the map `map`, "@NAME". */
void bpftrace_key_start(struct bpftrace_key *k, struct fg_str map);

/* A line of the key; `last` where the key ends with it. */
void bpftrace_key_line(struct bpftrace_key *k, struct fg_str line, bool last);

/* What a map holds for a key; that of sum() may be negative. */
struct bpftrace_value {
	uint64_t amount;
	bool minus; /* it is less than 0, by the amount */
};

/* Reads all of `s`. Returns false if it is no whole number, or too large. */
bool bpftrace_value_read(struct fg_str s, struct bpftrace_value *value);

/* Adds `n` to a sum. Returns false if there is no room. */
bool bpftrace_add(uint64_t *sum, uint64_t n);

/* A record of JSON: reads all its entries. */
void bpftrace_json_line(struct bpftrace_key *k, struct fg_str record);

/* A record of JSON of which some lines were read; zeroed at first. */
struct bpftrace_record {
	struct fg_buf text; /* empty between records */
	size_t depth; /* brackets that are open */
};

/*
 * Reads a line of a record that starts with a '{' alone, as jq prints it; the record is
 * read when it is whole. Returns false if the line is of no such record.
 */
bool bpftrace_record_line(struct bpftrace_record *r, struct bpftrace_key *k,
			  struct fg_str line);

/* The key is complete: gives its stack to the sink. */
void bpftrace_key_add(struct bpftrace_key *k, struct bpftrace_value weight);

#endif
