/*
 * Recognises a call tree that was copied out of Instruments, by its header: names with
 * tabs between them, and "Symbol Name" at the end.
 *
 *     Weight	Self Weight		Symbol Name
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool instruments_cut_columns(struct fg_str line, struct fg_str columns[3])
{
	size_t tab;

	columns[0] = fg_str_cut(&line, '\t');
	tab = fg_str_find_char(line, '\t');
	columns[1] = fg_str_before(line, tab);
	if (tab == line.len)
		return false;
	while (tab < line.len) {
		line = fg_str_from_pos(line, tab + 1);
		tab = fg_str_find_char(line, '\t');
	}
	columns[2] = line;
	return true;
}

bool instruments_is_head(struct fg_str columns[3])
{
	struct fg_str last = fg_str_trim_right(columns[2]);

	return (fg_str_ends(last, FG_STR("Symbol Name")) ||
		fg_str_ends(last, FG_STR("Symbol Names"))) &&
	       (fg_str_has(columns[0], FG_STR("Weight")) ||
		fg_str_has(columns[0], FG_STR("Time")) ||
		fg_str_has(columns[0], FG_STR("Bytes Used")));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes), columns[3];

	while (rest.len)
		if (instruments_cut_columns(fg_str_cut(&rest, '\n'), columns) &&
		    instruments_is_head(columns))
			return FG_PROBE_YES;
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_instruments = {
	.name = "instruments",
	.input = "a call tree of Instruments",
	.probe = probe,
};
