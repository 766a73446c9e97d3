/*
 * Recognises eu-stack: a thread's line and its first frame. gdb's frames look alike, so
 * we tell the two apart by the text after the address.
 *
 *     TID 4242:
 *     #0  0x00007f12d2d14a47 wait4 - /usr/lib/x86_64-linux-gnu/libc.so.6
 */
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

/* Returns the offset of the last `word` in `text`, or text.len. */
static size_t rfind(struct fg_str text, struct fg_str word)
{
	for (size_t at = text.len; at-- > 0;)
		if (fg_str_starts(fg_str_from_pos(text, at), word))
			return at;
	return text.len;
}

struct fg_str elfutils_cut_place(struct fg_str text, struct fg_str *module)
{
	size_t at = rfind(text, FG_STR(" at ")), from = rfind(text, FG_STR(" from /"));

	*module = fg_str_from_pos(text, from + strlen(" from "));
	return fg_str_before(text, at < from ? at : from);
}

size_t elfutils_read_start(struct fg_str line, bool *is_leaf)
{
	struct fg_str rest = fg_str_from_pos(line, 1);
	size_t number = fg_str_span(rest, fg_is_digit), digits;

	*is_leaf = number == 1 && rest.ptr[0] == '0';
	rest = fg_str_trim_left(fg_str_from_pos(rest, number));
	if (!number || line.ptr[0] != '#' || !fg_str_starts(rest, FG_STR("0x")))
		return 0;
	rest = fg_str_from_pos(rest, 2);
	digits = fg_str_span(rest, fg_is_hex);
	return digits ? (size_t)(rest.ptr + digits - line.ptr) : 0;
}

static bool is_quote(char c)
{
	return fg_is_blank(c) || c == '>';
}

/* Rows that matter have no blank of their own at the start, so we skip all blanks. */
struct fg_str elfutils_skip_quote(struct fg_str line)
{
	return fg_str_from_pos(line, fg_str_span(line, is_quote));
}

/* Returns true for gdb's "main (argc=1)", but false for "f(int)", a name of C++. */
static bool has_arguments(struct fg_str name)
{
	size_t at = name.len, depth = 0;

	if (!fg_str_ends(name, FG_STR(")")))
		return false;
	do {
		at--;
		depth += name.ptr[at] == ')';
		depth -= name.ptr[at] == '(';
	} while (at && depth);
	return at && name.ptr[at - 1] == ' ';
}

/*
 * Returns true if gdb broke the frame into two lines, because the terminal is narrow.
 */
static bool is_wrapped(struct fg_str text)
{
	size_t open = 0, closed = 0;

	for (size_t i = 0; i < text.len; i++) {
		open += text.ptr[i] == '(';
		closed += text.ptr[i] == ')';
	}
	return open > closed || fg_str_ends(text, FG_STR(" in")) ||
	       fg_str_ends(text, FG_STR(" at")) || fg_str_ends(text, FG_STR(" from"));
}

/* Returns true for a frame of coredumpctl, "poll (libc.so.6 + 0x10d9f6)". */
static bool is_coredumpctl(struct fg_str text)
{
	return fg_str_ends(text, FG_STR(")")) && fg_str_has(text, FG_STR(" + 0x"));
}

/*
 * Returns true if eu-stack, and not gdb or coredumpctl, wrote the text after a leaf's
 * address.
 */
static bool is_leaf_text(struct fg_str text)
{
	struct fg_str module;

	text = fg_str_trim_right(text);
	if (is_wrapped(text) || is_coredumpctl(text))
		return false;
	return !fg_str_cut_start(&text, FG_STR(" in ")) ||
	       !has_arguments(elfutils_cut_place(text, &module));
}

static bool is_thread(struct fg_str line)
{
	return (fg_str_starts(line, FG_STR("TID ")) ||
		(fg_str_starts(line, FG_STR("Thread ")) &&
		 fg_str_has(line, FG_STR(" (LWP ")))) &&
	       fg_str_ends(fg_str_trim_right(line), FG_STR(":"));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_frame = false, any_thread = false;

	while (rest.len) {
		struct fg_str line = elfutils_skip_quote(fg_str_cut(&rest, '\n'));
		bool is_leaf;
		size_t start = elfutils_read_start(line, &is_leaf);

		if (fg_str_has(line, FG_STR("Sanitizer: ")))
			return FG_PROBE_NO; /* the stack of an error, not of a thread */
		any_frame |=
			start && is_leaf && is_leaf_text(fg_str_from_pos(line, start));
		any_thread |= is_thread(line);
	}
	return !any_frame ? FG_PROBE_NO : any_thread ? FG_PROBE_YES : FG_PROBE_MAYBE;
}

const struct fg_kind fg_kind_elfutils = {
	.name = "elfutils",
	.input = "the output of eu-stack",
	.probe = probe,
};
