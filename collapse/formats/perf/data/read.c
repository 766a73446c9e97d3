/*
 * Reads a recording from start to end: takes records from the input, decompresses them
 * if necessary, puts them in order and delivers them.
 */
#include "collapse/formats/perf/data/perfdata.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "collapse/formats/perf/data/reading.h"
#include "lib/base/count.h"

/*
 * The most bytes of records that may wait to be sorted. If the file is larger, its size
 * is the limit.
 */
#define HELD_MAX ((size_t)48 << 20)

static struct fg_pd_delivery delivery_of(struct fg_pd_reading *r)
{
	return (struct fg_pd_delivery){ fg_pd_deliver, r };
}

/*
 * Takes a record of the kernel. Holds it for sorting, or delivers it now if it has no
 * time.
 */
static int take_kernels(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_pd_delivery delivery = delivery_of(r);
	bool is_sample = record->type == FG_PD_SAMPLE;
	uint64_t time;

	if (!r->events.count)
		return fg_error(
			r->pd->diag, fg_pd_place(r),
			"the recording does not describe its events: it is damaged");
	if (record->type == FG_PD_CALLCHAIN_DEFERRED)
		return fg_pd_refuse(r, "recorded with deferred call chains");
	if (is_sample && r->rounds == FG_PD_ROUND_ENDED)
		r->rounds = FG_PD_ROUND_OPEN;
	r->began |= is_sample;
	time = fg_pd_time_of(fg_pd_events_of(&r->events, record->body, is_sample),
			     record->body, is_sample);
	if (!time || time == FG_PD_NO_TIME)
		return fg_pd_deliver(r, record);
	r->began = true;
	r->is_unordered |= time < r->order.largest;
	fg_pd_order_add(&r->order, record, time);
	if (r->raw.held + r->plain.held <= r->held_max)
		return 0;
	if (fg_pd_order_half(&r->order, &delivery))
		return -1;
	return r->raw.held + r->plain.held <= r->held_max ?
		       0 :
		       fg_pd_order_all(&r->order, &delivery);
}

static int take_plain(struct fg_pd_reading *r, const struct fg_pd_record *record);

/*
 * Takes bytes that are not a record. They are a stream's tracing data, which describes
 * tracepoints. Reads it when it is complete.
 */
static void skip(struct fg_pd_reading *r, struct fg_pd_blocks *blocks)
{
	size_t there = fg_pd_blocks_rest(blocks).len;
	size_t len = r->skip < there ? (size_t)r->skip : there;

	fg_buf_add_str(&r->tracing_data, fg_str_before(fg_pd_blocks_rest(blocks), len));
	fg_pd_blocks_skip(blocks, len);
	r->skip -= len;
	if (r->skip)
		return;
	fg_pd_tracing_read(&r->tracing, fg_buf_str(&r->tracing_data));
	fg_buf_clear(&r->tracing_data);
}

/*
 * Takes all whole records. Returns 0, 1 if the bytes after them are not a record, or -1
 * after reporting.
 */
static int take_all(struct fg_pd_reading *r, struct fg_pd_blocks *blocks,
		    int (*take)(struct fg_pd_reading *r, const struct fg_pd_record *))
{
	struct fg_pd_record record;

	for (;;) {
		int status;

		if (r->skip)
			skip(r, blocks);
		if (r->skip)
			return 0;
		status = fg_pd_blocks_record(blocks, &record);
		if (status <= 0)
			return status < 0;
		if (take(r, &record))
			return -1;
	}
}

/* Unpacks a compressed record, and takes the records in it. */
static int take_compressed(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);
	uint64_t len = record->body.len;
	int more, status;

	if (record->type == FG_PD_COMPRESSED2)
		len = fg_cursor_u64(&c);
	if (!r->zstd)
		r->zstd = fg_pd_zstd_new();
	if (!r->zstd)
		return fg_pd_refuse(r, "recorded with -z, and this program is built "
				       "without libzstd");
	fg_pd_zstd_feed(r->zstd, fg_cursor_bytes(&c, len));
	do {
		more = fg_pd_zstd_next(r->zstd, &r->plain);
		if (more < 0 || c.bad)
			return fg_error(r->pd->diag, fg_pd_place(r),
					"the compressed records are damaged");
		status = take_all(r, &r->plain, take_plain);
		if (status < 0)
			return -1;
		if (status)
			return fg_error(r->pd->diag, fg_pd_place(r),
					"the compressed data do not hold records");
	} while (more);
	return 0;
}

/*
 * Takes the description of tracepoints. simpleperf writes it into the record. perf
 * writes it after the record, padded to 8 bytes.
 */
static void take_tracing(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);
	uint32_t size = fg_cursor_u32(&c);

	if (c.bad)
		return;
	if (fg_cursor_left(&c) >= size)
		fg_pd_tracing_read(&r->tracing, fg_cursor_bytes(&c, size));
	else
		r->skip = ((uint64_t)size + 7) / 8 * 8;
}

static void end_round(struct fg_pd_reading *r)
{
	if (r->rounds == FG_PD_ROUND_OPEN ||
	    (r->rounds == FG_PD_ROUNDS_NONE && r->began))
		r->rounds = FG_PD_ROUND_ENDED;
	else if (r->rounds == FG_PD_ROUNDS_NONE)
		r->rounds = FG_PD_ROUNDS_GONE;
}

/* Takes a record of perf's own, about the recording. */
static int take_perfs(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_pd_delivery delivery = delivery_of(r);

	switch (record->type) {
	case FG_PD_FINISHED_ROUND:
		end_round(r);
		/*
		 * A runtime may keep its dump in memory until it ends. So the records
		 * of a stream wait until they end, or are too many.
		 */
		if (r->jits.count && r->dsos.turn)
			return 0;
		return fg_pd_order_round(&r->order, &delivery);
	case FG_PD_TIME_CONV:
		fg_pd_jits_take_cycles(&r->jits, record->body);
		return 0;
	case FG_PD_AUXTRACE_INFO:
	case FG_PD_AUXTRACE:
		return fg_pd_refuse(r,
				    "recorded with a hardware trace such as Intel PT");
	case FG_PD_HEADER_TRACING_DATA:
	case FG_PD_SIMPLEPERF_TRACING_DATA:
		take_tracing(r, record);
		return 0;
	case FG_PD_HEADER_BUILD_ID:
		r->rounds = FG_PD_ROUNDS_GONE;
		/* fall through */
	default:
		return fg_pd_header_record(r, record);
	}
}

static int take_plain(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	if (record->type < FG_PD_FIRST_OF_PERF)
		return take_kernels(r, record);
	if (record->type == FG_PD_COMPRESSED || record->type == FG_PD_COMPRESSED2)
		return 0;
	return take_perfs(r, record);
}

static int take_raw(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	if (record->type == FG_PD_COMPRESSED || record->type == FG_PD_COMPRESSED2)
		return take_compressed(r, record);
	return take_plain(r, record);
}

/*
 * Reads and takes the rest of the input. Returns 0, 1 if it finds bytes that are not a
 * record, or -1 after reporting.
 */
static int read_records(struct fg_pd_reading *r)
{
	int status = 0;

	while (!status && r->input.at < r->end) {
		size_t space;
		char *to = fg_pd_blocks_space(&r->raw, &space);
		uint64_t left = r->end - r->input.at;
		int64_t n = fg_pd_input_read(&r->input, to,
					     left < space ? (size_t)left : space);

		if (n <= 0) {
			status = (int)n;
			break;
		}
		fg_pd_blocks_filled(&r->raw, (size_t)n);
		if (!fg_pd_input_is_whole(&r->input))
			r->dsos.turn++;
		status = take_all(r, &r->raw, take_raw);
	}
	return status;
}

/*
 * Returns true if a stream ends between two records, but not where perf record would
 * have ended it. If no round has ended but the records are in order, it may come from
 * perf inject, and is not cut.
 */
static bool is_cut_stream(const struct fg_pd_reading *r)
{
	return r->end == UINT64_MAX && !r->pd->tally.cut && !r->skip &&
	       !fg_pd_blocks_rest(&r->raw).len && !fg_pd_blocks_rest(&r->plain).len &&
	       (r->rounds == FG_PD_ROUND_OPEN ||
		(r->rounds == FG_PD_ROUNDS_NONE && r->is_unordered));
}

/* Warns of data that is missing or wrong although the records are whole. */
static void report_missing(const struct fg_pd_reading *r)
{
	const struct fg_perfdata_tally *tally = &r->pd->tally;

	if (tally->damaged)
		fg_warn(r->pd->diag, fg_pd_place(r),
			"damaged: %llu records are too short for their fields",
			(unsigned long long)tally->damaged);
	if (r->tasks.dropped)
		fg_warn(r->pd->diag, fg_pd_place(r),
			"there are more than %zu mappings at a time: %llu were left "
			"out, so functions in them have no names",
			FG_PD_MAPS_MAX, (unsigned long long)r->tasks.dropped);
	if (tally->impossible)
		fg_warn(r->pd->diag, fg_pd_place(r),
			"%llu impossible period%s, so counts may be wrong (the first: "
			"%.*s): record without \":S\"",
			(unsigned long long)tally->impossible,
			tally->impossible == 1 ? "" : "s", (int)r->impossible.len,
			r->impossible.ptr);
	if (r->leaf_only)
		fg_warn(r->pd->diag, fg_pd_place(r),
			"stacks of other machines and of 32-bit programs are not "
			"unwound: %llu samples show only the function that ran",
			(unsigned long long)r->leaf_only);
}

static int read_all(struct fg_pd_reading *r)
{
	struct fg_pd_delivery delivery = delivery_of(r);
	struct fg_perfdata_tally *tally = &r->pd->tally;
	int status;

	if (fg_pd_header_read(r))
		return -1;
	r->held_max = HELD_MAX;
	if (r->input.size != UINT64_MAX && r->input.size > HELD_MAX)
		r->held_max = (size_t)r->input.size;
	status = read_records(r);
	if (status < 0 || fg_pd_order_all(&r->order, &delivery))
		return -1;
	for (size_t i = 0; i < r->events.count; i++)
		tally->switches |= fg_pd_event_has_flag(&r->events.list[i],
							FG_PD_ATTR_CONTEXT_SWITCH);
	report_missing(r);
	if (status) {
		tally->cut = true;
		fg_warn(r->pd->diag, fg_pd_place(r),
			"damaged: everything after sample %llu is skipped",
			(unsigned long long)tally->samples);
	} else if (is_cut_stream(r)) {
		tally->cut = true;
		fg_warn(r->pd->diag, fg_pd_place(r),
			"cut short: the last round of samples is incomplete");
	} else if (tally->cut || r->skip || fg_pd_blocks_rest(&r->raw).len ||
		   fg_pd_blocks_rest(&r->plain).len) {
		tally->cut = true;
		fg_warn(r->pd->diag, fg_pd_place(r),
			"cut short, or perf record was killed: names of events and "
			"build ids may be missing");
	}
	return 0;
}

static void start(struct fg_pd_reading *r, struct fg_perfdata *pd)
{
	memset(r, 0, sizeof(*r));
	memset(&pd->tally, 0, sizeof(pd->tally));
	r->pd = pd;
	r->input.diag = pd->diag;
	r->input.place.input = pd->name;
	fg_pd_input_init(&r->input, pd->fd, pd->head);
	fg_pd_events_init(&r->events);
	fg_pd_blocks_init(&r->raw);
	fg_pd_blocks_init(&r->plain);
	fg_pd_order_init(&r->order);
	fg_pd_tasks_init(&r->tasks);
	fg_pd_tracing_init(&r->tracing);
	fg_dsos_init(&r->dsos, pd->debug_folder);
	r->dsos.places.helper = pd->helper;
	r->dsos.no_symbols = pd->no_symbols;
	r->dsos.detail = pd->debug & FG_PERFDATA_PATHS ? FG_INLINES_PATHS :
			 pd->debug & FG_PERFDATA_LINES ? FG_INLINES_LINES :
							 FG_INLINES_NAMES;
	r->jits.dsos = &r->dsos;
	r->jits.tasks = &r->tasks;
	r->jits.events = &r->events;
	fg_pd_resolver_init(&r->resolver, &r->dsos);
	fg_pd_expander_init(&r->expander, &r->resolver);
	r->expander.inlined = pd->debug & FG_PERFDATA_INLINES;
}

static void end(struct fg_pd_reading *r)
{
	fg_pd_unwinder_free(r->unwinder);
	fg_pd_leaves_free(r->leaves);
	free(r->unwound);
	fg_pd_callers_release(&r->callers);
	fg_pd_expander_release(&r->expander);
	fg_pd_resolver_release(&r->resolver);
	fg_pd_jits_release(&r->jits);
	fg_dsos_release(&r->dsos);
	fg_pd_tasks_release(&r->tasks);
	fg_pd_order_release(&r->order);
	fg_pd_counters_release(&r->counters);
	fg_pd_zstd_free(r->zstd);
	fg_pd_blocks_release(&r->plain);
	fg_pd_blocks_release(&r->raw);
	fg_pd_events_release(&r->events);
	fg_pd_tracing_release(&r->tracing);
	fg_buf_release(&r->tracing_data);
	fg_buf_release(&r->payload);
	fg_buf_release(&r->section);
	fg_buf_release(&r->impossible);
	fg_pd_input_release(&r->input);
}

/*
 * Sets the time at which the recording ended, rounded up to a second. For a file, that
 * is its last change; for a pipe, it is now.
 */
static void find_end(struct fg_pd_reading *r)
{
	struct stat st;

	if (r->pd->fd < 0 || fstat(r->pd->fd, &st))
		return;
	if (S_ISREG(st.st_mode))
		r->period.end = (int64_t)(st.st_mtime + 1) * 1000000000;
	else
		r->period.end = (int64_t)(time(NULL) + 1) * 1000000000;
}

int fg_perfdata_read(struct fg_perfdata *pd)
{
	struct fg_pd_reading r;
	int status;

	start(&r, pd);
	if (fg_elf_is_here() && pd->debug && !fg_inlines_are_here())
		status = fg_pd_refuse_debug(&r);
	else
		status = read_all(&r);
	if (!status) {
		find_end(&r);
		fg_dsos_report(&r.dsos, pd->diag, fg_pd_place(&r));
		fg_pd_jits_report(&r.jits, pd->diag, fg_pd_place(&r));
		fg_dsos_report_replaced(&r.dsos, pd->diag, fg_pd_place(&r), &r.period);
		fg_dsos_report_nameless(&r.dsos, pd->tally.samples, pd->diag,
					fg_pd_place(&r));
		pd->tally.frameless =
			fg_pd_leaves_report(r.leaves, pd->diag, fg_pd_place(&r));
		fg_pd_ends_report(&r.ends, pd->diag, fg_pd_place(&r));
		pd->tally.small_copies = r.ends.small;
		pd->tally.truncated = fg_count_add(
			r.ends.small, fg_pd_depths_truncated(&r.ends.depths));
	}
	end(&r);
	return status;
}
