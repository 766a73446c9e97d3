/*
 * From a place to its frames: the function there and those that are inlined into it.
 *
 * Each address of a DSO is asked for once.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_EXPAND_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_EXPAND_H

#include "collapse/formats/perf/data/resolve.h"

struct fg_pd_expander {
	struct fg_pd_resolver *resolver; /* borrowed */
	struct fg_intern keys; /* DSO and address, as bytes */
	struct fg_pd_span *spans; /* by id of the key */
	size_t span_alloc;
	uint32_t *frames; /* of all spans */
	size_t count, alloc;
	struct fg_map texts; /* functions by where their names are */
	struct fg_intern functions; /* by name, as debug information has it */
	struct fg_str *shown; /* by their id: the name as frames have it */
	size_t shown_alloc;
	struct fg_intern names; /* of frames: DSO, kind, name, source */
	uint32_t *of_name; /* frames by id of the name */
	size_t of_name_alloc;
	struct fg_buf key; /* for work */
};

void fg_pd_expander_init(struct fg_pd_expander *x, struct fg_pd_resolver *resolver);
void fg_pd_expander_release(struct fg_pd_expander *x);

/* Debug information is closed, whose texts may have been seen. */
void fg_pd_expander_forget_texts(struct fg_pd_expander *x);

/* Numbers of frames, the innermost first; at least one. */
struct fg_pd_frames {
	const uint32_t *list; /* valid until the next call */
	size_t count;
};

/* What an address is. */
enum fg_pd_pc {
	FG_PD_PC_RUNS, /* what runs there, or a call */
	FG_PD_PC_RETURNS, /* where a call returns to, which is behind it */
};

/* The frames at a place: `place->frame` is the last of them, or what stands for it. */
struct fg_pd_frames fg_pd_expand(struct fg_pd_expander *x,
				 const struct fg_pd_place *place, enum fg_pd_pc pc);

#endif
