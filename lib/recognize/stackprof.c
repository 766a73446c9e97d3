/* Recognises stackprof: JSON with "missed_samples", or with "raw", "frames", "mode". */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	return fg_str_starts(bytes, FG_STR("{")) &&
			       (fg_str_has(bytes, FG_STR("\"missed_samples\"")) ||
				(fg_str_has(bytes, FG_STR("\"raw\":")) &&
				 fg_str_has(bytes, FG_STR("\"frames\"")) &&
				 fg_str_has(bytes, FG_STR("\"mode\"")))) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_stackprof = {
	.name = "stackprof",
	.is_structured = true,
	.input = "JSON of stackprof",
	.is_json = true,
	.probe = probe,
};
