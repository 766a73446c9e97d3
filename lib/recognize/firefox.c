/*
 * Recognises profiles of Firefox and samply: JSON with "meta" and "threads", or with
 * "preprocessedProfileVersion".
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static bool has(struct fg_str json, const char *member)
{
	return fg_str_has(json, fg_str_from(member));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str json = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	if (!fg_str_starts(json, FG_STR("{")) || has(json, "\"profileJSON\""))
		return FG_PROBE_NO;
	if (has(json, "\"preprocessedProfileVersion\"") ||
	    (has(json, "\"meta\"") && has(json, "\"threads\"")) ||
	    fg_str_starts(json, FG_STR("{\"libs\":[{\"start\":")))
		return FG_PROBE_YES;
	/* Firefox's DevTools saved this before 2020 */
	if (fg_str_starts(json, FG_STR("{\"label\":")) && has(json, "\"markers\"") &&
	    (has(json, "\"ticks\"") || has(json, "\"memory\"")))
		return FG_PROBE_YES;
	/* "threads" may come after long tables */
	if ((has(json, "\"meta\"") &&
	     (has(json, "\"interval\"") || has(json, "\"categories\""))) ||
	    (has(json, "\"libs\"") && has(json, "\"breakpadId\"")))
		return FG_PROBE_MAYBE;
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_firefox = {
	.name = "firefox",
	.is_structured = true,
	.input = "a profile of Firefox or samply",
	.is_json = true,
	.probe = probe,
};
