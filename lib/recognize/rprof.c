/*
 * Recognises what R's Rprof() writes by the first line:
 *
 *     memory profiling: line profiling: sample.interval=20000
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool rprof_header(struct fg_str line, uint64_t *interval)
{
	static const struct fg_str options[] = {
		FG_STR_INIT("memory profiling: "),
		FG_STR_INIT("GC profiling: "),
		FG_STR_INIT("line profiling: "),
	};

	for (size_t i = 0; i < FG_COUNT_OF(options); i++)
		fg_str_cut_start(&line, options[i]);
	return fg_str_cut_start(&line, FG_STR("sample.interval=")) &&
	       !fg_str_u64(line, interval);
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));
	uint64_t interval;

	return rprof_header(fg_str_trim(fg_str_cut(&rest, '\n')), &interval) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_rprof = {
	.name = "rprof",
	.input = "a profile of R",
	.is_structured = true,
	.probe = probe,
};
