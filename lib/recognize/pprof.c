/*
 * Recognises profiles of pprof. They are Protocol Buffers, which have no magic, so we
 * check the members at the start.
 */
#include "lib/base/protobuf.h"
#include "lib/recognize/recognize.h"

/*
 * Returns true for a type of values, which is two indexes of strings, like "cpu" and
 * "nanoseconds".
 */
static bool is_value_type(struct fg_str s)
{
	struct fg_proto m = fg_proto_of(s);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f))
		if (f.tag != FG_PROTO_NUMBER(1) && f.tag != FG_PROTO_NUMBER(2))
			return false;
	return s.len && !m.fault;
}

/* Returns true if the message starts with one of these tags. */
static bool starts_with(struct fg_str message, struct fg_str tags)
{
	return message.len && fg_str_has_char(tags, message.ptr[0]);
}

/*
 * Members 1 and 11 are types of values. Google's code and Go's runtime write them
 * before all others, except for some numbers. Other programs write them in another
 * order. In that case we check bytes that text does not have.
 */
static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_proto m = fg_proto_of(first_bytes);
	enum fg_probe found = FG_PROBE_NO;
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f)) {
		bool fits = true;

		switch (f.tag) {
		case FG_PROTO_BYTES(1):
		case FG_PROTO_BYTES(11):
			if (is_value_type(f.bytes))
				return FG_PROBE_YES;
			fits = !f.bytes.len; /* both indexes are 0 */
			break;
		case FG_PROTO_BYTES(2):
			fits = starts_with(f.bytes, FG_STR("\x0a\x08\x10\x12\x1a"));
			found = FG_PROBE_MAYBE;
			break;
		case FG_PROTO_BYTES(3):
		case FG_PROTO_BYTES(4):
		case FG_PROTO_BYTES(5):
			fits = starts_with(f.bytes,
					   found == FG_PROBE_NO ?
						   FG_STR("\x08") :
						   FG_STR("\x08\x10\x18\x20\x22\x28"));
			found = FG_PROBE_MAYBE;
			break;
		case FG_PROTO_BYTES(6): /* the first string is empty */
			fits = found != FG_PROBE_NO || !f.bytes.len;
			found = FG_PROBE_MAYBE;
			break;
		default: /* numbers, and members of later versions */
			fits = f.tag >= FG_PROTO_NUMBER(7);
		}
		if (!fits)
			return FG_PROBE_NO;
	}
	return m.fault == FG_PROTO_WRONG ? FG_PROBE_NO : found;
}

const struct fg_kind fg_kind_pprof = {
	.name = "pprof",
	.input = "a profile of pprof",
	.is_structured = true,
	.is_binary = true,
	.probe = probe,
};
