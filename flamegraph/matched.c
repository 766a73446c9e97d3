/* What a search has found, as the picture says it. */
#include "flamegraph/matched.h"

#include "lib/base/number.h"

const char *fg_matched_text(const struct fg_graph *g, struct fg_buf *text)
{
	double counts = fg_tree_number(&g->tree, g->search.counts);

	if (!g->options->search_regex)
		return " ";
	if (g->diff.on)
		fg_changes_add_matched(&g->diff, &g->search, text);
	else if (counts < g->layout.total)
		fg_buf_addf(text, "Matched: %.*f%%",
			    fg_percent_decimals(counts, g->layout.total),
			    fg_percent(counts, g->layout.total));
	else
		fg_buf_add_str(text, FG_STR("Matched: 100%"));
	return fg_buf_cstr(text);
}
