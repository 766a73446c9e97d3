/*
 * Mutations of text: lines are taken out, doubled and copied from elsewhere, and their
 * words become numbers or words of other lines.
 */
#include "tests/fuzz/mutate/random.h"

/* Returns the start of some line. */
static size_t some_line(struct random *r, struct fg_str text)
{
	size_t at = random_below(r, text.len);

	while (at && text.ptr[at - 1] != '\n')
		at--;
	return at;
}

/* Returns a line with its newline. */
static struct fg_str line_at(struct fg_str text, size_t start)
{
	struct fg_str rest = fg_str_from_pos(text, start);

	return fg_str_before(rest, fg_str_find_char(rest, '\n') + 1);
}

static bool ends_word(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == ';' || c == ',' || c == ':' ||
	       c == '(' || c == ')' || c == '"' || c == '=' || c == '<' || c == '>' ||
	       c == '/';
}

/* Returns some word of a text; it may be empty. */
static struct fg_str some_word(struct random *r, struct fg_str text)
{
	size_t start = random_below(r, text.len + 1), end = start;

	while (start && !ends_word(text.ptr[start - 1]))
		start--;
	while (end < text.len && !ends_word(text.ptr[end]))
		end++;
	return fg_str_of(text.ptr + start, end - start);
}

/* Puts the text with a part of it replaced. */
static void put_replaced(struct fg_buf *to, struct fg_str text, struct fg_str part,
			 struct fg_str other)
{
	size_t at = (size_t)(part.ptr - text.ptr);

	fg_buf_add_str(to, fg_str_before(text, at));
	fg_buf_add_str(to, other);
	fg_buf_add_str(to, fg_str_from_pos(text, at + part.len));
}

static void change_word(struct random *r, struct fg_buf *to, struct fg_str text)
{
	struct fg_str word = some_word(r, text);
	struct fg_buf other = FG_BUF_INIT;

	switch (random_below(r, 4)) {
	case 0:
		fg_buf_add_u64(&other, random_number(r));
		break;
	case 1:
		random_bytes(&other, word);
		break;
	default:
		fg_buf_add_str(&other, some_word(r, text));
	}
	put_replaced(to, text, word, fg_buf_str(&other));
	fg_buf_release(&other);
}

static void change_lines(struct random *r, struct fg_buf *to, struct fg_str text)
{
	struct fg_str line = line_at(text, some_line(r, text));
	struct fg_str other = line_at(text, some_line(r, text));
	struct fg_str none = fg_str_of(text.ptr, 0);

	switch (random_below(r, 4)) {
	case 0:
		put_replaced(to, text, line, none);
		break;
	case 1: /* a part from the start of another line on */
		other = fg_str_before(
			fg_str_from_pos(text, (size_t)(other.ptr - text.ptr)),
			random_below(r, 400));
		put_replaced(to, text, fg_str_before(line, 0), other);
		break;
	case 2:
		put_replaced(to, text, fg_str_before(line, 0), other);
		break;
	default:
		put_replaced(to, text, line, other);
	}
}

static void change(struct random *r, struct fg_buf *text)
{
	struct fg_buf changed = FG_BUF_INIT;

	if (!text->len)
		return;
	if (random_one_in(r, 2))
		change_word(r, &changed, fg_buf_str(text));
	else
		change_lines(r, &changed, fg_buf_str(text));
	fg_buf_release(text);
	*text = changed;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_buf whole = FG_BUF_INIT;
	struct random r = { seed };

	random_next(&r);
	random_cut_choice(&r, &input, &whole);
	if (random_one_in(&r, 3) || !input.len) {
		fg_buf_release(&whole);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	random_change(&r, input, change, &whole);
	return random_hand_over(&whole, data, max_size);
}
