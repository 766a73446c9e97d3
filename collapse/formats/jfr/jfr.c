/*
 * Recordings of Java Flight Recorder, of the JDK and of async-profiler.
 *
 * There is no specification but the reader in the JDK, jdk.jfr.internal.consumer. A
 * chunk has a header, events, of which some say what types there are (metadata.c) and
 * some have constants (constants.c), and offsets to those, which are not needed here.
 *
 *     "FLR\0" version size constants metadata start duration ticks ticks-a-second flags
 *     size type field...
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/formats/jfr/chunk.h"
#include "collapse/formats/jfr/json.h"
#include "collapse/formats/jfr/options.h"
#include "collapse/formats/jfr/wanted.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

#define OPTIONS struct jfr_options

static const struct fg_opt rows[] = {
	SECTION("Which events"),
	LIST("event", event, "TYPE",
	     "count these events (repeatable; * and ? match; default\n"
	     "jdk.ExecutionSample, or jdk.CPUTimeSample without it)"),
	FG_OPT_END,
};

static void *open_jfr(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct jfr *j = fg_xcalloc(1, sizeof(*j));

	j->sink = sink;
	j->options = run->own;
	j->frames.sink = sink;
	j->frames.srcline = run->samples.srcline;
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

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct jfr *j = state;
	struct fg_block block = *start;
	int status = 1;

	if (jfr_is_json(start->start))
		return jfr_json_read(j, reader, start);
	while (status > 0) {
		if (jfr_read(j, block.bytes))
			return -1;
		status = fg_reader_more(reader, &block);
	}
	return status < 0 ? -1 : jfr_end(j);
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
