/*
 * Base64 (RFC 4648), in lines.
 */
#ifndef FG_LIB_BASE_BASE64_H
#define FG_LIB_BASE_BASE64_H

#include "lib/base/out.h"

/* How many bytes fit into `size` characters, line breaks included. */
size_t fg_base64_fits(size_t size);

/* Writes `bytes`, padded. */
void fg_base64_write(struct fg_out *o, struct fg_str bytes);

/* A decoder, which is given the text in parts of any size. A zeroed one is ready. */
struct fg_base64 {
	uint32_t bits;
	unsigned digits; /* in `bits`: 0 to 3 */
	unsigned padding; /* how many '=' there were */
};

/*
 * Appends what `text` stands for to `out`. White space is skipped. Returns 0, or -1
 * where another byte is met, or anything after the padding.
 */
int fg_base64_read(struct fg_base64 *d, struct fg_str text, struct fg_buf *out);

/* At the end of the text: 0, or -1 where it is cut or its padding is wrong. */
int fg_base64_end(const struct fg_base64 *d);

#endif
