/*
 * Recognises speedscope: JSON that names https://www.speedscope.app/, or has "profiles"
 * and "shared".
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	if (!fg_str_starts(bytes, FG_STR("{")))
		return FG_PROBE_NO;
	return fg_str_has(bytes, FG_STR("https://www.speedscope.app/")) ||
			       (fg_str_has(bytes, FG_STR("\"profiles\":[")) &&
				fg_str_has(bytes, FG_STR("\"shared\""))) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_speedscope = {
	.name = "speedscope",
	.is_structured = true,
	.input = "a profile for speedscope",
	.is_json = true,
	.probe = probe,
};
