/*
 * Reads and writes messages of Protocol Buffers in memory, field by field. protobuf.dev
 * describes the encoding. To read a message:
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
 * Fields that the switch does not name are skipped, and so are fields of another type
 * than expected. Nothing is copied, and no byte outside of the message is read. To
 * write a message, see fg_proto_add_number() below.
 */
#ifndef FG_LIB_BASE_PROTOBUF_H
#define FG_LIB_BASE_PROTOBUF_H

#include "lib/base/buf.h"

/* The tag that a field starts with: its number, and the type of its value. */
#define FG_PROTO_NUMBER(field) ((uint64_t)(field) << 3)
#define FG_PROTO_EIGHT(field) ((uint64_t)(field) << 3 | 1)
#define FG_PROTO_BYTES(field) ((uint64_t)(field) << 3 | 2)
#define FG_PROTO_FOUR(field) ((uint64_t)(field) << 3 | 5)

enum fg_proto_fault {
	FG_PROTO_WHOLE,
	FG_PROTO_CUT, /* the bytes end in the middle of a field */
	FG_PROTO_WRONG, /* the bytes are not a message */
};

struct fg_proto {
	/*
	 * the fields that are not read yet; after a fault it starts at the faulty field
	 */
	struct fg_str rest;
	enum fg_proto_fault fault;
};

struct fg_proto_field {
	uint64_t tag;
	uint64_t value; /* for FG_PROTO_NUMBER, _EIGHT and _FOUR */
	struct fg_str bytes; /* for FG_PROTO_BYTES: text, a message or packed numbers */
};

static inline struct fg_proto fg_proto_of(struct fg_str message)
{
	return (struct fg_proto){ message, FG_PROTO_WHOLE };
}

/* Takes the next field off a message. Returns false at the end, or at a fault. */
bool fg_proto_next(struct fg_proto *m, struct fg_proto_field *field);

/*
 * The slow part of fg_proto_cut(), for numbers of several bytes and for an empty `s`.
 */
enum fg_proto_fault fg_proto_cut_long(struct fg_str *s, uint64_t *value);

/*
 * Cuts a varint off the start of `s`. Returns FG_PROTO_WHOLE, or a fault and then
 * leaves `s` as it is.
 */
static inline enum fg_proto_fault fg_proto_cut(struct fg_str *s, uint64_t *value)
{
	if (!s->len || (unsigned char)s->ptr[0] >= 0x80)
		return fg_proto_cut_long(s, value);
	*value = (unsigned char)s->ptr[0];
	*s = fg_str_of(s->ptr + 1, s->len - 1);
	return FG_PROTO_WHOLE;
}

/*
 * Takes the next number of a repeated field, which may be packed or not. Returns false
 * after the last one:
 *
 *     case FG_PROTO_NUMBER(1):
 *     case FG_PROTO_BYTES(1):
 *         while (fg_proto_each(&m, &f, &value)) ...
 *
 * A fault in the numbers also ends the loop, and sets m->fault.
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
	field->tag = FG_PROTO_BYTES(0); /* so the next call finds no more */
	field->bytes = fg_str_of(NULL, 0);
	return true;
}

/*
 * To write a message, append its fields to a buffer. A field whose value is 0 or empty
 * is left out, because readers treat a missing field like that.
 */

/* The most bytes of a varint. */
#define FG_PROTO_VARINT_MAX 10

/* Appends a number without a tag: seven bits a byte, the lowest first. */
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

/* Appends a field with a number. For an int64, pass its bits. */
void fg_proto_add_number(struct fg_buf *b, unsigned field, uint64_t n);

/* Like fg_proto_add_number(), but does not leave out 0. */
void fg_proto_add_number_even_0(struct fg_buf *b, unsigned field, uint64_t n);

/* Appends a field with a string, a message or packed numbers. */
void fg_proto_add_bytes(struct fg_buf *b, unsigned field, struct fg_str bytes);

/* Like fg_proto_add_bytes(), but does not leave out empty bytes. */
void fg_proto_add_bytes_even_empty(struct fg_buf *b, unsigned field,
				   struct fg_str bytes);

#endif
