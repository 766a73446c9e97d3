/*
 * Recognises flame graphs and trees of async-profiler: HTML with its name, or with
 * the title and the style of its trees.
 *
 *     <!DOCTYPE html>
 *     <h1>CPU profile</h1>
 *     <header>Produced by <a href='...'>async-profiler</a></header>
 *     <canvas id='canvas'></canvas>
 */
#include "lib/base/utf8.h"
#include "lib/recognize/foreign.h"
#include "lib/recognize/recognize.h"

static bool has(struct fg_str html, const char *text)
{
	return fg_str_has(html, fg_str_from(text));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str html = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	if (!fg_foreign_is_html(html))
		return FG_PROBE_NO;
	if (has(html, "<title>Tree view</title>") && has(html, ".tree li"))
		return FG_PROBE_YES;
	return has(html, ">async-profiler</a") && !has(html, FG_ASPROF_HEAT_MAP) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_asprof = {
	.name = "asprof",
	.is_structured = true,
	.input = "a flame graph of async-profiler",
	.is_binary = true,
	.probe = probe,
};
