/*
 * The tables of a profile: all but its samples, which point into them and may come
 * before them.
 */
#ifndef FG_COLLAPSE_PPROF_PROFILE_H
#define FG_COLLAPSE_PPROF_PROFILE_H

#include "collapse/formats/pprof/ids.h"
#include "lib/base/protobuf.h"

/* Members of type uint64_t are places in the table of strings, but for numbers. */
struct pprof_type {
	uint64_t name;
	uint64_t unit;
};

struct pprof_function {
	uint64_t name;
	uint64_t system_name;
	uint64_t file;
};

struct pprof_location {
	struct fg_str message; /* its functions, which are read where they are needed */
	size_t first_frame; /* of those made of them */
	size_t frames; /* how many; PPROF_UNREAD before */
};

#define PPROF_UNREAD SIZE_MAX

/* A zeroed struct is empty. Strings point into the bytes that were read. */
struct pprof_profile {
	struct fg_str *strings;
	size_t string_count, string_alloc;
	struct pprof_type *types; /* of the values of each sample */
	size_t type_count, type_alloc;
	uint64_t default_type, drop_frames;
	uint64_t sample_count; /* a number */

	/* by row, see pprof_ids_find */
	struct pprof_ids mapping_ids, function_ids, location_ids;
	uint64_t *mappings; /* their files */
	struct pprof_function *functions;
	struct pprof_location *locations;
	size_t mapping_alloc, function_alloc, location_alloc;

	uint64_t damaged; /* a number: rows that are no whole message */
	bool twice; /* these are two profiles, one after the other */
};

void pprof_profile_release(struct pprof_profile *p);

/* Reads all of a profile; at a fault what is before it. */
struct fg_proto pprof_profile_read(struct pprof_profile *p, struct fg_str bytes);

/* The string at a place; .ptr is NULL where the table has none there. */
struct fg_str pprof_string(const struct pprof_profile *p, uint64_t place);

#endif
