/* Fields of protocol buffers: a tag, then a varint or a length and bytes. */
#include "lib/base/protowrite.h"

enum wire { VARINT = 0, LENGTH = 2 };

static void add_tag(struct fg_buf *b, unsigned field, enum wire wire)
{
	fg_protobuf_varint(b, (uint64_t)field << 3 | (uint64_t)wire);
}

void fg_protobuf_number_even_0(struct fg_buf *b, unsigned field, uint64_t n)
{
	add_tag(b, field, VARINT);
	fg_protobuf_varint(b, n);
}

void fg_protobuf_number(struct fg_buf *b, unsigned field, uint64_t n)
{
	if (n)
		fg_protobuf_number_even_0(b, field, n);
}

void fg_protobuf_bytes_even_empty(struct fg_buf *b, unsigned field, struct fg_str bytes)
{
	add_tag(b, field, LENGTH);
	fg_protobuf_varint(b, bytes.len);
	fg_buf_add_str(b, bytes);
}

void fg_protobuf_bytes(struct fg_buf *b, unsigned field, struct fg_str bytes)
{
	if (bytes.len)
		fg_protobuf_bytes_even_empty(b, field, bytes);
}
