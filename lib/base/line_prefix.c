/* Skips the prefix of every line in a text that was quoted, logged or indented. */
#include "lib/base/line_prefix.h"

/*
 * The most bytes of a prefix. There is a limit because we compare each line with the
 * whole prefix.
 */
#define PREFIX_MAX 1024

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
	struct fg_str prefix = fg_str_before(line, length), words;
	char last;

	if (prefix.len > PREFIX_MAX)
		return false;
	words = fg_str_trim_right(prefix);
	last = words.len ? words.ptr[words.len - 1] : ' ';
	if ((last >= 'a' && last <= 'z' && !fg_str_has_char(words, '\x1b')) ||
	    fg_str_has_char(words, '"') || fg_str_has_char(words, '='))
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
	size_t length = fg_str_span(line, is_quote);

	keep(p, fg_str_before(line, length > PREFIX_MAX ? 0 : length));
}

/* Returns the length of a number at the start and the spaces before it, or 0. */
static size_t number_span(struct fg_str s)
{
	size_t blanks = fg_str_span(s, fg_is_blank);
	size_t digits = fg_str_span(fg_str_from_pos(s, blanks), fg_is_digit);

	return digits ? blanks + digits : 0;
}

/*
 * Cuts a prefix like `wanted` off the start of a line. Numbers in it may be different,
 * with more digits and fewer spaces before them: " 9: " and "10: " are alike.
 */
static bool cut_alike(struct fg_str *line, struct fg_str wanted)
{
	struct fg_str rest = *line;

	while (wanted.len) {
		size_t number = number_span(wanted);
		size_t blanks = fg_str_span(wanted, fg_is_blank);
		size_t same = blanks ? blanks : 1;
		size_t has = number ? number_span(rest) : same;

		if (!has)
			return false;
		if (!number && !fg_str_starts(rest, fg_str_before(wanted, same)))
			return false;
		wanted = fg_str_from_pos(wanted, number ? number : same);
		rest = fg_str_from_pos(rest, has);
	}
	*line = rest;
	return true;
}

struct fg_str fg_line_skip_interrupt(struct fg_str line)
{
	while (fg_str_cut_start(&line, FG_STR("^C")))
		;
	return line;
}

bool fg_line_prefix_cut(const struct fg_line_prefix *p, struct fg_str *line)
{
	struct fg_str prefix = fg_buf_str(&p->text), rest = *line;

	if (!prefix.len)
		return false;
	if (cut_alike(line, prefix))
		return true;
	if (!cut_alike(&rest, fg_str_before(prefix, p->words)) || fg_str_trim(rest).len)
		return false;
	*line = fg_str_before(*line, 0);
	return true;
}
