/* Quotes words for the shell. */
#include "flame/quote.h"

/* Returns true for characters that have no special meaning anywhere in a word. */
static bool is_plain(char c)
{
	return fg_is_word(c) || (c && strchr("./:=@%+,-", c));
}

void fg_quote(struct fg_buf *text, const char *word)
{
	if (fg_str_all(fg_str_from(word), is_plain)) {
		fg_buf_addf(text, "%s", word);
		return;
	}
	fg_buf_add_char(text, '\'');
	for (; *word; word++)
		if (*word == '\'')
			fg_buf_add_str(text, FG_STR("'\\''"));
		else
			fg_buf_add_char(text, *word);
	fg_buf_add_char(text, '\'');
}

void fg_quote_all(struct fg_buf *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			fg_buf_add_char(text, ' ');
		fg_quote(text, words[i]);
	}
}
