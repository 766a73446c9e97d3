/*
 * Reads recordings of Java Flight Recorder, which the JDK and async-profiler write.
 *
 * The only specification is the reader in the JDK, jdk.jfr.internal.consumer. A
 * recording is a sequence of chunks. Each has a header and then events:
 *
 *     "FLR\0" version size constants metadata start duration ticks ticks-a-second flags
 *     size type field...
 *     size type field...
 *
 * The event of type 0 is the metadata, which describes all types (metadata.c). Events
 * of type 1 have constants, such as stacks (constants.c). The header has offsets to
 * both, but we do not need them, because we read all events in order.
 *
 * This file finds chunks and events in blocks that end anywhere; chunk.c reads them.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/formats/jfr/chunk.h"
#include "collapse/formats/jfr/json.h"
#include "collapse/formats/jfr/wanted.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

#define HEADER_SIZE 68
#define MAGIC_SIZE 8

/* The bit of a chunk's flags that says numbers are LEB128. */
#define FLAG_COMPRESSED 1

#define OPTIONS struct jfr_options

static const struct fg_opt rows[] = {
	SECTION("Which events"),
	LIST("event", event, "TYPE",
	     "count these events (repeatable; * and ? match; default\n"
	     "jdk.ExecutionSample or, if there are none, jdk.CPUTimeSample)"),
	FG_OPT_END,
};

static void *open_jfr(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct jfr *j = fg_xcalloc(1, sizeof(*j));

	j->sink = sink;
	j->options = run->own;
	j->frames.sink = sink;
	j->frames.lines = run->samples.lines   ? JFR_PATHS :
			  run->samples.srcline ? JFR_NUMBERS :
						 JFR_NO_LINES;
	j->samples.in_order = run->samples.time_order || run->samples.slice;
	fg_sink_set_clock(sink, 0, 0);
	j->rooted = run->samples.root_count > 0;
	fg_intern_init(&j->names);
	return j;
}

static void close_jfr(void *state)
{
	struct jfr *j = state;

	jfr_chunk_release(&j->chunk);
	jfr_samples_release(&j->samples);
	jfr_frames_release(&j->frames);
	fg_map_release(&j->thread_ids);
	free(j->threads);
	fg_buf_release(&j->carry);
	fg_intern_release(&j->names);
	free(j->counts);
	fg_buf_release(&j->weight);
	fg_buf_release(&j->event);
	free(j);
}

/* ---- chunks */

/* Returns true for "FLR\0" and a version that we know. */
static bool is_magic(struct fg_str s)
{
	return fg_str_starts(s, FG_STR("FLR\0\0")) && s.len > 5 && s.ptr[5] >= 1 &&
	       s.ptr[5] <= 2;
}

/*
 * Returns true if `s` may be the first bytes of a chunk, cut off. It may also be the
 * start of an event.
 */
static bool may_be_magic(struct fg_str s)
{
	return s.len < MAGIC_SIZE &&
	       fg_str_starts(FG_STR("FLR\0\0"), fg_str_before(s, 5));
}

/*
 * Reads the header of a chunk. Returns the number of bytes used, or 0 if more are
 * needed. Sets *status to -1 after reporting.
 */
static size_t read_header(struct jfr *j, struct fg_str s, int *status)
{
	struct jfr_chunk *c = &j->chunk;
	struct jfr_bytes b = { s.ptr, s.ptr + s.len, true, false };
	uint64_t ticks, length;

	if (!is_magic(fg_str_before(s, MAGIC_SIZE)) && s.len >= MAGIC_SIZE) {
		if (fg_str_starts(s, FG_STR("FLR\0"))) {
			*status = fg_error(
				fg_sink_diag(j->sink), fg_sink_at(j->sink),
				"this is a recording of version %d.%d of JFR, "
				"which only JDK Mission Control reads",
				(unsigned char)s.ptr[5], (unsigned char)s.ptr[7]);
			return 0;
		}
		if (j->chunks)
			fg_sink_warn_cut(j->sink, "a chunk is followed by other data");
		j->over = true;
		return s.len;
	}
	if (s.len < HEADER_SIZE)
		return 0;
	jfr_skip_bytes(&b, 8); /* magic, version */
	c->size = jfr_fixed(&b, 8);
	jfr_skip_bytes(&b, 16); /* constants, metadata */
	c->start = jfr_fixed(&b, 8);
	length = jfr_fixed(&b, 8);
	if (length <= INT64_MAX && c->start <= INT64_MAX)
		fg_sink_note_length(j->sink, c->start, c->start + length);
	c->start_ticks = jfr_fixed(&b, 8);
	ticks = jfr_fixed(&b, 8);
	c->constants.fixed = !(jfr_fixed(&b, 4) & FLAG_COMPRESSED);
	j->samples.ticks_a_second = ticks;
	c->open = true;
	j->chunks++;
	c->read = HEADER_SIZE;
	return HEADER_SIZE;
}

/* Skips the rest of a chunk. */
static void skip_chunk(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;

	if (c->size > c->read)
		j->skip = c->size - c->read;
	else
		j->over = true;
}

/* Reads the size of an event. Sets *known to false if the number is cut off. */
static uint64_t event_size(const struct jfr *j, struct fg_str s, bool *known)
{
	struct jfr_bytes b = jfr_chunk_bytes(j, s);
	uint64_t size = jfr_int(&b);

	*known = !b.bad;
	return size;
}

/* Reads an event, or ends the chunk. Returns and sets *status like read_header(). */
static size_t read_part(struct jfr *j, struct fg_str s, int *status)
{
	struct jfr_chunk *c = &j->chunk;
	uint64_t size;
	bool known;

	if (c->size == c->read || (s.len >= MAGIC_SIZE && is_magic(s))) {
		*status = jfr_chunk_end(j);
		return 0;
	}
	size = event_size(j, s, &known);
	if (!known || may_be_magic(s))
		return 0;
	if (size < 2 || (c->size > c->read && size > c->size - c->read)) {
		if (size)
			fg_sink_warn_cut(j->sink, "an event is longer than its chunk");
		skip_chunk(j);
		return 0;
	}
	if (s.len < size)
		return 0;
	*status = jfr_chunk_read_event(j, fg_str_before(s, (size_t)size));
	c->read += size;
	return (size_t)size;
}

/* Reads whole headers and events. Returns the number of bytes used. */
static size_t read_parts(struct jfr *j, struct fg_str s, int *status)
{
	size_t start = s.len;

	while (s.len && !*status && !j->over) {
		bool was_open = j->chunk.open;
		size_t used;

		if (j->skip) {
			used = j->skip < s.len ? (size_t)j->skip : s.len;
			j->skip -= used;
			j->chunk.read += used;
		} else if (was_open) {
			used = read_part(j, s, status);
		} else {
			used = read_header(j, s, status);
		}
		if (!used && was_open == j->chunk.open && !j->skip)
			break;
		s = fg_str_from_pos(s, used);
	}
	return start - s.len;
}

/* Reads a block. Keeps an event that the block cuts off for the next block. */
static int read_block(struct jfr *j, struct fg_str bytes)
{
	struct fg_buf *carry = &j->carry;
	int status = 0;
	size_t used;

	if (j->over)
		return 0;
	if (carry->len) {
		fg_buf_add_str(carry, bytes);
		used = read_parts(j, fg_buf_str(carry), &status);
		memmove(carry->ptr, carry->ptr + used, carry->len - used);
		carry->len -= used;
	} else {
		used = read_parts(j, bytes, &status);
		fg_buf_add_str(carry, fg_str_from_pos(bytes, used));
	}
	return status;
}

static int end_recording(struct jfr *j)
{
	const struct jfr_chunk *c = &j->chunk;
	int status;

	if (!j->chunks && fg_str_starts(fg_buf_str(&j->carry), FG_STR("FLR\0")))
		fg_sink_set_cause(j->sink, "the recording has no complete chunk");
	if (!j->over && j->chunks && (j->carry.len || (c->open && c->read < c->size)))
		fg_sink_warn_cut(j->sink, "the last chunk is incomplete");
	status = jfr_chunk_end(j);
	fg_buf_clear(&j->carry);
	j->skip = 0;
	j->over = false;
	j->chunks = 0;
	return status;
}

/* ---- inputs */

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct jfr *j = state;
	struct fg_block block = *start;
	int status = 1;

	if (jfr_is_json(start->start))
		return jfr_json_read(j, reader, start);
	while (status > 0) {
		if (read_block(j, block.bytes))
			return -1;
		status = fg_reader_more(reader, &block);
	}
	return status < 0 ? -1 : end_recording(j);
}

static void end_input(void *state)
{
	jfr_end_input(state);
}

static void finish(void *state)
{
	jfr_finish(state);
}

const struct fg_format fg_format_jfr = {
	.kind = &fg_kind_jfr,
	.summary = "Reads recordings of Java Flight Recorder, of the JDK or of\n"
		   "async-profiler, and writes folded stacks.",
	.footer = "Example:\n"
		  "  collapse-jfr --event jdk.ObjectAllocationSample --weight weight "
		  "app.jfr |\n"
		  "    flamegraph > allocations.svg",
	.hints = { .not_found = "no chunk was found: is this a recording of JFR?",
		   .no_chain = "record with stack traces",
		   .no_time =
			   "name the recording itself, not the output of jfr print" },
	.rows = rows,
	.options_size = sizeof(struct jfr_options),
	.has_values = true,
	.has_order = true,
	.has_times = true,
	.root = FG_ROOT_NONE,
	.open = open_jfr,
	.read = read_input,
	.end_input = end_input,
	.finish = finish,
	.close = close_jfr,
};
