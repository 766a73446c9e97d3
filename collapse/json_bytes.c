/* Blocks of JSON, where the cursor is in them, and strings with escapes. */
#include "collapse/json_bytes.h"

#include "lib/base/utf8.h"

/* ---- blocks */

/* How many of the bytes end a line; the last of them goes to *last. */
static uint64_t count_lines(const char *at, const char *end, const char **last)
{
	const char *start = at;
	uint64_t count = 0;

	for (; end - at >= 8; at += 8)
		count += (json_zeros(json_eight_at(at) ^ JSON_EIGHT('\n')) >> 7) *
				 JSON_EIGHT(1) >>
			 56;
	for (; at < end; at++)
		count += *at == '\n';
	for (*last = end; count && *last > start && *--*last != '\n';)
		;
	return count;
}

void json_place(const struct json_bytes *b, uint64_t *line, uint64_t *column)
{
	const char *last;
	uint64_t count = count_lines(b->block, b->at, &last);

	*column = count ? (uint64_t)(b->at - last - 1) :
			  b->columns + (uint64_t)(b->at - b->block);
	*line = b->lines + count;
}

bool json_refill(struct json_bytes *b)
{
	struct fg_block block;
	int status;

	if (!b->reader)
		return false;
	json_place(b, &b->lines, &b->columns);
	do
		status = fg_reader_more(b->reader, &block);
	while (status > 0 && !block.bytes.len);
	if (status > 0) {
		b->block = b->at = block.bytes.ptr;
		b->end = b->at + block.bytes.len;
		return true;
	}
	b->reader = NULL;
	b->failed = status < 0;
	b->block = b->at = b->end; /* of which nothing is read */
	return false;
}

/* ---- strings */

/* A string as far as it is read. */
struct joining {
	struct fg_buf *text;
	uint32_t half; /* the first half of a pair of \u escapes, or 0 */
};

/* A first half that no second one follows. */
static void end_half(struct joining *s)
{
	if (s->half)
		fg_utf8_add(s->text, FG_UTF8_REPLACEMENT);
	s->half = 0;
}

static void add_unit(struct joining *s, uint32_t unit)
{
	if (s->half && unit >= 0xdc00 && unit < 0xe000) {
		fg_utf8_add(s->text,
			    0x10000 + ((s->half - 0xd800) << 10) + (unit - 0xdc00));
		s->half = 0;
		return;
	}
	end_half(s);
	if (unit >= 0xd800 && unit < 0xdc00)
		s->half = unit;
	else if (unit >= 0xdc00 && unit < 0xe000)
		fg_utf8_add(s->text, FG_UTF8_REPLACEMENT);
	else
		fg_utf8_add(s->text, unit);
}

/* Behind "\u". */
static bool decode_unicode(struct json_bytes *b, struct joining *s)
{
	uint32_t unit = 0;

	for (size_t i = 0; i < 4; i++) {
		int c = json_peek(b);

		if (c == JSON_NOTHING || !fg_is_hex((char)c))
			return false;
		unit = unit << 4 | fg_hex_digit((char)c);
		b->at++;
	}
	add_unit(s, unit);
	return true;
}

/* The backslash has been read. */
static bool decode_escape(struct json_bytes *b, struct joining *s)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	int c = json_peek(b);
	const char *found = c > 0 ? strchr(letters, c) : NULL;

	if (c == 'u') {
		b->at++;
		return decode_unicode(b, s);
	}
	if (!found)
		return false;
	end_half(s);
	fg_buf_add_char(s->text, bytes[found - letters]);
	b->at++;
	return true;
}

const char *json_join_string(struct json_bytes *b, struct fg_buf *joined)
{
	struct joining s = { joined, 0 };

	fg_buf_clear(joined);
	fg_buf_reserve(joined, 1); /* an empty one has a place, too */
	while (joined->len <= JSON_TOKEN_MAX) {
		const char *special = json_find_special(b->at, b->end);

		if (special > b->at) {
			end_half(&s);
			fg_buf_add(joined, b->at, (size_t)(special - b->at));
			b->at = special;
		}
		switch (json_peek(b)) {
		case JSON_NOTHING:
			return "a string that does not end";
		case '"':
			end_half(&s);
			b->at++;
			return NULL;
		case '\\':
			b->at++;
			if (!decode_escape(b, &s))
				return "no escape of JSON";
			break;
		default:
			break;
		}
	}
	return "a string of more than 256 MiB";
}
