/*
 * Skips the prefix of every line in a text that was quoted, logged or indented: "> ",
 * "[info] ", "web_1  | ", "2024-05-06 07:08:09,123 ", four spaces.
 *
 * If a grammar finds the first line of a profile in the middle of a line, it calls
 * fg_line_prefix_set() with that offset, and fg_line_prefix_cut() for each later line.
 */
#ifndef FG_LIB_BASE_LINE_PREFIX_H
#define FG_LIB_BASE_LINE_PREFIX_H

#include "lib/base/buf.h"

/* A zeroed struct is empty. */
struct fg_line_prefix {
	struct fg_buf text;
	size_t words; /* length of `text`, not counting the spaces at its end */
};

void fg_line_prefix_release(struct fg_line_prefix *p);

/*
 * Makes the first `length` bytes of a line the prefix of the next lines. Returns false
 * if they do not look like a prefix. A prefix has at most 1,024 bytes, no '"' and no
 * '=', and does not end in a word of a sentence. It may end in the escape of a colour.
 */
bool fg_line_prefix_set(struct fg_line_prefix *p, struct fg_str line, size_t length);

/*
 * Returns a line without the marks that may quote it, such as "> " in mail, four spaces
 * in Markdown, "-- " in the comment of a program.
 */
struct fg_str fg_line_prefix_skip_quote(struct fg_str line);

/*
 * Makes the marks that quote this line the prefix of the next lines. There may be none;
 * the prefix is then empty.
 */
void fg_line_prefix_set_quote(struct fg_line_prefix *p, struct fg_str line);

/*
 * Returns a line without the "^C" that a terminal puts before it when Ctrl-C makes a
 * profiler print its stacks.
 */
struct fg_str fg_line_skip_interrupt(struct fg_str line);

/*
 * Cuts the prefix off a line. Numbers in the prefix may differ from line to line, and a
 * line with nothing after the prefix may lack the prefix's trailing spaces. Returns
 * false if no prefix is set or the line does not have it.
 */
bool fg_line_prefix_cut(const struct fg_line_prefix *p, struct fg_str *line);

#endif
