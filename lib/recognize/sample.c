/*
 * Recognises the report of the macOS tool `sample`, or a part of one, as quoted in a
 * mail.
 *
 *     Analysis of sampling app (pid 4242) every 1 millisecond
 *     Call graph:
 *         806 Thread_1234   DispatchQueue_1: com.apple.main-thread  (serial)
 */
#include "lib/base/line_prefix.h"
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool sample_starts_graph(struct fg_str line)
{
	return fg_str_ends(fg_str_trim_right(line), FG_STR("Call graph:")) &&
	       fg_str_starts(fg_line_prefix_skip_quote(line), FG_STR("Call graph:"));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool title = false, graph = false;

	while (rest.len && !(title && graph)) {
		struct fg_str line = fg_line_prefix_skip_quote(fg_str_cut(&rest, '\n'));

		title |= fg_str_starts(line, FG_STR("Analysis of sampling "));
		graph |= sample_starts_graph(line);
		if (graph) {
			line = fg_str_from_pos(line, fg_str_span(line, fg_is_digit));
			title |= fg_str_starts(line, FG_STR(" Thread_"));
		}
	}
	return title && graph ? FG_PROBE_YES :
	       title || graph ? FG_PROBE_MAYBE :
				FG_PROBE_NO;
}

const struct fg_kind fg_kind_sample = {
	.name = "sample",
	.input = "the report of sample",
	.probe = probe,
};
