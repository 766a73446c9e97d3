/*
 * Recognises xctrace export: XML with "trace-query-result". The start of XML without an
 * element is a MAYBE. This code needs no libxml2, unlike the grammar.
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

/* This many bytes at the start are searched for the root element. */
#define PROBED 4096

/* Returns true if an element starts, outside of comments and the like. */
static bool has_root(struct fg_str bytes)
{
	for (size_t at = 0; at + 1 < bytes.len; at++)
		if (bytes.ptr[at] == '<' && bytes.ptr[at + 1] != '?')
			return bytes.ptr[at + 1] != '!';
	return false;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	static const struct fg_str root = FG_STR_INIT("trace-query-result");
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	if (!fg_str_starts(bytes, FG_STR("<")))
		return FG_PROBE_NO;
	if (fg_str_has(fg_str_before(bytes, PROBED), root))
		return FG_PROBE_YES;
	return fg_str_starts(bytes, FG_STR("<?xml")) && bytes.len < PROBED &&
			       !has_root(bytes) && !fg_str_has(bytes, FG_STR("<svg")) ?
		       FG_PROBE_MAYBE :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_xctrace = {
	.name = "xctrace",
	.input = "the output of xctrace export",
	.probe = probe,
};
