/*
 * The state of reading one recording, for the files that do it.
 *
 * read.c takes records from the input, deliver.c gets them in the order of time and
 * leaves the samples to hand_out.c, header.c knows what stands around records.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_READING_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_READING_H

#include "collapse/formats/perf/data/callers.h"
#include "collapse/formats/perf/data/counters.h"
#include "collapse/formats/perf/data/ends.h"
#include "collapse/formats/perf/data/expand.h"
#include "collapse/formats/perf/data/input.h"
#include "collapse/formats/perf/data/leaves.h"
#include "collapse/formats/perf/data/order.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/data/record.h"
#include "collapse/formats/perf/data/resolve.h"
#include "collapse/formats/perf/data/tracing.h"
#include "collapse/formats/perf/data/unwind.h"
#include "collapse/formats/perf/data/zstd.h"

/*
 * Whether a stream can end here: perf record ends it with the end of a round. perf
 * inject does not if it puts records in order. Then ends of rounds are dropped (-j), or
 * come too early, the first before all that was recorded (-b, -B, -s).
 */
enum fg_pd_rounds {
	FG_PD_ROUNDS_NONE, /* none has ended yet */
	FG_PD_ROUND_ENDED,
	FG_PD_ROUND_OPEN, /* one has, and more samples have come */
	FG_PD_ROUNDS_GONE, /* they say nothing */
};

struct fg_pd_reading {
	struct fg_perfdata *pd;
	struct fg_pd_input input;
	struct fg_pd_events events;
	struct fg_pd_blocks raw; /* as read */
	struct fg_pd_blocks plain; /* as decompressed */
	struct fg_pd_order order;
	struct fg_pd_zstd *zstd; /* NULL before the first compressed record */
	struct fg_pd_counters counters;
	struct fg_pd_tasks tasks;
	struct fg_dsos dsos;
	struct fg_pd_resolver resolver;
	struct fg_pd_expander expander;
	struct fg_pd_callers callers;
	struct fg_pd_unwinder *unwinder; /* NULL before the first copy of a stack */
	uint64_t *unwound; /* addresses; NULL the same */
	struct fg_str machine; /* where it was recorded; empty: it does not say */
	uint64_t leaf_only; /* samples with stacks that cannot be unwound */
	struct fg_pd_ends ends;
	struct fg_pd_leaves *leaves; /* NULL before the first chain by frame pointers */
	struct fg_pd_tracing tracing;
	struct fg_buf tracing_data; /* of a stream, as far as it has come */
	struct fg_buf payload; /* of the sample */
	struct fg_buf section; /* the last that was read */
	bool any_program; /* a record said that another program runs in a thread */
	enum fg_pd_rounds rounds;
	bool began; /* a record has come that has a time, or a sample */
	bool is_unordered; /* a record was older than one before it */
	uint64_t skip; /* bytes that come next and are no record */
	uint64_t end; /* of the records in the input */
	uint64_t ids_left; /* bytes of events' ids that may come yet */
	size_t forget_at; /* bytes of binaries from which on some are closed */
	size_t held_max; /* bytes of records that may wait */
	struct fg_dsos_period period;
	uint64_t unnamed_sample; /* the last that was counted as such */
	struct fg_buf impossible; /* the first of tally.impossible, in words */
};

/* Where messages are about. */
static inline const struct fg_place *fg_pd_place(const struct fg_pd_reading *r)
{
	return &r->input.place;
}

/*
 * header.c: reads what stands before the records, and seeks to them; then the input is
 * a file or a stream. 0, or -1 after reporting.
 */
int fg_pd_header_read(struct fg_pd_reading *r);

/*
 * A record of a stream that says what a file's header does. 0, or -1 after reporting.
 */
int fg_pd_header_record(struct fg_pd_reading *r, const struct fg_pd_record *record);

/* deliver.c: a record in its turn; `data` is the reading. 0, or -1 after reporting. */
int fg_pd_deliver(void *data, const struct fg_pd_record *record);

/* hand_out.c: a sample in its turn. 0, or -1 after reporting. */
int fg_pd_hand_out(struct fg_pd_reading *r, const struct fg_pd_record *record);

/*
 * read.c: reports that perf script has to be used, as the recording has `what`; -1.
 */
int fg_pd_refuse(const struct fg_pd_reading *r, const char *what);

/* The same, as inlined functions are wanted and this program cannot find them. */
int fg_pd_refuse_inlines(const struct fg_pd_reading *r);

/* The same if an event was recorded in a way that is not understood here, else 0. */
int fg_pd_refuse_event(const struct fg_pd_reading *r, const struct fg_pd_event *event);

#endif
