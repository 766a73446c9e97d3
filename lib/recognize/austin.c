/* Recognises austin: text that starts with "# austin: ". */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	first_bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));
	return fg_str_starts(first_bytes, FG_STR("# austin: ")) ? FG_PROBE_YES :
								  FG_PROBE_NO;
}

const struct fg_kind fg_kind_austin = {
	.name = "austin",
	.input = "the output of austin",
	.is_folded = true,
	.probe = probe,
};
