/*
 * The messages at the end of a run: what was lost, and why nothing could be kept.
 */
#ifndef FG_COLLAPSE_REPORT_H
#define FG_COLLAPSE_REPORT_H

#include "collapse/sink.h"

/* Returns 0, or -1 after reporting that --slice needs times and no sample has one. */
int fg_sink_check_times(const struct fg_sink *s);

/* Returns 0, or -1 after reporting that the count of a stack is too large. */
int fg_sink_check_sums(const struct fg_sink *s);

/*
 * Reports everything that was lost in a run that wrote `lines_written` lines. Returns
 * -1 if nothing could be kept, or if --strict does not allow what was lost.
 */
int fg_sink_report(const struct fg_sink *s, size_t lines_written);

#endif
