/*
 * Recognises input that is not text, by its first bytes.
 */
#ifndef FG_LIB_BASE_ENCODING_H
#define FG_LIB_BASE_ENCODING_H

#include "lib/base/str.h"

/*
 * Returns a message about text in UTF-16, "this is UTF-16 text: convert it with iconv
 * ... first". Returns NULL for other bytes. About 100 bytes are enough.
 */
const char *fg_encoding_utf_16(struct fg_str first_bytes);

/*
 * Returns true for binary data. Text that has a few control characters, for example in
 * the name of a thread, is still text.
 */
bool fg_encoding_is_binary(struct fg_str first_bytes);

#endif
