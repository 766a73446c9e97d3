/*
 * Finding the files that have the symbols of a DSO.
 */
#ifndef FG_COLLAPSE_PERFDATA_LOCATE_H
#define FG_COLLAPSE_PERFDATA_LOCATE_H

#include "collapse/perfdata/dso.h"

/*
 * Reads the symbols of a DSO into its table; where there are none to be had, says why
 * in its `trouble`.
 */
void fg_pd_locate(struct fg_pd_dsos *d, struct fg_pd_dso *dso);

#endif
