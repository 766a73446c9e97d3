/* Profiles that are messages of Protocol Buffers, which have no mark at their start. */
#include "lib/base/sniff_kinds.h"

#include "lib/base/protobuf.h"

/* A type of values, as "cpu" and "nanoseconds", is two numbers of strings. */
static bool is_value_type(struct fg_str s)
{
	struct fg_proto m = fg_proto_of(s);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f))
		if (f.tag != FG_PROTO_NUMBER(1) && f.tag != FG_PROTO_NUMBER(2))
			return false;
	return s.len && !m.fault;
}

/* Whether a message starts with one of these bytes, which are tags. */
static bool starts_with(struct fg_str message, struct fg_str tags)
{
	return message.len && fg_str_has_char(tags, message.ptr[0]);
}

/*
 * Members 1 and 11 are types of values, and are before all others where Google's code
 * or that of Go's runtime wrote it, but for some numbers. Others have an order of their
 * own; what is looked at of these is in no text.
 */
enum fg_sniffed fg_sniff_pprof(struct fg_str first_bytes)
{
	struct fg_proto m = fg_proto_of(first_bytes);
	enum fg_sniffed found = FG_SNIFFED_NO;
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f)) {
		bool fits = true;

		switch (f.tag) {
		case FG_PROTO_BYTES(1):
		case FG_PROTO_BYTES(11):
			if (is_value_type(f.bytes))
				return FG_SNIFFED_YES;
			fits = !f.bytes.len; /* two times the first string */
			break;
		case FG_PROTO_BYTES(2):
			fits = starts_with(f.bytes, FG_STR("\x0a\x08\x10\x12\x1a"));
			found = FG_SNIFFED_MAYBE;
			break;
		case FG_PROTO_BYTES(3):
		case FG_PROTO_BYTES(4):
		case FG_PROTO_BYTES(5):
			fits = starts_with(f.bytes,
					   found == FG_SNIFFED_NO ?
						   FG_STR("\x08") :
						   FG_STR("\x08\x10\x18\x20\x22\x28"));
			found = FG_SNIFFED_MAYBE;
			break;
		case FG_PROTO_BYTES(6): /* the first is empty */
			fits = found != FG_SNIFFED_NO || !f.bytes.len;
			found = FG_SNIFFED_MAYBE;
			break;
		default: /* numbers and the like, and what later versions have */
			fits = f.tag >= FG_PROTO_NUMBER(7);
		}
		if (!fits)
			return FG_SNIFFED_NO;
	}
	return m.fault == FG_PROTO_WRONG ? FG_SNIFFED_NO : found;
}

/* How much of a text starts without a byte that is in no text. */
#define TEXT_MAX 256

static bool has_control(struct fg_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] < ' ' && !fg_is_space(s.ptr[i]))
			return true;
	return false;
}

/* Messages within those of OpenTelemetry start with a number or bytes, of 1 to 8. */
static bool starts_member(char tag)
{
	return (tag % 8 == 0 || tag % 8 == 2) && tag / 8 >= 1 && tag / 8 <= 8;
}

/*
 * OpenTelemetry's ProfilesData starts with its member 1 or 2, a message, which starts
 * with one, too, or with a text. `size` is that of the whole.
 */
static bool is_otlp(struct fg_str first_bytes, uint64_t size)
{
	struct fg_str s = first_bytes;
	uint64_t tag, outer, inner;
	size_t before;
	bool has_text;

	if (fg_proto_cut(&s, &tag) || fg_proto_cut(&s, &outer) ||
	    (tag != FG_PROTO_BYTES(1) && tag != FG_PROTO_BYTES(2)) ||
	    !has_control(fg_str_before(first_bytes, TEXT_MAX)))
		return false;
	before = s.len;
	has_text = s.len && fg_str_has_char(tag == FG_PROTO_BYTES(1) ? FG_STR("\x1a") :
								       FG_STR("\x2a"),
					    s.ptr[0]);
	if (outer > size - (first_bytes.len - before) ||
	    !starts_with(s, FG_STR("\x0a\x12\x1a\x22\x2a\x32\x3a")) ||
	    fg_proto_cut(&s, &tag) || fg_proto_cut(&s, &inner))
		return false;
	return inner + (before - s.len) <= outer &&
	       (has_text || !inner || !s.len || starts_member(s.ptr[0]));
}

bool fg_sniff_otlp_framed(struct fg_str first_bytes)
{
	uint64_t size = 0;

	if (first_bytes.len < 4 || is_otlp(first_bytes, UINT64_MAX))
		return false;
	for (size_t i = 0; i < 4; i++)
		size = size << 8 | (unsigned char)first_bytes.ptr[i];
	return is_otlp(fg_str_before(fg_str_from_pos(first_bytes, 4), size), size);
}

enum fg_sniffed fg_sniff_otlp(struct fg_str first_bytes)
{
	return is_otlp(first_bytes, UINT64_MAX) || fg_sniff_otlp_framed(first_bytes) ?
		       FG_SNIFFED_YES :
		       FG_SNIFFED_NO;
}
