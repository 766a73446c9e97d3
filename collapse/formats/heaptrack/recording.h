/*
 * A recording of heaptrack: its tables, and the costs of each path.
 *
 * heaptrack.c passes the lines of the file to these functions, without their letters.
 * A bool is false if the line is malformed.
 */
#ifndef FG_COLLAPSE_FORMATS_HEAPTRACK_RECORDING_H
#define FG_COLLAPSE_FORMATS_HEAPTRACK_RECORDING_H

#include "collapse/rows.h"
#include "collapse/values.h"

enum weight { PEAK, LEAKED, ALLOCATIONS, TEMPORARY, TOTAL, WEIGHTS };

/* The row of a path whose caller comes after it, or not at all. */
#define BROKEN (FG_ROWS_ROOT - 1)

/* The row of a path that has too many frames, or whose caller has too many. */
#define BEYOND (FG_ROWS_ROOT - 2)

/* The largest number of paths and of kinds. No real recording has so many. */
#define NUMBERS_MAX (UINT32_MAX - 3)

/*
 * The allocations on a path. We know only at the end when the peak was. So each new
 * peak starts an age, and the first change of a path in an age saves its live bytes
 * from before, which were live at that peak.
 */
struct cost {
	struct fg_sum sum; /* the weight, if it is one that only grows */
	int64_t live; /* bytes */
	int64_t at_peak; /* bytes at the last peak, if `age` is the recording's */
	uint64_t age; /* age of the last change */
};

struct path {
	uint32_t row; /* row of its innermost frame, or BROKEN or BEYOND */
	struct cost cost;
};

struct allocation {
	uint64_t size;
	uint32_t path;
};

/*
 * A string. The numbers are the frame ids plus 1 of the function and the module with
 * that name, or 0.
 */
struct string {
	struct fg_str text;
	uint32_t function_plus_1, module_plus_1;
};

struct heaptrack {
	struct fg_sink *sink;
	enum weight weight;
	bool srcline, lines;
	bool chosen; /* `weight` is final */
	bool failed; /* the choice of `weight` failed */
	uint64_t version; /* file version */

	/* a string that goes on in the next block or line */
	struct fg_buf text; /* also scratch for names */
	uint64_t missing; /* bytes of the string still to read */
	bool after_string; /* the string is complete, but not its line */

	/* the tables */
	struct fg_arena arena; /* memory of the strings */
	struct string *strings;
	size_t string_count, strings_alloc;
	uint32_t *frames; /* frames of all addresses in turn, outermost first */
	size_t frame_count, frames_alloc;
	size_t *addresses; /* index after the last frame of each address */
	size_t address_count, addresses_alloc;
	struct path *paths; /* the first one has no frames */
	size_t path_count, paths_alloc;
	struct allocation *allocations;
	size_t allocation_count, allocations_alloc;
	/* pointers of version 0, whose ids are indices in `allocations` */
	struct fg_intern pointers;
	struct fg_rows rows;
	uint64_t row_budget; /* rows that paths may still add */

	/* allocations */
	uint64_t last_plus_1; /* the kind that the previous line allocated, plus 1 */
	int64_t live, peak; /* bytes */
	uint64_t age; /* number of peaks so far */
	uint64_t unpaired; /* blocks freed that were not allocated */
};

/* Empties all tables. The next recording starts its numbers anew. */
void heaptrack_start(struct heaptrack *h);

/* Counts the stacks of the recording, and starts the next one. */
void heaptrack_end(struct heaptrack *h);

/* Cuts a number and the spaces after it off the start of `s`. Returns 0 or -1. */
int heaptrack_cut_hex(struct fg_str *s, uint64_t *value);

void heaptrack_add_string(struct heaptrack *h, struct fg_str text);

/* Adds "IP MODULE [FUNCTION [FILE LINE]]...". */
bool heaptrack_add_address(struct heaptrack *h, struct fg_str line);

/* Adds "IP PARENT". */
bool heaptrack_add_path(struct heaptrack *h, struct fg_str line);

/* Adds "SIZE PATH". Leaves the rest in `line`. */
bool heaptrack_add_allocation(struct heaptrack *h, struct fg_str *line);

/* Reads a line that starts with `letter`, '+' or '-'. */
bool heaptrack_read_event(struct heaptrack *h, char letter, struct fg_str line);

#endif
