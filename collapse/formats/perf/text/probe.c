/* How the output of perf script, and perf.data, is known. */
#include "collapse/format.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/text/lines.h"

/* A file of its own, so that who knows the format is not linked with its libraries. */

/* A tab, blanks, an address. */
static bool is_indented_frame(struct fg_str line)
{
	struct fg_str rest = fg_str_trim_left(line);
	size_t digits = fg_str_span(rest, fg_is_lower_hex);

	return line.len > 1 && line.ptr[0] == '\t' && fg_is_blank(line.ptr[1]) &&
	       digits && digits < rest.len && fg_is_blank(rest.ptr[digits]);
}

/* A line of perf script's: a frame, or a header with its time stamp. */
static bool is_perf_line(struct fg_str line)
{
	return fg_str_eq(fg_str_trim_right(line), FG_STR("# ========")) ||
	       is_indented_frame(line) || perf_lines_start(line);
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	if (fg_perfdata_starts(first_bytes))
		return FG_PROBE_YES;
	while (first_bytes.len)
		if (is_perf_line(fg_str_cut(&first_bytes, '\n')))
			return FG_PROBE_YES;
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_perf = {
	.name = "perf",
	.input = "the output of perf script",
	.probe = probe,
};
