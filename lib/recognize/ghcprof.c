/*
 * Recognises GHC's profiling report by the header of its tree.
 *
 *     COST CENTRE  MODULE  SRC  no.  entries  %time %alloc   %time %alloc
 */
#include "lib/base/line_prefix.h"
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

/* -p prints four columns after "entries", -P two more. */
#define COLUMNS_MAX 6

static bool is_no_blank(char c)
{
	return !fg_is_blank(c);
}

size_t ghcprof_header_columns(struct fg_str line)
{
	size_t columns = 0, times = 0;

	if (!fg_str_starts(line, FG_STR("COST CENTRE ")) ||
	    !fg_str_has(line, FG_STR(" MODULE ")) ||
	    !fg_str_has(line, FG_STR(" entries ")))
		return 0;
	for (line = fg_str_trim(line); line.len; line = fg_str_trim_left(line)) {
		size_t length = fg_str_span(line, is_no_blank);
		struct fg_str word = fg_str_before(line, length);

		columns++;
		times += fg_str_eq(word, FG_STR("%time"));
		if (fg_str_eq(word, FG_STR("entries")))
			columns = times = 0;
		line = fg_str_from_pos(line, length);
	}
	return times == 2 && columns <= COLUMNS_MAX ? columns : 0;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	enum fg_probe found = FG_PROBE_NO;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		fg_str_cut_end(&line, FG_STR("\r"));
		if (ghcprof_header_columns(fg_line_prefix_skip_quote(line)))
			return FG_PROBE_YES;
		if (fg_str_has(line, FG_STR("Allocation Profiling Report")))
			found = FG_PROBE_MAYBE;
	}
	return found;
}

const struct fg_kind fg_kind_ghcprof = {
	.name = "ghcprof",
	.input = "a profiling report of GHC",
	.probe = probe,
};
