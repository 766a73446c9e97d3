/* What a chunk is read for: its samples, as stacks. */
#ifndef FG_JFR_DELIVER_H
#define FG_JFR_DELIVER_H

#include "collapse/formats/jfr/run.h"

/* Once the metadata of a chunk were read: 0, or -1 after reporting. */
int jfr_deliver_knows(struct jfr *j);

/* Before they are forgotten. */
void jfr_deliver_forgets(struct jfr *j);

/* At the end of a chunk: 0, or -1 after reporting. */
int jfr_deliver_ends(struct jfr *j);

#endif
