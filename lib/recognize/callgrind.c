/*
 * Recognises callgrind and cachegrind: "# callgrind format" or a header like this one,
 * whose fields are in no fixed order.
 *
 *     version: 1
 *     creator: callgrind-3.19.0
 *     positions: line
 *     events: Ir
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

/*
 * Returns true if a line of the header begins with `start`. The header ends at a line
 * with a '=', like "fn=(1) main".
 */
static bool has_line(struct fg_str head, struct fg_str start)
{
	while (head.len) {
		struct fg_str line = fg_str_cut(&head, '\n');

		if (fg_str_starts(line, start))
			return true;
		if (fg_str_has_char(line, '='))
			break;
	}
	return false;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str head = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	head = fg_str_before(head, 4096);
	if (fg_str_starts(head, FG_STR("# callgrind format")))
		return FG_PROBE_YES;
	if (fg_str_starts(head, FG_STR("version: 1")) &&
	    (has_line(head, FG_STR("creator: ")) || has_line(head, FG_STR("events: "))))
		return FG_PROBE_YES;
	if ((fg_str_starts(head, FG_STR("positions: ")) ||
	     fg_str_starts(head, FG_STR("desc: ")) ||
	     fg_str_starts(head, FG_STR("event: ")) ||
	     fg_str_starts(head, FG_STR("events: "))) &&
	    has_line(head, FG_STR("events: ")))
		return FG_PROBE_YES;
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_callgrind = {
	.name = "callgrind",
	.is_structured = true,
	.input = "a profile of callgrind or cachegrind",
	.probe = probe,
};
