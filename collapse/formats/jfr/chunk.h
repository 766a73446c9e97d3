/*
 * A recording as it comes, in blocks that end anywhere: chunks behind one another, and
 * the events in them.
 *
 * An event can be read once the metadata have come. async-profiler writes them first;
 * the JDK writes them last, so that a chunk's events are kept until then: 12 MB, unless
 * it was told to write larger ones. Of an event that is wanted only the keys are kept.
 */
#ifndef FG_JFR_CHUNK_H
#define FG_JFR_CHUNK_H

#include "collapse/formats/jfr/run.h"

/* Reads another block: 0, or -1 after reporting. */
int jfr_read(struct jfr *j, struct fg_str bytes);

/* At the end of an input. */
int jfr_end(struct jfr *j);

void jfr_chunk_release(struct jfr_chunk *c);

#endif
