/* Reads and writes messages of Protocol Buffers in memory, field by field. */
#include "lib/base/protobuf.h"

/*
 * The most bytes of a varint, which has seven bits a byte. Writers may pad it up to
 * this length.
 */
#define NUMBER_MAX 10

enum fg_proto_fault fg_proto_cut_long(struct fg_str *s, uint64_t *value)
{
	uint64_t number = 0;

	for (size_t i = 0; i < NUMBER_MAX; i++) {
		unsigned char c;

		if (i == s->len)
			return FG_PROTO_CUT;
		c = (unsigned char)s->ptr[i];
		number |= (uint64_t)(c & 0x7f) << (7 * i);
		if (c < 0x80) {
			*value = number;
			*s = fg_str_from_pos(*s, i + 1);
			return FG_PROTO_WHOLE;
		}
	}
	return FG_PROTO_WRONG;
}

/* Cuts a number of `size` bytes off, the lowest byte first. */
static enum fg_proto_fault cut_fixed(struct fg_str *s, size_t size, uint64_t *value)
{
	if (s->len < size)
		return FG_PROTO_CUT;
	*value = 0;
	for (size_t i = size; i-- > 0;)
		*value = *value << 8 | (unsigned char)s->ptr[i];
	*s = fg_str_from_pos(*s, size);
	return FG_PROTO_WHOLE;
}

static enum fg_proto_fault cut_bytes(struct fg_str *s, struct fg_str *bytes)
{
	uint64_t len;
	enum fg_proto_fault fault = fg_proto_cut(s, &len);

	if (fault)
		return fault;
	if (len > s->len)
		return FG_PROTO_CUT;
	*bytes = fg_str_before(*s, (size_t)len);
	*s = fg_str_from_pos(*s, (size_t)len);
	return FG_PROTO_WHOLE;
}

static enum fg_proto_fault cut_field(struct fg_str *s, struct fg_proto_field *field)
{
	enum fg_proto_fault fault = fg_proto_cut(s, &field->tag);

	if (fault)
		return fault;
	if (!(field->tag >> 3))
		return FG_PROTO_WRONG;
	field->value = 0;
	field->bytes = fg_str_of(NULL, 0);
	switch (field->tag & 7) {
	case 0:
		return fg_proto_cut(s, &field->value);
	case 1:
		return cut_fixed(s, 8, &field->value);
	case 2:
		return cut_bytes(s, &field->bytes);
	case 5:
		return cut_fixed(s, 4, &field->value);
	default: /* groups, which are obsolete, or an unknown wire type */
		return FG_PROTO_WRONG;
	}
}

bool fg_proto_next(struct fg_proto *m, struct fg_proto_field *field)
{
	struct fg_str rest = m->rest;

	if (!rest.len || m->fault)
		return false;
	m->fault = cut_field(&rest, field);
	if (m->fault)
		return false;
	m->rest = rest;
	return true;
}

/* ---- writing */

enum wire { VARINT = 0, LENGTH = 2 };

static void add_tag(struct fg_buf *b, unsigned field, enum wire wire)
{
	fg_proto_add_varint(b, (uint64_t)field << 3 | (uint64_t)wire);
}

void fg_proto_add_number_even_0(struct fg_buf *b, unsigned field, uint64_t n)
{
	add_tag(b, field, VARINT);
	fg_proto_add_varint(b, n);
}

void fg_proto_add_number(struct fg_buf *b, unsigned field, uint64_t n)
{
	if (n)
		fg_proto_add_number_even_0(b, field, n);
}

void fg_proto_add_bytes_even_empty(struct fg_buf *b, unsigned field,
				   struct fg_str bytes)
{
	add_tag(b, field, LENGTH);
	fg_proto_add_varint(b, bytes.len);
	fg_buf_add_str(b, bytes);
}

void fg_proto_add_bytes(struct fg_buf *b, unsigned field, struct fg_str bytes)
{
	if (bytes.len)
		fg_proto_add_bytes_even_empty(b, field, bytes);
}
