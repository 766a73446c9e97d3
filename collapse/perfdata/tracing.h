/*
 * Tracepoints: the formats of their fields, and the payload of a sample as text.
 *
 * The formats are what perf record copied from
 * /sys/kernel/tracing/events/SYSTEM/EVENT/format into the tracing data of the recording
 * (tools/perf/util/trace-event-read.c of Linux).
 */
#ifndef FG_COLLAPSE_PERFDATA_TRACING_H
#define FG_COLLAPSE_PERFDATA_TRACING_H

#include "lib/arena.h"
#include "lib/buf.h"

struct fg_pd_tracing {
	struct fg_pd_format *formats;
	size_t count, alloc;
	struct fg_pd_field *fields; /* of all formats */
	size_t field_count, field_alloc;
	struct fg_arena text;
};

void fg_pd_tracing_init(struct fg_pd_tracing *t);
void fg_pd_tracing_release(struct fg_pd_tracing *t);

/* Adds the formats in tracing data, up to where that is damaged. */
void fg_pd_tracing_read(struct fg_pd_tracing *t, struct fg_str bytes);

/*
 * Appends the fields of a sample of the tracepoint `id`, `name=value name=value`;
 * nothing where the tracepoint is not known. Numbers are decimal, pointers hexadecimal;
 * arrays of numbers are left out, and fields that `raw` is too short for.
 */
void fg_pd_tracing_payload(const struct fg_pd_tracing *t, uint64_t id,
			   struct fg_str raw, struct fg_buf *text);

#endif
