/*
 * Turns a place into its frames: the function there, and those that are inlined into
 * it. Each address of a DSO is looked up once.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_EXPAND_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_EXPAND_H

#include "collapse/formats/perf/data/resolve.h"

struct fg_pd_expander {
	struct fg_pd_resolver *resolver; /* borrowed */
	bool inlined; /* show inlined functions; set it after fg_pd_expander_init() */
	struct fg_intern keys; /* keys of `spans`: frame and address, as bytes */
	/* the frames of each address, indexed by the id of its key */
	struct fg_pd_span *spans;
	size_t span_alloc;
	uint32_t *frames; /* ids of the frames of all spans */
	size_t count, alloc;
	/* ids of functions, by the address of their name's string */
	struct fg_map texts;
	/* functions, by their name in the debug information */
	struct fg_intern functions;
	/* the name that frames show, indexed by the id of the function */
	struct fg_str *shown;
	size_t shown_alloc;
	struct fg_intern names; /* keys of frames: DSO, `inlined`, name and source */
	uint32_t *of_name; /* ids of frames, indexed by the id in `names` */
	size_t of_name_alloc;
	struct fg_buf key; /* scratch */
};

void fg_pd_expander_init(struct fg_pd_expander *x, struct fg_pd_resolver *resolver);
void fg_pd_expander_release(struct fg_pd_expander *x);

/*
 * Forgets `texts`, whose keys are addresses of strings. Call it before debug
 * information is closed, which frees the strings.
 */
void fg_pd_expander_forget_texts(struct fg_pd_expander *x);

/* Ids of frames, the innermost first; at least one. */
struct fg_pd_frames {
	const uint32_t *list; /* valid until the next call */
	size_t count;
};

/* The kind of an address in a chain. */
enum fg_pd_pc {
	FG_PD_PC_RUNS, /* the address of running code, or an address inside a call */
	FG_PD_PC_RETURNS, /* a return address: the call is just before it */
};

/*
 * Returns the frames at a place. The last one is `place->frame`, or the same frame with
 * its source line.
 */
struct fg_pd_frames fg_pd_expand(struct fg_pd_expander *x,
				 const struct fg_pd_place *place, enum fg_pd_pc pc);

#endif
