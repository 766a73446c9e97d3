/*
 * Splits a recording, in blocks that end anywhere, into its chunks and their events.
 *
 * Events can only be read with the metadata. async-profiler writes those first, the JDK
 * last, so a chunk's events are kept until then: 12 MB, unless it was told to write
 * larger chunks. Of a wanted event only the keys are kept.
 */
#ifndef FG_JFR_CHUNK_H
#define FG_JFR_CHUNK_H

#include "collapse/formats/jfr/run.h"

/* Reads the next block. Returns 0, or -1 after reporting. */
int jfr_read(struct jfr *j, struct fg_str bytes);

/* Ends an input. */
int jfr_end(struct jfr *j);

void jfr_chunk_release(struct jfr_chunk *c);

#endif
