/*
 * Recognises bpftrace: maps as text, or JSON from -f json.
 *
 *     @stacks[
 *         do_sys_open+1
 *     , curl]: 5
 *
 *     {"type": "map", "data": {"@stacks": {...}}}
 *
 * The text may be quoted, like in a mail. A key without a value is only a MAYBE.
 */
#include "lib/base/line_prefix.h"
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

/* Searches from the end, because the key may contain "]: ", too. */
bool bpftrace_cut_value(struct fg_str *line, struct fg_str *value)
{
	for (size_t at = line->len; at-- > 1;) {
		if (line->ptr[at] != ':' || line->ptr[at - 1] != ']' ||
		    (at + 1 < line->len && line->ptr[at + 1] != ' '))
			continue;
		*value = fg_str_trim(fg_str_from_pos(*line, at + 1));
		*line = fg_str_before(*line, at - 1);
		return true;
	}
	return false;
}

size_t bpftrace_map_length(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("@")) ?
		       1 + fg_str_span(fg_str_from_pos(line, 1), fg_is_word) :
		       0;
}

bool bpftrace_starts_key(struct fg_str line)
{
	size_t name = bpftrace_map_length(line);

	return name && fg_str_starts(fg_str_from_pos(line, name), FG_STR("[")) &&
	       !fg_str_has(line, FG_STR("] = "));
}

static bool is_quote_char(char c)
{
	return fg_is_blank(c) || c == '>' || c == '|';
}

size_t bpftrace_quote_length(struct fg_str line)
{
	size_t length = fg_str_span(line, is_quote_char);

	return bpftrace_starts_key(fg_str_from_pos(line, length)) ? length : 0;
}

bool bpftrace_is_first_member(struct fg_str text)
{
	return fg_str_starts(text, FG_STR("\"type\":")) ||
	       fg_str_starts(text, FG_STR("\"data\":"));
}

/* Returns true for JSON that jq or a person has formatted. */
static bool is_pretty(struct fg_str first_bytes)
{
	struct fg_str rest = fg_str_trim_left(first_bytes);

	if (fg_str_cut_start(&rest, FG_STR("[")))
		rest = fg_str_trim_left(rest);
	if (!fg_str_cut_start(&rest, FG_STR("{")) ||
	    !bpftrace_is_first_member(fg_str_trim_left(rest)))
		return false;
	return fg_str_has(rest, FG_STR("\"attached_probes\"")) ||
	       (fg_str_has(rest, FG_STR("\"data\":")) &&
		fg_str_has(rest, FG_STR("\"@")));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	enum fg_probe found = FG_PROBE_NO;
	size_t length = 0; /* the length of the quote before each line */

	if (fg_str_starts(rest, FG_STR("{\"type\":")) || is_pretty(rest))
		return FG_PROBE_YES;
	while (rest.len) {
		struct fg_str line = fg_line_skip_interrupt(fg_str_cut(&rest, '\n'));
		size_t quote = bpftrace_quote_length(line);
		struct fg_str value;

		if (quote || bpftrace_starts_key(line)) {
			found = FG_PROBE_MAYBE;
			length = quote;
		}
		if (fg_str_span(line, is_quote_char) >= length)
			line = fg_str_from_pos(line, length);
		if (found == FG_PROBE_MAYBE && fg_str_trim(line).len &&
		    !fg_is_blank(line.ptr[0]) && bpftrace_cut_value(&line, &value))
			return FG_PROBE_YES;
	}
	return found;
}

const struct fg_kind fg_kind_bpftrace = {
	.name = "bpftrace",
	.input = "the output of bpftrace",
	.is_json = true,
	.probe = probe,
};
