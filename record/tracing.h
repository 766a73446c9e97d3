/* Writes the description of tracepoints, from which readers know their fields. */
#ifndef FG_RECORD_TRACING_H
#define FG_RECORD_TRACING_H

#include "record/events.h"

/*
 * Appends the record with the formats of the tracepoints among the events, if there are
 * any. The description itself follows the record.
 */
void fg_tracing_add(struct fg_buf *b, const struct fg_events *events);

/* Like fg_tracing_add(), with the folder of tracefs. */
void fg_tracing_add_from(struct fg_buf *b, const struct fg_events *events,
			 const char *folder);

#endif
