/*
 * A recording of heaptrack while it is read: its tables, and what each path costs.
 */
#ifndef FG_COLLAPSE_FORMATS_HEAPTRACK_RECORDING_H
#define FG_COLLAPSE_FORMATS_HEAPTRACK_RECORDING_H

#include "collapse/rows.h"
#include "collapse/values.h"

enum weight { PEAK, LEAKED, ALLOCATIONS, TEMPORARY, TOTAL, WEIGHTS };

/* A path whose caller comes after it, or not at all. */
#define BROKEN (FG_ROWS_ROOT - 1)

/* A path whose frames, or those of its callers, are too many. */
#define BEYOND (FG_ROWS_ROOT - 2)

/* No recording has as many of anything. */
#define NUMBERS_MAX (UINT32_MAX - 3)

/*
 * What was allocated on a path. What lives at the peak is known at the end only: each
 * new peak starts an age, and the first change in an age keeps what was there before.
 */
struct cost {
	struct fg_sum sum; /* of what is only added up */
	int64_t live; /* bytes */
	int64_t at_peak; /* where `age` is that of the last peak; else it is `live` */
	uint64_t age;
};

struct path {
	uint32_t row; /* of its innermost frame */
	struct cost cost;
};

struct allocation {
	uint64_t size;
	uint32_t path;
};

/* A text, and the frames that it is the name of, plus 1, once they are asked for. */
struct string {
	struct fg_str text;
	uint32_t function_plus_1, module_plus_1;
};

struct heaptrack {
	struct fg_sink *sink;
	enum weight weight;
	bool srcline;
	bool chosen, failed; /* the weight */
	uint64_t version;

	struct fg_buf text; /* of a string that goes on */
	uint64_t missing; /* bytes of it */
	bool after_string; /* in its line, of which no more is read */

	struct fg_arena arena;
	struct string *strings;
	size_t string_count, strings_alloc;
	uint32_t *frames; /* of all addresses, those of each outermost first */
	size_t frame_count, frames_alloc;
	size_t *addresses; /* where the frames of each end */
	size_t address_count, addresses_alloc;
	struct path *paths; /* the first is that of no frames */
	size_t path_count, paths_alloc;
	struct allocation *allocations;
	size_t allocation_count, allocations_alloc;
	struct fg_intern pointers; /* of version 0, to which `allocations` belong */
	struct fg_rows rows;
	uint64_t room; /* rows that paths may still have */

	uint64_t last_plus_1; /* the kind that the line before allocated */
	int64_t live, peak;
	uint64_t age;
	uint64_t unpaired; /* freed, but not allocated */
};

/* Forgets all; the next recording has numbers of its own. */
void heaptrack_start(struct heaptrack *h);

/* Counts what the recording has, and starts another. */
void heaptrack_end(struct heaptrack *h);

/* Cuts a number and the blanks behind it off `s`: 0, or -1. */
int heaptrack_cut_hex(struct fg_str *s, uint64_t *value);

/*
 * What a line defines, without its letter; false where it is none. The last leaves in
 * `line` what comes behind.
 */
void heaptrack_add_string(struct heaptrack *h, struct fg_str text);
bool heaptrack_add_address(struct heaptrack *h, struct fg_str line);
bool heaptrack_add_path(struct heaptrack *h, struct fg_str line);
bool heaptrack_add_allocation(struct heaptrack *h, struct fg_str *line);

/* A line that starts with '+' or '-', which is `letter`. (events.c) */
bool heaptrack_read_event(struct heaptrack *h, char letter, struct fg_str line);

#endif
