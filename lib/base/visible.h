/*
 * The gate that every name passes before it is written: what would end a line, or what
 * a terminal would obey, is made visible.
 *
 * Those are the control characters of ASCII (C0 but the tab, and DEL) and of Unicode
 * (C1, also as single bytes that are no UTF-8), the separators of lines and paragraphs,
 * and what turns the direction of text. A line feed is written as \n, and of all others
 * each byte as \xHH. See folded(5).
 */
#ifndef FG_LIB_BASE_VISIBLE_H
#define FG_LIB_BASE_VISIBLE_H

#include "lib/base/buf.h"

/* Whether there is none of them, so that `s` may be written as it is. */
bool fg_is_visible(struct fg_str s);

/* Appends `s` with each of them made visible, by which it gets longer. */
void fg_add_visible(struct fg_buf *b, struct fg_str s);

/*
 * `s` as the above makes it: `s` itself where it is visible, else made in `b`, of which
 * what was there is gone.
 */
struct fg_str fg_visible(struct fg_str s, struct fg_buf *b);

#endif
