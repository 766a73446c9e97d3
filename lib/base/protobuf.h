/*
 * Messages of Protocol Buffers in memory, field by field; for how they are encoded see
 * protobuf.dev.
 *
 *     struct fg_proto m = fg_proto_of(bytes);
 *     struct fg_proto_field f;
 *
 *     while (fg_proto_next(&m, &f))
 *         switch (f.tag) {
 *         case FG_PROTO_NUMBER(1): ... f.value
 *         case FG_PROTO_BYTES(2): ... f.bytes
 *         }
 *     if (m.fault) ...
 *
 * A field that is not asked for is passed over, and so is one of another type than
 * expected. Nothing is copied, nothing outside of the bytes is read.
 */
#ifndef FG_LIB_BASE_PROTOBUF_H
#define FG_LIB_BASE_PROTOBUF_H

#include "lib/base/buf.h"

/* What a field starts with: its number, and how it is written. */
#define FG_PROTO_NUMBER(field) ((uint64_t)(field) << 3)
#define FG_PROTO_EIGHT(field) ((uint64_t)(field) << 3 | 1)
#define FG_PROTO_BYTES(field) ((uint64_t)(field) << 3 | 2)
#define FG_PROTO_FOUR(field) ((uint64_t)(field) << 3 | 5)

enum fg_proto_fault {
	FG_PROTO_WHOLE,
	FG_PROTO_CUT, /* it ends in the middle of a field */
	FG_PROTO_WRONG, /* no message is written so */
};

struct fg_proto {
	struct fg_str rest; /* after a fault: from the field on that has it */
	enum fg_proto_fault fault;
};

struct fg_proto_field {
	uint64_t tag;
	uint64_t value; /* of FG_PROTO_NUMBER, _EIGHT and _FOUR */
	/* of FG_PROTO_BYTES: a text, a message, or packed numbers */
	struct fg_str bytes;
};

static inline struct fg_proto fg_proto_of(struct fg_str message)
{
	return (struct fg_proto){ message, FG_PROTO_WHOLE };
}

/* Takes the next field off a message: false at the end, or at a fault. */
bool fg_proto_next(struct fg_proto *m, struct fg_proto_field *field);

/* Cuts a number of several bytes, or none, off `s`; for the next. */
enum fg_proto_fault fg_proto_cut_long(struct fg_str *s, uint64_t *value);

/* Cuts a number off `s`, which stays as it is at a fault. */
static inline enum fg_proto_fault fg_proto_cut(struct fg_str *s, uint64_t *value)
{
	if (!s->len || (unsigned char)s->ptr[0] >= 0x80)
		return fg_proto_cut_long(s, value);
	*value = (unsigned char)s->ptr[0];
	*s = fg_str_of(s->ptr + 1, s->len - 1);
	return FG_PROTO_WHOLE;
}

/*
 * The numbers of a repeated field, which may be packed or not:
 *
 *     case FG_PROTO_NUMBER(1):
 *     case FG_PROTO_BYTES(1):
 *         while (fg_proto_each(&m, &f, &value)) ...
 *
 * A fault in them is one of the message.
 */
static inline bool fg_proto_each(struct fg_proto *m, struct fg_proto_field *field,
				 uint64_t *value)
{
	if ((field->tag & 7) == 2) {
		if (!field->bytes.len)
			return false;
		m->fault = fg_proto_cut(&field->bytes, value);
		return m->fault == FG_PROTO_WHOLE;
	}
	*value = field->value;
	field->tag = FG_PROTO_BYTES(0); /* which has no more */
	field->bytes = fg_str_of(NULL, 0);
	return true;
}

/*
 * Writing: a message is built in a buffer, field by field. A field whose value is 0 or
 * empty is left out, because readers take a missing field for that.
 */

/* Most bytes of one varint. */
#define FG_PROTO_VARINT_MAX 10

/* Seven bits a byte, the lowest first. */
static inline void fg_proto_add_varint(struct fg_buf *b, uint64_t n)
{
	char *end;

	fg_buf_reserve(b, FG_PROTO_VARINT_MAX);
	end = b->ptr + b->len;
	for (; n >= 0x80; n >>= 7)
		*end++ = (char)(unsigned char)(n | 0x80);
	*end++ = (char)n;
	b->len = (size_t)(end - b->ptr);
}

/* An int64 is given as its bits. */
void fg_proto_add_number(struct fg_buf *b, unsigned field, uint64_t n);

/* The same where 0 is not to be left out. */
void fg_proto_add_number_even_0(struct fg_buf *b, unsigned field, uint64_t n);

/* A string, a message or packed numbers. */
void fg_proto_add_bytes(struct fg_buf *b, unsigned field, struct fg_str bytes);

/* The same where what is empty is not to be left out. */
void fg_proto_add_bytes_even_empty(struct fg_buf *b, unsigned field,
				   struct fg_str bytes);

#endif
