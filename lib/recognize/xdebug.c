/*
 * Recognises a trace of Xdebug by its first line, or by its second if the first has the
 * version of Xdebug:
 *
 *     TRACE START [2026-11-29 21:34:04.776192]
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	if (fg_str_starts(rest, FG_STR("Version:"))) {
		fg_str_cut(&rest, '\n');
		if (fg_str_starts(rest, FG_STR("File format:")))
			fg_str_cut(&rest, '\n');
	}
	return fg_str_starts(rest, FG_STR("TRACE START [")) ? FG_PROBE_YES :
							      FG_PROBE_NO;
}

const struct fg_kind fg_kind_xdebug = {
	.name = "xdebug",
	.input = "a trace of Xdebug",
	.is_structured = true,
	.probe = probe,
};
