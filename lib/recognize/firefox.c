/* How input of collapse-firefox is known. */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));
	bool found;

	if (!fg_str_starts(bytes, FG_STR("{")))
		return FG_PROBE_NO;
	found = fg_str_has(bytes, FG_STR("\"preprocessedProfileVersion\"")) ||
		(fg_str_has(bytes, FG_STR("\"meta\"")) &&
		 fg_str_has(bytes, FG_STR("\"threads\""))) ||
		fg_str_starts(bytes, FG_STR("{\"libs\":[{\"start\":")) ||
		(fg_str_starts(bytes, FG_STR("{\"label\":")) &&
		 fg_str_has(bytes, FG_STR("\"markers\"")) &&
		 (fg_str_has(bytes, FG_STR("\"ticks\"")) ||
		  fg_str_has(bytes, FG_STR("\"memory\""))));
	return found ? FG_PROBE_YES : FG_PROBE_NO;
}

const struct fg_kind fg_kind_firefox = {
	.name = "firefox",
	.is_structured = true,
	.input = "a profile of Firefox or samply",
	.is_json = true,
	.probe = probe,
};
