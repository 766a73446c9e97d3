/* Reads a profile and writes it for another viewer. */
#include "reportfolded/export.h"

#include <unistd.h>

#include "reportfolded/writers.h"

static int write_all(struct fg_export *e)
{
	if (e->options->time_order && e->values.columns == 2)
		return fg_error(e->diag, NULL,
				"--time-order needs lines with one count");
	switch ((enum fg_report_format)e->options->format) {
	case FG_REPORT_PPROF:
		return fg_export_pprof(e);
	case FG_REPORT_SPEEDSCOPE:
		return fg_export_speedscope(e);
	case FG_REPORT_FIREFOX:
		return fg_export_firefox(e);
	default:
		return fg_export_collapsed(e);
	}
}

int fg_export_run(const struct fg_report_options *options, struct fg_reader *reader,
		  struct fg_out *out, struct fg_diag *diag)
{
	struct fg_export e = { .options = options, .diag = diag, .out = out };
	int status;

	if (options->format == FG_REPORT_PPROF && out->fd >= 0 && isatty(out->fd))
		return fg_error(diag, NULL,
				"pprof's format is binary, and the output is a "
				"terminal: use -o FILE");
	status = fg_values_read(&e.values, options, reader, diag);
	if (!status)
		status = write_all(&e);
	fg_values_release(&e.values);
	return status;
}
