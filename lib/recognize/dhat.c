/* Recognises dhat: JSON with "dhatFileVersion". */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	return fg_str_starts(bytes, FG_STR("{")) &&
			       fg_str_has(bytes, FG_STR("\"dhatFileVersion\"")) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_dhat = {
	.name = "dhat",
	.is_structured = true,
	.input = "a profile of DHAT",
	.is_json = true,
	.probe = probe,
};
