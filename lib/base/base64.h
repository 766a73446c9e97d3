/*
 * Base64 (RFC 4648), in lines.
 */
#ifndef FG_LIB_BASE_BASE64_H
#define FG_LIB_BASE_BASE64_H

#include "lib/base/out.h"

/* Returns how many bytes can be encoded in `size` characters, including line breaks. */
size_t fg_base64_fits(size_t size);

/* Writes `bytes` in lines, with '=' at the end if needed. */
void fg_base64_write(struct fg_out *o, struct fg_str bytes);

/* A decoder for text in parts of any size. A zeroed one is ready to use. */
struct fg_base64 {
	uint32_t bits;
	unsigned digits; /* number of digits in `bits`, 0 to 3 */
	unsigned padding; /* number of '=' so far */
};

/*
 * Decodes `text` and appends the bytes to `out`. Skips white space. Returns 0, or -1 at
 * a byte that is not Base64, or at a digit after the padding.
 */
int fg_base64_read(struct fg_base64 *d, struct fg_str text, struct fg_buf *out);

/* Ends the text. Returns 0, or -1 if it is cut or its padding is wrong. */
int fg_base64_end(const struct fg_base64 *d);

#endif
