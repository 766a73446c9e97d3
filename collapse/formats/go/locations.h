/*
 * The second half of pprof -raw: the functions of the locations that its samples name
 * by numbers, and the files that are mapped.
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
	struct fg_intern odd_numbers; /* of those whose number is not their place */
	size_t *odd_places; /* by id of the number; SIZE_MAX: nowhere */
	size_t odd_places_alloc;
	uint32_t *functions; /* names */
	size_t functions_alloc;
	size_t function_count;
	struct fg_intern mappings; /* their numbers */
	uint32_t *files; /* by id of the number: a name */
	size_t files_alloc;
	struct fg_buf text; /* room for a name */
};

/* Names are interned in `sink`, which is borrowed. */
void go_locations_init(struct go_locations *l, struct fg_sink *sink);
void go_locations_release(struct go_locations *l);

/* Whether a line has the end of a function's: " s=6"; else it may be cut. */
bool go_locations_is_whole(struct fg_str line);

/*
 * Reads "3: 0x4e0571 M=1 main.burn /srv/m.go:6:0 s=6", or a line with one more function
 * of the same location; what is neither is an odd line.
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
 * Adds the functions of a location to the sink's stack, or else the file that it is in,
 * or "[unknown]", also where there is no row for it. Those that were inlined are taken
 * off `room`, which must be enough.
 */
enum go_location_found go_locations_add(struct go_locations *l, struct fg_str number,
					uint64_t *room);

/* Cuts the next word off `rest`, blanks before it left out. */
struct fg_str go_cut_word(struct fg_str *rest);

#endif
