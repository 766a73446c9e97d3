/* How the output of perf script, and perf.data, is known. */
#include "collapse/format.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/text/frame.h"
#include "collapse/formats/perf/text/header.h"
#include "collapse/formats/perf/text/other_lines.h"
#include "lib/base/sniff.h"

/* A file of its own, so that who knows the format is not linked with its libraries. */

/* A line of perf script's: a frame, or a header with its time stamp. */
static bool is_perf_line(struct fg_str line)
{
	struct perf_header h;

	fg_str_cut_end(&line, FG_STR("\r"));
	return fg_str_eq(fg_str_trim_right(line), FG_STR("# ========")) ||
	       fg_sniff_perf_frame(line) || perf_header_starts(line, NULL, &h);
}

/* "app 4242 cycles:", the header of a sample without a time stamp. */
static bool may_be_header(struct fg_str line)
{
	struct perf_header h;

	return perf_header_untimed(line, &h) && h.sample.tid.known &&
	       h.sample.comm.len && h.sample.event.len;
}

/* "401136 main+0x6 (/bin/app)": as a frame is after a paste, which takes its tab. */
static bool may_be_frame(struct fg_str line)
{
	struct perf_frame f;

	line = fg_str_trim_right(line);
	return perf_frame_is(line, &f) && f.pc.len > 3 &&
	       fg_str_ends(f.rest, FG_STR(")")) &&
	       (fg_str_has(f.rest, FG_STR(" (/")) || fg_str_has(f.rest, FG_STR(" ([")));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	bool after_header = false;

	if (fg_perfdata_starts(first_bytes))
		return FG_PROBE_YES;
	while (first_bytes.len) {
		struct fg_str line = fg_str_cut(&first_bytes, '\n');
		bool indented = fg_str_starts(line, FG_STR("\t "));

		if (is_perf_line(line) ||
		    ((after_header || indented) && may_be_frame(line)))
			return FG_PROBE_YES;
		after_header = may_be_header(line);
	}
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_perf = {
	.name = "perf",
	.input = "the output of perf script",
	.probe = probe,
};
