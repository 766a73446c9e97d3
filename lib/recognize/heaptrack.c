/*
 * Recognises recordings of heaptrack: a line with versions, then one that starts with a
 * letter of the format.
 *
 *     v 10500 3
 *     X ./app
 */
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

/* Cuts a hexadecimal number and the blanks after it. Returns false for other text. */
static bool cut_number(struct fg_str *s)
{
	size_t digits = fg_str_span(*s, fg_is_hex);

	if (!digits || digits > 16 || (digits < s->len && s->ptr[digits] != ' '))
		return false;
	*s = fg_str_trim_left(fg_str_from_pos(*s, digits));
	return true;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	struct fg_str first = fg_str_trim_right(fg_str_cut(&rest, '\n'));

	if (!fg_str_cut_start(&first, FG_STR("v ")) || !cut_number(&first) ||
	    (first.len && !cut_number(&first)) || first.len)
		return FG_PROBE_NO;
	if (!rest.len)
		return FG_PROBE_MAYBE;
	return rest.len > 1 && strchr("XxAISs#", rest.ptr[0]) && rest.ptr[0] &&
			       rest.ptr[1] == ' ' ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_heaptrack = {
	.name = "heaptrack",
	.is_structured = true,
	.input = "a recording of heaptrack",
	.probe = probe,
};
