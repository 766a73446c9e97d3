/*
 * One chunk of a recording. jfr.c finds the events in it; this reads them:
 *
 *     while (...)
 *             jfr_chunk_read_event(j, event);
 *     jfr_chunk_end(j);
 *
 * Events can only be read with the metadata. async-profiler writes it first, but the
 * JDK writes it last, so the events of a chunk are kept until then. A chunk has 12 MB
 * unless the user asked for larger ones. Once the metadata is known, only the keys of
 * wanted events are kept.
 */
#ifndef FG_JFR_CHUNK_H
#define FG_JFR_CHUNK_H

#include "collapse/formats/jfr/state.h"

/* Returns a cursor over bytes of the chunk. */
struct jfr_bytes jfr_chunk_bytes(const struct jfr *j, struct fg_str s);

/* Reads a whole event, or keeps it for later. Returns 0, or -1 after reporting. */
int jfr_chunk_read_event(struct jfr *j, struct fg_str event);

/*
 * Counts the samples of the chunk and empties it. Does nothing if no chunk is open.
 * Returns 0, or -1 after reporting.
 */
int jfr_chunk_end(struct jfr *j);

void jfr_chunk_release(struct jfr_chunk *c);

#endif
