/*
 * Turns a place into its frames: the function there, and those that are inlined into
 * it. Each address of a DSO is looked up once.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_EXPAND_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_EXPAND_H

#include "collapse/formats/perf/data/resolve.h"

struct fg_pd_expander {
	struct fg_pd_resolver *resolver; /* borrowed */
	struct fg_intern keys; /* DSO and address, as bytes */
	struct fg_pd_span *spans; /* by id of the key */
	size_t span_alloc;
	uint32_t *frames; /* ids of the frames of all spans */
	size_t count, alloc;
	struct fg_map texts; /* functions by the address of their name */
	struct fg_intern functions; /* by the name in debug information */
	struct fg_str *shown; /* by their id: the name that frames show */
	size_t shown_alloc;
	struct fg_intern names; /* DSO, kind, name and source of frames */
	uint32_t *of_name; /* ids of frames, by the id in `names` */
	size_t of_name_alloc;
	struct fg_buf key; /* scratch */
};

void fg_pd_expander_init(struct fg_pd_expander *x, struct fg_pd_resolver *resolver);
void fg_pd_expander_release(struct fg_pd_expander *x);

/* Forgets the addresses of names, before debug information is closed. */
void fg_pd_expander_forget_texts(struct fg_pd_expander *x);

/* Ids of frames, the innermost first; at least one. */
struct fg_pd_frames {
	const uint32_t *list; /* valid until the next call */
	size_t count;
};

/* The kind of an address. */
enum fg_pd_pc {
	FG_PD_PC_RUNS, /* code that runs, or a call */
	FG_PD_PC_RETURNS, /* a call returns there, so it is in front of it */
};

/* Returns the frames at a place. The last is `place->frame`, or it with its source. */
struct fg_pd_frames fg_pd_expand(struct fg_pd_expander *x,
				 const struct fg_pd_place *place, enum fg_pd_pc pc);

#endif
