/*
 * The state of reading one recording. The files below share it.
 *
 * read.c takes records from the input. deliver.c gets them in the order of time, and
 * passes samples on to samples.c. header.c reads the data around the records.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_READING_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_READING_H

#include "collapse/formats/perf/data/callers.h"
#include "collapse/formats/perf/data/counters.h"
#include "collapse/formats/perf/data/ends.h"
#include "collapse/formats/perf/data/expand.h"
#include "collapse/formats/perf/data/input.h"
#include "collapse/formats/perf/data/jits.h"
#include "collapse/formats/perf/data/leaves.h"
#include "collapse/formats/perf/data/order.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/data/record.h"
#include "collapse/formats/perf/data/resolve.h"
#include "collapse/formats/perf/data/tracing.h"
#include "collapse/formats/perf/data/unwind.h"
#include "collapse/formats/perf/data/zstd.h"

/*
 * The state of rounds. It shows if a stream is complete, because perf record ends a
 * stream with the end of a round. The streams of perf inject, if it sorted the records,
 * have no ends of rounds (-j) or have them too early, the first one before all samples
 * (-b, -B, -s).
 */
enum fg_pd_rounds {
	FG_PD_ROUNDS_NONE, /* no round has ended yet */
	FG_PD_ROUND_ENDED,
	FG_PD_ROUND_OPEN, /* a round has ended, and more samples have come */
	FG_PD_ROUNDS_GONE, /* the ends of rounds mean nothing in this stream */
};

struct fg_pd_reading {
	struct fg_perfdata *pd;
	struct fg_pd_input input;
	struct fg_pd_events events;
	/* blocks of records as we read them, perhaps compressed */
	struct fg_pd_blocks raw;
	struct fg_pd_blocks plain; /* blocks of decompressed records */
	struct fg_pd_order order;
	struct fg_pd_zstd *zstd; /* NULL before the first compressed record */
	struct fg_pd_counters counters;
	struct fg_pd_tasks tasks;
	struct fg_dsos dsos;
	struct fg_pd_jits jits;
	struct fg_pd_resolver resolver;
	struct fg_pd_expander expander;
	struct fg_pd_callers callers;
	struct fg_pd_unwinder *unwinder; /* NULL before the first copy of a stack */
	/* addresses of the unwound frames; NULL before the first copy */
	uint64_t *unwound;
	struct fg_str machine; /* name of the machine that recorded; empty if unknown */
	uint64_t leaf_only; /* samples whose copied stack cannot be unwound */
	struct fg_pd_ends ends;
	struct fg_pd_leaves *leaves; /* NULL before the first chain by frame pointers */
	struct fg_pd_tracing tracing;
	/* the part of a stream's tracing data that was read so far */
	struct fg_buf tracing_data;
	struct fg_buf payload; /* payload of the current sample, as text */
	struct fg_buf section; /* contents of the section that was read last */
	bool any_program; /* a thread has started another program */
	enum fg_pd_rounds rounds;
	bool began; /* a record with a time, or a sample, has come */
	bool is_unordered; /* a record was older than one before it */
	uint64_t skip; /* bytes of tracing data before the next record */
	/* offset at which the records end; UINT64_MAX: at the end of the input */
	uint64_t end;
	uint64_t ids_left; /* budget: bytes of events' ids that we may still read */
	size_t forget_at; /* we close some binaries when they take this many bytes */
	size_t held_max; /* bytes of records that may wait */
	struct fg_dsos_period period;
	/* number of the last sample that was counted as unnamed */
	uint64_t unnamed_sample;
	/* describes the first period of tally.impossible, for a warning */
	struct fg_buf impossible;
};

/* Returns the place for messages. */
static inline const struct fg_place *fg_pd_place(const struct fg_pd_reading *r)
{
	return &r->input.place;
}

/*
 * header.c: reads the data before the records, and seeks to them. Afterwards we know
 * whether the input is a file or a stream. Returns 0, or -1 after reporting.
 */
int fg_pd_header_read(struct fg_pd_reading *r);

/*
 * header.c: reads a record of a stream that has what a file has in its header. Returns
 * 0, or -1 after reporting.
 */
int fg_pd_header_record(struct fg_pd_reading *r, const struct fg_pd_record *record);

/*
 * deliver.c: takes the next record in the order of time; `data` is the struct
 * fg_pd_reading. Returns 0, or -1 after reporting.
 */
int fg_pd_deliver(void *data, const struct fg_pd_record *record);

/* samples.c: like fg_pd_deliver(), for a sample. */
int fg_pd_deliver_sample(struct fg_pd_reading *r, const struct fg_pd_record *record);

/*
 * refuse.c: reports that only perf script can read the recording. `what` is the reason
 * and starts the message. Returns -1.
 */
int fg_pd_refuse(const struct fg_pd_reading *r, const char *what);

/*
 * Like fg_pd_refuse(). The reason is that inlined functions or lines are wanted but
 * this program was built without libdw.
 */
int fg_pd_refuse_debug(const struct fg_pd_reading *r);

/*
 * Like fg_pd_refuse() if we cannot read the samples of the event. Otherwise returns 0.
 */
int fg_pd_refuse_event(const struct fg_pd_reading *r, const struct fg_pd_event *event);

#endif
