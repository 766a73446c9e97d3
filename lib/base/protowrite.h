/*
 * Writes messages of Protocol Buffers, field by field; protobuf.h reads them.
 *
 * A field whose value is 0 or empty is left out, as readers take it for that.
 */
#ifndef FG_LIB_BASE_PROTOWRITE_H
#define FG_LIB_BASE_PROTOWRITE_H

#include "lib/base/buf.h"

/* Most bytes of one varint. */
#define FG_PROTOBUF_VARINT_MAX 10

/* Seven bits a byte, the lowest first. */
static inline void fg_protobuf_varint(struct fg_buf *b, uint64_t n)
{
	char *end;

	fg_buf_reserve(b, FG_PROTOBUF_VARINT_MAX);
	end = b->ptr + b->len;
	for (; n >= 0x80; n >>= 7)
		*end++ = (char)(unsigned char)(n | 0x80);
	*end++ = (char)n;
	b->len = (size_t)(end - b->ptr);
}

/* An int64 is given as its bits. */
void fg_protobuf_number(struct fg_buf *b, unsigned field, uint64_t n);

/* The same where 0 is not to be left out. */
void fg_protobuf_number_even_0(struct fg_buf *b, unsigned field, uint64_t n);

/* A string, a message or packed numbers. */
void fg_protobuf_bytes(struct fg_buf *b, unsigned field, struct fg_str bytes);

/* The same where what is empty is not to be left out. */
void fg_protobuf_bytes_even_empty(struct fg_buf *b, unsigned field,
				  struct fg_str bytes);

#endif
