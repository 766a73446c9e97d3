/*
 * Recognises profiles of OpenTelemetry: Protocol Buffers, or JSON with
 * "resourceProfiles" or "mappingTable".
 *
 * Protocol Buffers have no magic, so we check that the first tags and lengths fit
 * together, and that there is a byte that text does not have.
 */
#include "lib/base/protobuf.h"
#include "lib/recognize/foreign.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

/* Returns true if the message starts with one of these tags. */
static bool starts_with(struct fg_str message, struct fg_str tags)
{
	return message.len && fg_str_has_char(tags, message.ptr[0]);
}

/* ---- binary */

/* A binary message has a control character among this many first bytes. */
#define TEXT_MAX 256

static bool has_control(struct fg_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] < ' ' && !fg_is_space(s.ptr[i]))
			return true;
	return false;
}

/*
 * Returns true for the tag of a member that may come first in an inner message: member
 * 1 to 8, a number or with a length.
 */
static bool starts_member(char tag)
{
	return (tag % 8 == 0 || tag % 8 == 2) && tag / 8 >= 1 && tag / 8 <= 8;
}

/*
 * Returns true for a ProfilesData of `size` bytes. It starts with its member 1 or 2, a
 * message, which itself starts with a message or a text.
 */
static bool is_message(struct fg_str first_bytes, uint64_t size)
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

bool otlp_is_framed(struct fg_str first_bytes)
{
	uint64_t size = 0;

	if (first_bytes.len < 4 || is_message(first_bytes, UINT64_MAX))
		return false;
	for (size_t i = 0; i < 4; i++)
		size = size << 8 | (unsigned char)first_bytes.ptr[i];
	return is_message(fg_str_before(fg_str_from_pos(first_bytes, 4), size), size);
}

/* ---- JSON */

/*
 * A binary message may start with a line feed, but not with these bytes. The length
 * before a message does not start with them either: it would be half a gigabyte or
 * more.
 */
bool otlp_is_json(struct fg_str first_bytes)
{
	return first_bytes.len &&
	       fg_str_has_char(FG_STR("{[ \xef"), first_bytes.ptr[0]);
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	if (otlp_is_json(first_bytes) &&
	    (fg_str_has(first_bytes, FG_STR("\"resourceProfiles\"")) ||
	     fg_str_has(first_bytes, FG_STR("\"mappingTable\""))))
		return FG_PROBE_YES;
	/* a trace of Perfetto starts with messages in messages, too */
	return (is_message(first_bytes, UINT64_MAX) || otlp_is_framed(first_bytes)) &&
			       !fg_foreign_magic(first_bytes) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_otlp = {
	.name = "otlp",
	.input = "a profile of OpenTelemetry",
	.is_structured = true,
	.is_json = true,
	.is_binary = true,
	.probe = probe,
};
