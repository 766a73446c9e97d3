/* The state of a run over recordings, and of the chunk that is being read. */
#ifndef FG_JFR_RUN_H
#define FG_JFR_RUN_H

#include "collapse/formats/jfr/frames.h"
#include "collapse/formats/jfr/samples.h"

struct jfr_chunk {
	bool open; /* its header was read */
	uint64_t size; /* as in its header; 0 or too large if it was not finished */
	uint64_t read; /* bytes read so far */
	uint64_t start; /* ns since 1970, when the clock of the events ... */
	uint64_t start_ticks; /* ... showed this */
	bool ended; /* by an event of size 0, after which nothing can be read */
	struct jfr_metadata metadata;
	bool has_metadata;
	uint64_t *seen; /* number of events, by class */
	size_t *wanted; /* index in samples.events or SIZE_MAX, by class */
	struct fg_buf metadata_bytes; /* the metadata event as it was read */
	struct fg_buf later; /* events that wait for the metadata */
	struct jfr_constants constants;
};

/* What is known of a thread. */
struct jfr_thread {
	bool is_wanted;
	struct fg_roots roots;
};

struct jfr {
	struct fg_sink *sink;
	const struct jfr_options *options;
	bool rooted; /* each stack has a root frame */
	bool unwanted; /* --thread has left out samples */
	struct jfr_chunk chunk;
	struct jfr_samples samples;
	struct jfr_frames frames;
	struct fg_map thread_ids; /* index in `threads`, by class and key */
	struct jfr_thread *threads; /* of the chunk */
	size_t thread_count, thread_alloc;
	struct fg_buf carry; /* the start of an event that the block has cut */
	uint64_t skip; /* bytes to skip before the next event */
	uint64_t chunks; /* in this input */
	bool over; /* the rest of this input cannot be read */
	/* of this input without --event: how many are of a default type that ... */
	uint64_t counted; /* ... is counted, ... */
	uint64_t others; /* ... or is not, because another is */

	/* of all chunks */
	struct fg_intern names; /* of types of events with stacks */
	uint64_t *counts; /* events, by id of the name */
	size_t counts_alloc;
	bool any; /* some input was a recording */
	bool chosen; /* `weight` is settled */
	struct fg_buf weight; /* the field that is counted; empty: samples */
	struct fg_buf event; /* without --event: the type that is counted */
	bool settled; /* `event` no longer changes */
};

#endif
