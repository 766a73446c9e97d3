/*
 * Prints a recording in the format of perf script while it is read.
 *
 * The text has fewer spaces than perf's columns, and tracepoints have no payload.
 */
#ifndef FG_TESTS_UNIT_SUPPORT_PERFTEXT_H
#define FG_TESTS_UNIT_SUPPORT_PERFTEXT_H

#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/out.h"

struct perf_text {
	struct fg_out out; /* the output; the caller owns it */
	bool has_chain;
};

struct fg_perfdata_sink perf_text_sink(struct perf_text *t);

#endif
