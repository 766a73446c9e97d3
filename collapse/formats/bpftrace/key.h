/*
 * The key of an entry in one of bpftrace's maps: places with commas between them.
 *
 * A stack is printed as lines of frames below a line of places. An empty place is an
 * empty stack. Any other place, such as a comm, is a root frame.
 */
#ifndef FG_COLLAPSE_FORMATS_BPFTRACE_KEY_H
#define FG_COLLAPSE_FORMATS_BPFTRACE_KEY_H

#include "collapse/frames.h"

struct bpftrace_key {
	struct fg_sink *sink;

	/* set by the owner; `map` is borrowed */
	bool offsets; /* show the offsets of names */
	const char *map; /* the only map to count, or NULL for all */
	/* the member of stats() that is the weight: "total " or "count " */
	struct fg_str weight;
	/* the key is from JSON, where no space follows a comma between places */
	bool json;

	/* private */
	struct fg_frames frames; /* maps a line to its frames */
	struct fg_buf name; /* scratch for a frame */
	bool wanted; /* the map is counted */
	bool has_stack;
	bool in_stack; /* frames may follow */
	unsigned stacks; /* number of stacks of the key so far */
	size_t first_depth; /* number of frames of the first stack */
};

/* Borrows the sink. The members that the owner sets are zeroed. */
void bpftrace_key_init(struct bpftrace_key *k, struct fg_sink *sink);
void bpftrace_key_release(struct bpftrace_key *k);

/* Starts a key of `map`, a name like "@NAME". */
void bpftrace_key_start(struct bpftrace_key *k, struct fg_str map);

/* Reads a line of the key; `last` if it ends the key. */
void bpftrace_key_line(struct bpftrace_key *k, struct fg_str line, bool last);

/* The value of a key. The value of sum() may be negative. */
struct bpftrace_value {
	uint64_t amount;
	bool minus; /* the value is -amount */
};

/* Reads all of `s`. Returns false if it is not a whole number, or too large. */
bool bpftrace_value_read(struct fg_str s, struct bpftrace_value *value);

/* Adds `n` to a sum. Returns false if it would overflow. */
bool bpftrace_add(uint64_t *sum, uint64_t n);

/* Reads all entries of a record of JSON. */
void bpftrace_json_line(struct bpftrace_key *k, struct fg_str record);

/* A record of JSON that is being read line by line. Zero it to start. */
struct bpftrace_record {
	struct fg_buf text; /* empty between records */
	size_t depth; /* number of open brackets */
};

/*
 * Collects the lines of a record that starts with a '{' alone, like jq prints it, and
 * reads the record when it is complete. Returns false if the line belongs to no such
 * record.
 */
bool bpftrace_record_line(struct bpftrace_record *r, struct bpftrace_key *k,
			  struct fg_str line);

/* Counts the stack of the complete key. */
void bpftrace_key_add(struct bpftrace_key *k, struct bpftrace_value weight);

#endif
