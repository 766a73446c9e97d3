/* A whole profile in the format of another viewer. */
#ifndef FG_REPORTFOLDED_EXPORT_RUN_H
#define FG_REPORTFOLDED_EXPORT_RUN_H

#include "lib/base/out.h"
#include "lib/base/reader.h"
#include "reportfolded/options.h"

/* Reads all of `reader` and writes it to `out`: 0, or -1 after reporting. */
int fg_export_run(const struct fg_report_options *options, struct fg_reader *reader,
		  struct fg_out *out, struct fg_diag *diag);

#endif
