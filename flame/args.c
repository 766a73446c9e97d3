/* A list of arguments that grows. */
#include "flame/args.h"

#include <stdlib.h>

#include "lib/base/buf.h"
#include "lib/base/xalloc.h"

/*
 * Characters that only a shell understands, wherever they are, and those that it
 * understands outside of quotation marks.
 */
#define ALWAYS_SPECIAL "$`\n"
#define SPECIAL "|&;<>()*?[]{}~#!="

void fg_args_release(struct fg_args *a)
{
	free(a->items);
	fg_arena_release(&a->text);
	*a = (struct fg_args)FG_ARGS_INIT;
}

static void add(struct fg_args *a, struct fg_str word)
{
	char *copy = fg_arena_bytes(&a->text, fg_size_add(word.len, 1));

	if (word.len)
		memcpy(copy, word.ptr, word.len);
	copy[word.len] = '\0';
	FG_GROW(a->items, a->alloc, a->count + 2);
	a->items[a->count++] = copy;
	a->items[a->count] = NULL;
}

void fg_args_add(struct fg_args *a, const char *word)
{
	add(a, fg_str_from(word));
}

void fg_args_addf(struct fg_args *a, const char *format, ...)
{
	struct fg_buf word = FG_BUF_INIT;
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(&word, format, args);
	va_end(args);
	add(a, fg_buf_str(&word));
	fg_buf_release(&word);
}

void fg_args_add_all(struct fg_args *a, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fg_args_add(a, words[i]);
}

void fg_args_join(struct fg_args *a, const struct fg_args *more)
{
	fg_args_add_all(a, (const char *const *)more->items, more->count);
}

static bool is_no_space(char c)
{
	return !fg_is_space(c);
}

void fg_args_split(struct fg_args *a, const char *text)
{
	struct fg_str rest = fg_str_trim_left(fg_str_from(text));

	while (rest.len) {
		size_t len = fg_str_span(rest, is_no_space);

		add(a, fg_str_before(rest, len));
		rest = fg_str_trim_left(fg_str_from_pos(rest, len));
	}
}

/* A shell command while it is split into words. */
struct shell_words {
	struct fg_str rest;
	struct fg_buf word;
	char quote; /* the quotation mark that is open, or 0 */
	bool started; /* there is a word, which may be empty: '' */
};

/* Takes what follows a backslash. Returns false at the end of the command. */
static bool take_escaped(struct shell_words *s)
{
	char c;

	if (!s->rest.len)
		return false;
	c = s->rest.ptr[0];
	if (s->quote && c != '"' && c != '\\')
		fg_buf_add_char(&s->word, '\\');
	fg_buf_add_char(&s->word, c);
	s->rest = fg_str_from_pos(s->rest, 1);
	return true;
}

/* Takes the next character. Returns false if only a shell understands it. */
static bool take(struct shell_words *s)
{
	char c = s->rest.ptr[0];

	s->rest = fg_str_from_pos(s->rest, 1);
	s->started = true;
	if (s->quote == '\'') {
		if (c != '\'')
			fg_buf_add_char(&s->word, c);
		else
			s->quote = 0;
		return true;
	}
	if (strchr(ALWAYS_SPECIAL, c) || (!s->quote && strchr(SPECIAL, c)))
		return false;
	if (c == '\\')
		return take_escaped(s);
	if (c == s->quote)
		s->quote = 0;
	else if (!s->quote && (c == '"' || c == '\''))
		s->quote = c;
	else
		fg_buf_add_char(&s->word, c);
	return true;
}

/* Sets s->word to the next word. Returns false if there is none, or if take() does. */
static bool next_word(struct shell_words *s, bool *understood)
{
	fg_buf_clear(&s->word);
	s->started = false;
	s->rest = fg_str_trim_left(s->rest);
	while (s->rest.len && (s->quote || !fg_is_space(s->rest.ptr[0])))
		if (!take(s)) {
			*understood = false;
			return false;
		}
	*understood &= !s->quote;
	return s->started && *understood;
}

bool fg_args_parse(struct fg_args *a, const char *command)
{
	struct shell_words s = { .rest = fg_str_from(command) };
	bool understood = !fg_str_has_char(s.rest, '\n');
	struct fg_args words = FG_ARGS_INIT;

	while (understood && next_word(&s, &understood))
		add(&words, fg_buf_str(&s.word));
	if (understood)
		fg_args_join(a, &words);
	fg_args_release(&words);
	fg_buf_release(&s.word);
	return understood;
}
