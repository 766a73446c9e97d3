/* What stands before every line of a text that was quoted, logged or indented. */
#include "collapse/line_prefix.h"

void fg_line_prefix_release(struct fg_line_prefix *p)
{
	fg_buf_release(&p->text);
}

static void keep(struct fg_line_prefix *p, struct fg_str prefix)
{
	fg_buf_clear(&p->text);
	fg_buf_add_str(&p->text, prefix);
	p->words = fg_str_trim_right(prefix).len;
}

bool fg_line_prefix_set(struct fg_line_prefix *p, struct fg_str line, size_t length)
{
	struct fg_str prefix = fg_str_before(line, length);
	struct fg_str words = fg_str_trim_right(prefix);
	char last = words.len ? words.ptr[words.len - 1] : ' ';

	if ((last >= 'a' && last <= 'z') || fg_str_has_char(words, '"') ||
	    fg_str_has_char(words, '='))
		return false;
	keep(p, prefix);
	return true;
}

static bool is_quote(char c)
{
	return fg_is_blank(c) || fg_str_has_char(FG_STR(">#|*-/;"), c);
}

struct fg_str fg_line_prefix_skip_quote(struct fg_str line)
{
	return fg_str_from_pos(line, fg_str_span(line, is_quote));
}

void fg_line_prefix_set_quote(struct fg_line_prefix *p, struct fg_str line)
{
	keep(p, fg_str_before(line, fg_str_span(line, is_quote)));
}

/* Whether `s` is `wanted` but for the digits. */
static bool is_alike(struct fg_str s, struct fg_str wanted)
{
	for (size_t i = 0; i < wanted.len; i++)
		if (s.ptr[i] != wanted.ptr[i] &&
		    !(fg_is_digit(s.ptr[i]) && fg_is_digit(wanted.ptr[i])))
			return false;
	return true;
}

bool fg_line_prefix_cut(const struct fg_line_prefix *p, struct fg_str *line)
{
	struct fg_str prefix = fg_buf_str(&p->text);
	struct fg_str words = fg_str_before(prefix, p->words);

	if (!prefix.len)
		return false;
	if (line->len >= prefix.len && is_alike(*line, prefix)) {
		*line = fg_str_from_pos(*line, prefix.len);
		return true;
	}
	if (line->len < words.len || !is_alike(*line, words) ||
	    fg_str_trim(fg_str_from_pos(*line, words.len)).len)
		return false;
	*line = fg_str_before(*line, 0);
	return true;
}
