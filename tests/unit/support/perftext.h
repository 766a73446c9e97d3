/*
 * What is read from a recording, as the text that perf script prints.
 *
 * Blanks are fewer than in perf's columns, and tracepoints have no payload.
 */
#ifndef FG_TESTS_UNIT_SUPPORT_PERFTEXT_H
#define FG_TESTS_UNIT_SUPPORT_PERFTEXT_H

#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/out.h"

struct perf_text {
	struct fg_out out; /* where it goes, of the caller */
	bool has_chain;
};

struct fg_perfdata_sink perf_text_sink(struct perf_text *t);

#endif
