/*
 * What stands before every line of a text that was quoted, logged or indented:
 * "> ", "[info] ", "web_1  | ", "2024-05-06 07:08:09,123 ", four blanks.
 */
#ifndef FG_LIB_BASE_LINE_PREFIX_H
#define FG_LIB_BASE_LINE_PREFIX_H

#include "lib/base/buf.h"

/* A zeroed struct is one that is empty. */
struct fg_line_prefix {
	struct fg_buf text;
	size_t words; /* its length without the blanks at its end */
};

void fg_line_prefix_release(struct fg_line_prefix *p);

/*
 * Takes the first `length` bytes of a line as the prefix of the next ones, if they look
 * like one: they are 1,024 at most, no word of a sentence ends them, an escape of a
 * colour may, and nothing in them is quoted or assigned.
 */
bool fg_line_prefix_set(struct fg_line_prefix *p, struct fg_str line, size_t length);

/*
 * A line without what may quote it, as "> " in mail, four blanks in Markdown, "-- " in
 * the comment of a program.
 */
struct fg_str fg_line_prefix_skip_quote(struct fg_str line);

/* Takes what may quote a line as the prefix of the next ones; it may be nothing. */
void fg_line_prefix_set_quote(struct fg_line_prefix *p, struct fg_str line);

/*
 * Returns a line without the "^C" that a terminal puts before it when Ctrl-C makes a
 * profiler print its stacks.
 */
struct fg_str fg_line_skip_interrupt(struct fg_str line);

/*
 * Cuts the prefix, whose numbers may differ, off a line; one of the prefix alone may
 * lack its last blanks. Whether there is a prefix and the line had it.
 */
bool fg_line_prefix_cut(const struct fg_line_prefix *p, struct fg_str *line);

#endif
