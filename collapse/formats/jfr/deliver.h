/* Hands a chunk's samples to the sink as stacks. */
#ifndef FG_JFR_DELIVER_H
#define FG_JFR_DELIVER_H

#include "collapse/formats/jfr/run.h"

/* To be called when a chunk's metadata have been read. 0, or -1 after reporting. */
int jfr_deliver_knows(struct jfr *j);

/* To be called before the metadata are freed. */
void jfr_deliver_forgets(struct jfr *j);

/* To be called at the end of a chunk. 0, or -1 after reporting. */
int jfr_deliver_ends(struct jfr *j);

#endif
