/*
 * Makes control characters visible. Every name passes here before it is written, so
 * that it cannot end a line or command a terminal.
 *
 * Control characters are those of ASCII (C0 except the tab, and DEL) and of Unicode
 * (C1, also as single bytes that are not UTF-8), the separators of lines and
 * paragraphs, and the marks that change the direction of text. A line feed becomes \n,
 * and each byte of the others \xHH. See folded(5).
 */
#ifndef FG_LIB_BASE_VISIBLE_H
#define FG_LIB_BASE_VISIBLE_H

#include "lib/base/buf.h"

/* Returns true if `s` has no control characters and can be written as it is. */
bool fg_is_visible(struct fg_str s);

/* Appends `s` with its control characters made visible, which makes it longer. */
void fg_add_visible(struct fg_buf *b, struct fg_str s);

/*
 * Returns `s` with its control characters made visible. If it has any, the result is in
 * `b`, whose old contents are gone; else it is `s` itself.
 */
struct fg_str fg_visible(struct fg_str s, struct fg_buf *b);

#endif
