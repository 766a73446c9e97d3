/* A run over recordings: what is known of the chunk that is read, and of all. */
#ifndef FG_JFR_RUN_H
#define FG_JFR_RUN_H

#include "collapse/formats/jfr/frames.h"
#include "collapse/formats/jfr/samples.h"

struct jfr_chunk {
	bool open; /* its header was read */
	uint64_t size; /* by its header; 0 or too much where it is not finished */
	uint64_t read; /* bytes of it */
	uint64_t start; /* ns since 1970, when the clock of events showed */
	uint64_t start_ticks; /* this */
	bool ended; /* an event of no size: nothing follows in it */
	struct jfr_metadata metadata;
	bool has_metadata;
	uint64_t *seen; /* events, by class */
	size_t *wanted; /* which event of samples a class is, or SIZE_MAX; by class */
	struct fg_buf metadata_bytes; /* that were read */
	struct fg_buf later; /* events that cannot be read yet */
	struct jfr_constants constants;
};

/* A run. */
struct jfr {
	struct fg_sink *sink;
	const struct jfr_options *options;
	bool rooted; /* each stack has a root frame */
	bool unwanted; /* --thread left out some */
	struct jfr_chunk chunk;
	struct jfr_samples samples;
	struct jfr_frames frames;
	struct fg_buf carry; /* the start of an event */
	uint64_t skip; /* bytes that are of no interest, before the next event */
	uint64_t chunks; /* of this input */
	bool over; /* nothing more can be read of this input */

	/* of all chunks */
	struct fg_intern names; /* of events with stacks */
	uint64_t *counts; /* by name */
	size_t counts_alloc;
	bool any; /* there was a recording */
	bool chosen; /* what is counted */
	struct fg_buf weight; /* the field; empty: samples */
	struct fg_buf event; /* by default, once it is known */
	bool settled; /* it stays what it is */
};

#endif
