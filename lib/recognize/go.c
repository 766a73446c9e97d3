/*
 * Recognises pprof -raw by the line "Samples:" and the types of values below it.
 *
 *     Samples:
 *     samples/count cpu/nanoseconds
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

/* Returns true for a line of types, "samples/count cpu/nanoseconds". */
static bool is_types(struct fg_str line)
{
	size_t slash = fg_str_span(line, fg_is_word);

	return slash && slash + 1 < line.len && line.ptr[slash] == '/' &&
	       fg_is_alpha(line.ptr[slash + 1]);
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);

	while (rest.len)
		if (fg_str_eq(fg_str_trim_right(fg_str_cut(&rest, '\n')),
			      FG_STR("Samples:")) &&
		    is_types(rest))
			return FG_PROBE_YES;
	return fg_str_starts(first_bytes, FG_STR("PeriodType: ")) ? FG_PROBE_MAYBE :
								    FG_PROBE_NO;
}

const struct fg_kind fg_kind_go = {
	.name = "go",
	.input = "the output of pprof -raw",
	.probe = probe,
};
