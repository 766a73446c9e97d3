/*
 * Recognises traces of Chrome: a JSON object with "traceEvents", or an array of events,
 * which have "ph" for their phase.
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	if (fg_str_starts(bytes, FG_STR("{"))) {
		if (fg_str_has(bytes, FG_STR("\"traceEvents\"")) ||
		    fg_str_has(bytes, FG_STR("\"_CpuProfileTimeline\"")))
			return FG_PROBE_YES;
		/* one event without the array around it */
		return fg_str_has(bytes, FG_STR("\"ph\"")) &&
				       fg_str_has(bytes, FG_STR("\"pid\"")) ?
			       FG_PROBE_MAYBE :
			       FG_PROBE_NO;
	}
	return fg_str_cut_start(&bytes, FG_STR("[")) &&
			       fg_str_starts(fg_str_trim_left(bytes), FG_STR("{")) &&
			       fg_str_has(bytes, FG_STR("\"ph\"")) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_chrome = {
	.name = "chrome",
	.input = "a trace as Chrome records it",
	.is_structured = true,
	.is_json = true,
	.probe = probe,
};
