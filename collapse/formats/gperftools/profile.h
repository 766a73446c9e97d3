/*
 * A profile of gperftools or jemalloc: stacks of addresses, their values, and the
 * files that were mapped.
 */
#ifndef FG_COLLAPSE_FORMATS_GPERFTOOLS_PROFILE_H
#define FG_COLLAPSE_FORMATS_GPERFTOOLS_PROFILE_H

#include "collapse/sink.h"
#include "lib/base/map.h"

/* The values of a stack of a heap profile, in the order of its lines. */
enum { INUSE_OBJECTS, INUSE_SPACE, ALLOC_OBJECTS, ALLOC_SPACE, HEAP_VALUES };

/* A CPU profile has only the number of samples, as the first value. */
enum { SAMPLES };

enum gperftools_kind { GPERFTOOLS_CPU, GPERFTOOLS_HEAP };

/* A frame that the profile itself has the name of. */
struct gperftools_frame {
	struct fg_str name, file;
	uint64_t line;
};

struct gperftools_stack {
	size_t first, depth; /* its part of `addresses`, leaf first */
	/*
	 * its part of `frames`, leaf first; replaces its addresses if it is not empty
	 */
	size_t first_frame, frames;
	uint64_t values[HEAP_VALUES];
	uint32_t thread; /* 1 + its id in `threads`; 0: all threads */
};

/* An executable mapping. */
struct gperftools_mapping {
	uint64_t start, end, offset;
	struct fg_str path; /* borrowed from the input; may be empty */
};

/* All texts are borrowed from the input. */
struct gperftools_profile {
	enum gperftools_kind kind;
	uint64_t period; /* microseconds of a CPU profile's sample */
	uint64_t *addresses;
	size_t address_count, address_alloc;
	struct gperftools_frame *frames;
	size_t frame_count, frame_alloc;
	struct gperftools_stack *stacks;
	size_t stack_count, stack_alloc;
	struct fg_intern threads;
	/* names of addresses in a table; values are indices of `symbols` */
	struct fg_map symbol_of;
	struct fg_str *symbols;
	size_t symbol_count, symbol_alloc;
	struct gperftools_mapping *mappings; /* sorted by gperftools_sort_mappings() */
	size_t mapping_count, mapping_alloc;
	bool has_mappings; /* the list of mapped files is there */
};

void gperftools_profile_init(struct gperftools_profile *p);
void gperftools_profile_release(struct gperftools_profile *p);

void gperftools_add_address(struct gperftools_profile *p, uint64_t address);

/* Adds an empty stack. The pointer is valid until the next call. */
struct gperftools_stack *gperftools_add_stack(struct gperftools_profile *p);

/* ---- parts of an input; `at` counts its lines */

/* Reads the lines of a heap profile, from its head to its list of mapped files. */
void gperftools_read_heap(struct gperftools_profile *p, struct fg_sink *sink,
			  struct fg_str text);

/* Reads a CPU profile. Returns -1 if `bytes` do not start with the head of one. */
int gperftools_read_cpu(struct gperftools_profile *p, struct fg_sink *sink,
			struct fg_str bytes);

/*
 * Reads the list of mapped files: lines like those of /proc/PID/maps, or
 * "400000-4cb000: /bin/app".
 */
void gperftools_read_mappings(struct gperftools_profile *p, struct fg_sink *sink,
			      struct fg_str text);

/*
 * Cuts off the next line, without its end, and counts it. Returns false at the end.
 */
bool gperftools_cut_line(struct fg_sink *sink, struct fg_str *text,
			 struct fg_str *line);

/* Returns the mapping of an address, or NULL. */
const struct gperftools_mapping *
gperftools_find_mapping(const struct gperftools_profile *p, uint64_t address);

#endif
