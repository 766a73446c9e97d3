/* Writes the source of functions with the counts of each line in front: --list. */
#ifndef FG_REPORTFOLDED_LISTING_H
#define FG_REPORTFOLDED_LISTING_H

#include "reportfolded/report.h"

/*
 * Writes the functions that match the regular expression of the options. Returns 0, or
 * -1 after reporting, also if none matches or none of them has lines.
 */
int fg_report_listing(const struct fg_report *r);

#endif
