/*
 * Reads the folded stacks of the input into one tree, with their header lines.
 *
 * A profile has two columns if its first stacks all have two counts. Later lines with
 * one count are then ignored. In a profile of one column, a number before the count
 * belongs to the last frame's name.
 */
#ifndef FG_REPORTFOLDED_READ_H
#define FG_REPORTFOLDED_READ_H

#include "lib/base/reader.h"
#include "lib/findings/columns.h"

/*
 * Reads all of `reader`. Returns 0, or -1 after reporting, also if there are no counts.
 * Release the profile in either case.
 */
int fg_report_read(struct fg_columns *p, bool no_lines, struct fg_reader *reader,
		   struct fg_diag *diag);

#endif
