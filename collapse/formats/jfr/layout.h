/* Works out how long the values of each class are. */
#ifndef FG_JFR_LAYOUT_H
#define FG_JFR_LAYOUT_H

#include "collapse/formats/jfr/metadata.h"

/* Fills in the members of classes that follow from the others, once all are read. */
void jfr_layout_work_out(struct jfr_metadata *m);

#endif
