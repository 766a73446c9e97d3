/*
 * Tracepoints: the formats of their fields, and the payload of a sample as text.
 *
 * perf record copies the formats from /sys/kernel/tracing/events/SYSTEM/EVENT/format
 * into the tracing data of the recording (tools/perf/util/trace-event-read.c of Linux).
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_TRACING_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_TRACING_H

#include "lib/base/map.h"
#include "lib/base/arena.h"
#include "lib/base/buf.h"

struct fg_pd_tracing {
	struct fg_pd_format *formats;
	size_t count, alloc;
	/* from the id of a tracepoint to the index of its format plus 1 */
	struct fg_map by_id;
	struct fg_pd_field *fields; /* fields of all formats */
	size_t field_count, field_alloc;
	struct fg_arena text;
};

void fg_pd_tracing_init(struct fg_pd_tracing *t);
void fg_pd_tracing_release(struct fg_pd_tracing *t);

/* Adds the formats in tracing data. Stops where the data is malformed. */
void fg_pd_tracing_read(struct fg_pd_tracing *t, struct fg_str bytes);

/* Adds a tracepoint with a name and no fields, if its id is new. */
void fg_pd_tracing_add(struct fg_pd_tracing *t, uint64_t id, struct fg_str name);

/*
 * Returns the name of a tracepoint, "SYSTEM:EVENT", valid until the release. It is
 * empty if the id is unknown.
 */
struct fg_str fg_pd_tracing_name(const struct fg_pd_tracing *t, uint64_t id);

/*
 * Appends the fields of a sample of the tracepoint `id` as "name=value name=value".
 * Appends nothing if the id is unknown. Numbers are decimal, pointers hexadecimal.
 * Leaves out arrays of numbers, and fields that `raw` is too short for.
 */
void fg_pd_tracing_payload(const struct fg_pd_tracing *t, uint64_t id,
			   struct fg_str raw, struct fg_buf *text);

#endif
