/* Where values end. */
#ifndef FG_JFR_LAYOUT_H
#define FG_JFR_LAYOUT_H

#include "collapse/formats/jfr/metadata.h"

/* Completes classes and fields, once all have been read. */
void jfr_layout_work_out(struct jfr_metadata *m);

#endif
