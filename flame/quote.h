/* Writes words as one has to type them into a shell. Only what we print needs it. */
#ifndef FG_FLAME_QUOTE_H
#define FG_FLAME_QUOTE_H

#include "lib/base/buf.h"

/* Appends the word, in quotation marks if it needs them. */
void fg_quote(struct fg_buf *text, const char *word);

/* Appends `count` words with a space between them. */
void fg_quote_all(struct fg_buf *text, const char *const *words, size_t count);

#endif
