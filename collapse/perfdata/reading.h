/*
 * The state of reading one recording, for the files that do it.
 *
 * read.c takes records from the input, deliver.c gets them in the order of time,
 * header.c knows what stands around them, limits.c what only perf script can read.
 */
#ifndef FG_COLLAPSE_PERFDATA_READING_H
#define FG_COLLAPSE_PERFDATA_READING_H

#include "collapse/perfdata/counters.h"
#include "collapse/perfdata/expand.h"
#include "collapse/perfdata/input.h"
#include "collapse/perfdata/order.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/record.h"
#include "collapse/perfdata/resolve.h"
#include "collapse/perfdata/tracing.h"
#include "collapse/perfdata/unwind.h"
#include "collapse/perfdata/zstd.h"

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
	struct fg_pd_dsos dsos;
	struct fg_pd_resolver resolver;
	struct fg_pd_expander expander;
	struct fg_pd_unwinder *unwinder; /* NULL before the first copy of a stack */
	uint64_t *unwound; /* addresses; NULL the same */
	struct fg_pd_tracing tracing;
	struct fg_buf tracing_data; /* of a stream, as far as it has come */
	struct fg_buf payload; /* of the sample */
	struct fg_buf section; /* the last that was read */
	uint64_t skip; /* bytes that come next and are no record */
	uint64_t end; /* of the records in the input */
	size_t held_max; /* bytes of records that may wait */
	uint64_t unnamed_sample; /* the last that was counted as such */
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

/*
 * limits.c: reports that perf script has to be used, as the recording has `what`; -1.
 */
int fg_pd_refuse(const struct fg_pd_reading *r, const char *what);

/* The same, as inlined functions are wanted and this program cannot find them. */
int fg_pd_refuse_inlines(const struct fg_pd_reading *r);

/* The same if an event was recorded in a way that is not understood here, else 0. */
int fg_pd_refuse_event(const struct fg_pd_reading *r, const struct fg_pd_event *event);

#endif
