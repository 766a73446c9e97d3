/*
 * The tables of a pprof profile. Samples refer to locations by id, and locations to
 * functions and mappings; everything that has a name refers to a string by its place.
 *
 *     struct pprof_profile p = { .strings = NULL };
 *     struct fg_proto end = pprof_profile_read(&p, bytes);
 *
 *     row = pprof_ids_find(&p.function_ids, id);
 *     if (row != PPROF_NO_ROW)
 *             name = pprof_string(&p, p.functions[row].name);
 *
 * Samples may come before the tables, so samples.c reads the bytes again.
 */
#ifndef FG_COLLAPSE_PPROF_PROFILE_H
#define FG_COLLAPSE_PPROF_PROFILE_H

#include "lib/base/map.h"
#include "lib/base/protobuf.h"

/* ---- ids */

#define PPROF_NO_ROW UINT32_MAX

/*
 * The rows of a table by id. Ids may be any numbers, but most profiles have 1, 2, 3 and
 * so on. A zeroed struct is empty.
 */
struct pprof_ids {
	uint64_t *ids; /* the id of each row */
	size_t count;
	size_t alloc;

	/* Row by id: an array if ids are small, or else a map of row + 1. */
	uint32_t *rows;
	size_t rows_alloc;
	struct fg_map sparse;
};

/* Returns the last row with that id, or PPROF_NO_ROW. */
uint32_t pprof_ids_find(const struct pprof_ids *t, uint64_t id);

/* ---- tables */

/* Fields of type uint64_t are places of strings, unless noted otherwise. */
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
	struct fg_str message; /* read when the first sample needs it */
	size_t first_frame; /* index in pprof_samples.frames */
	size_t frames; /* number of frames, or PPROF_UNREAD */
};

#define PPROF_UNREAD SIZE_MAX

/* A zeroed struct is empty. */
struct pprof_profile {
	struct fg_str *strings;
	size_t string_count, string_alloc;
	struct pprof_type *types; /* one for each value of a sample */
	size_t type_count, type_alloc;
	uint64_t default_type, drop_frames;
	uint64_t length; /* nanoseconds of the recording; 0: not known */
	uint64_t sample_count; /* number of samples, not a place */

	/* ids of the rows of the three tables below, see pprof_ids_find() */
	struct pprof_ids mapping_ids, function_ids, location_ids;
	uint64_t *mappings; /* places of their file names */
	struct pprof_function *functions;
	struct pprof_location *locations;
	size_t mapping_alloc, function_alloc, location_alloc;

	uint64_t damaged; /* number of rows whose message is malformed */
	bool is_two; /* the input is two profiles, one after the other */
};

void pprof_profile_release(struct pprof_profile *p);

/*
 * Reads a whole profile, or up to the first fault. Returns the reader, which has the
 * fault and the rest. The strings point into `bytes`.
 */
struct fg_proto pprof_profile_read(struct pprof_profile *p, struct fg_str bytes);

/* Returns the string at a place. Its .ptr is NULL if the table is shorter. */
struct fg_str pprof_string(const struct pprof_profile *p, uint64_t place);

#endif
