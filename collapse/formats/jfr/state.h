/*
 * The state of a run over recordings, and of the chunk that is being read.
 *
 * jfr.c splits an input into chunks and events, and chunk.c reads these. wanted.c
 * chooses types of events, values and threads, for these files and for json.c.
 */
#ifndef FG_JFR_STATE_H
#define FG_JFR_STATE_H

#include "collapse/formats/jfr/frames.h"
#include "collapse/formats/jfr/samples.h"
#include "lib/base/opts.h"

struct jfr_options {
	struct fg_opt_list event;
};

struct jfr_chunk {
	bool open; /* the header of the chunk was read */
	/* from its header; 0 or too large if the chunk was not finished */
	uint64_t size;
	uint64_t read; /* bytes read so far */

	/* `start` is in ns since 1970; the clock of events showed `start_ticks` then */
	uint64_t start, start_ticks;

	struct jfr_metadata metadata;
	bool has_metadata;
	uint64_t *seen; /* number of events of each class */
	size_t *wanted; /* index of each class in samples.events, or SIZE_MAX */
	struct fg_buf metadata_bytes; /* the unparsed metadata event */
	struct fg_buf waiting; /* events that wait for the metadata */
	struct jfr_constants constants;
};

struct jfr_thread {
	bool is_wanted; /* --thread keeps the thread */
	struct fg_roots roots;
};

struct jfr {
	struct fg_sink *sink;
	const struct jfr_options *options;
	bool rooted; /* each stack has a root frame */
	bool any_left_out; /* --thread has left out samples */
	struct jfr_chunk chunk;
	struct jfr_samples samples;
	struct jfr_frames frames;

	/* the threads of the chunk */
	struct fg_map thread_ids; /* index in `threads`, by class and key */
	struct jfr_thread *threads;
	size_t thread_count, thread_alloc;

	/* the input */
	struct fg_buf carry; /* the start of an event that the block has cut */
	uint64_t skip; /* bytes to skip before the next event */
	uint64_t chunks;
	bool over; /* the rest of the input cannot be read */

	/*
	 * Without --event: the number of events in this input that have the type we
	 * count, and of events that have another of the default types.
	 */
	uint64_t counted, others;

	/* all inputs */
	struct fg_intern names; /* types of events with stacks */
	uint64_t *counts; /* number of events, indexed by the id of the name */
	size_t counts_alloc;
	bool any_recording; /* some input was a recording */
	bool chosen; /* `weight` is final */
	struct fg_buf weight; /* the field to count; empty: samples */
	struct fg_buf event; /* without --event: the type to count */
	bool event_is_final; /* `event` no longer changes */
};

#endif
