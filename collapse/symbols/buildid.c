/* Build ids: compares and prints them, and finds one among ELF notes (elf(5)). */
#include "collapse/symbols/buildid.h"

#include "collapse/symbols/cursor.h"

#define NOTE_GNU_BUILD_ID 3

void fg_build_id_set(struct fg_build_id *id, struct fg_str bytes)
{
	memset(id, 0, sizeof(*id));
	id->len = bytes.len < FG_BUILD_ID_MAX ? bytes.len : FG_BUILD_ID_MAX;
	if (id->len)
		memcpy(id->bytes, bytes.ptr, id->len);
}

/*
 * Compares the zeros after the ids, too, not their lengths: old recordings have no
 * length and pad an id with zeros.
 */
bool fg_build_id_eq(const struct fg_build_id *a, const struct fg_build_id *b)
{
	return !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

void fg_build_id_add(struct fg_buf *text, const struct fg_build_id *id, char slash)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < id->len; i++) {
		fg_buf_add_char(text, digits[id->bytes[i] >> 4]);
		fg_buf_add_char(text, digits[id->bytes[i] & 15]);
		if (!i && slash)
			fg_buf_add_char(text, slash);
	}
}

static uint64_t padded(uint32_t len)
{
	return ((uint64_t)len + 3) / 4 * 4;
}

bool fg_build_id_from_notes(struct fg_build_id *id, struct fg_str notes)
{
	struct fg_cursor c = fg_cursor(notes);

	while (fg_cursor_left(&c)) {
		uint32_t name_len = fg_cursor_u32(&c), len = fg_cursor_u32(&c);
		uint32_t type = fg_cursor_u32(&c);
		struct fg_str name = fg_cursor_bytes(&c, padded(name_len));
		struct fg_str desc = fg_cursor_bytes(&c, len);

		if (c.bad)
			break;
		if (type == NOTE_GNU_BUILD_ID && len &&
		    fg_str_eq(fg_str_before(name, name_len), fg_str_of("GNU", 4))) {
			fg_build_id_set(id, desc);
			return true;
		}
		if (fg_cursor_left(&c))
			fg_cursor_skip(&c, padded(len) - len);
	}
	return false;
}
