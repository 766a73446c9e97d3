/*
 * The second half of pprof -raw: locations with their functions, and mapped files.
 * Samples refer to locations by number.
 */
#ifndef FG_COLLAPSE_FORMATS_GO_LOCATIONS_H
#define FG_COLLAPSE_FORMATS_GO_LOCATIONS_H

#include "collapse/sink.h"

struct go_location;

struct go_locations {
	struct fg_sink *sink; /* borrowed */
	struct go_location *locations;
	size_t locations_alloc;
	size_t location_count;
	/* Locations whose number is not their index plus 1 are looked up here. */
	struct fg_intern other_numbers;
	/* indices in `locations`, indexed by the id of the number; SIZE_MAX: none */
	size_t *other_places;
	size_t other_places_alloc;
	uint32_t *functions; /* frame ids */
	size_t functions_alloc;
	size_t function_count;
	struct fg_intern mappings; /* numbers of mappings */
	/* frame ids of the mapped files, indexed by the id of the number */
	uint32_t *files;
	size_t files_alloc;
	struct fg_buf text; /* scratch for a name */
};

/* Interns names in `sink`, which is borrowed. */
void go_locations_init(struct go_locations *l, struct fg_sink *sink);
void go_locations_release(struct go_locations *l);

/* Returns true if a line ends like a function, " s=6". If not, it may be cut. */
bool go_locations_is_whole(struct fg_str line);

/*
 * Reads "3: 0x4e0571 M=1 main.burn /srv/m.go:6:0 s=6", or a line with one more function
 * of the same location. Any other line is malformed.
 */
void go_locations_read(struct go_locations *l, struct fg_str line);

/* Reads "1: 0x400000/0x4e1000/0x0 /srv/demo b7216e57128f7a34 [FN]". */
void go_locations_map(struct go_locations *l, struct fg_str line);

enum go_location_found {
	GO_LOCATION_MISSING,
	GO_LOCATION_ADDED,
	GO_LOCATION_TOO_LARGE, /* nothing was added */
};

/*
 * Adds the functions of a location to the sink's stack. If it has no functions, adds
 * its file, or "[unknown]". A location that is missing in the input is "[unknown]",
 * too. Subtracts the number of inlined functions from *room, and adds nothing if that
 * is too small.
 */
enum go_location_found go_locations_add(struct go_locations *l, struct fg_str number,
					uint64_t *room);

/* Cuts the next word off `rest`, without the spaces before it. */
struct fg_str go_cut_word(struct fg_str *rest);

#endif
