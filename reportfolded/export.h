/*
 * Writes a whole profile for another viewer: pprof, speedscope, Firefox Profiler, or
 * JSON. Each format is a write_*.c, see writers.h.
 */
#ifndef FG_REPORTFOLDED_EXPORT_H
#define FG_REPORTFOLDED_EXPORT_H

#include "lib/base/out.h"
#include "lib/base/reader.h"
#include "reportfolded/options.h"

/*
 * Reads all of `reader` and writes it to `out` in the format of the options. Returns 0,
 * or -1 after reporting.
 */
int fg_export_run(const struct fg_report_options *options, struct fg_reader *reader,
		  struct fg_out *out, struct fg_diag *diag);

#endif
