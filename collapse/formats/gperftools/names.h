/* The frames of the addresses of a profile. */
#ifndef FG_COLLAPSE_FORMATS_GPERFTOOLS_NAMES_H
#define FG_COLLAPSE_FORMATS_GPERFTOOLS_NAMES_H

#include "collapse/formats/gperftools/profile.h"
#include "collapse/symbols/lookup.h"

struct gperftools_span {
	size_t first, count; /* its part of `ids` */
	/*
	 * number of these, from the outermost on, that are not below an allocator;
	 * `count` if there is no allocator
	 */
	size_t outer;
};

struct gperftools_file {
	struct fg_str path; /* owned by `paths` */
	enum { GPERFTOOLS_NOT_TRIED, GPERFTOOLS_USABLE, GPERFTOOLS_MISSING } state;
};

struct gperftools_names {
	struct fg_sink *sink;
	enum fg_inlines_detail detail;
	struct fg_lookup *lookup; /* made when the first file is looked into */
	struct fg_intern paths;
	struct gperftools_file *files; /* indexed by the id in `paths` */
	size_t files_alloc;
	uint64_t missing;
	struct fg_str first_missing;

	/* for one profile */
	const struct gperftools_profile *profile;
	struct fg_map known; /* addresses; values are indices of `spans` */
	struct gperftools_span *spans;
	size_t span_count, span_alloc;
	uint32_t *ids; /* leaf first */
	size_t id_count, id_alloc;
	struct fg_buf answer, name;
};

void gperftools_names_init(struct gperftools_names *n, struct fg_sink *sink,
			   enum fg_inlines_detail detail);
void gperftools_names_release(struct gperftools_names *n);

/* Starts a profile, which is borrowed until the next one. */
void gperftools_names_start(struct gperftools_names *n,
			    const struct gperftools_profile *profile);

/* Returns the frames of an address. It is valid until the next call. */
const struct gperftools_span *gperftools_names_of(struct gperftools_names *n,
						  uint64_t address);

/* Warns of files that were not found. Call it at the end. */
void gperftools_names_report(const struct gperftools_names *n);

#endif
