/* Escapes text for XML. */
#include "lib/svg/xml.h"

#include "lib/base/number.h"
#include "lib/base/utf8.h"

/* U+FFFD, for characters that XML cannot have. */
static const struct fg_str replacement = FG_STR_INIT("\xef\xbf\xbd");

/*
 * Returns true for bytes that need no escaping anywhere: printable ASCII except & < >
 * ".
 */
static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"';
}

static void add_special(struct fg_out *o, char c)
{
	switch (c) {
	case '&':
		fg_out_add_str(o, FG_STR("&amp;"));
		break;
	case '<':
		fg_out_add_str(o, FG_STR("&lt;"));
		break;
	case '>':
		fg_out_add_str(o, FG_STR("&gt;"));
		break;
	case '"':
		fg_out_add_str(o, FG_STR("&quot;"));
		break;
	default: /* white space, which XML readers would change in an attribute */
		fg_out_addf(o, "&#%d;", c);
	}
}

static bool is_special(struct fg_utf8_char c, bool in_attribute)
{
	if (c.code == '\t' || c.code == '\n' || c.code == '\r')
		return in_attribute;
	return c.code == '&' || c.code == '<' || c.code == '>' || c.code == '"';
}

static size_t plain_length(struct fg_str s)
{
	size_t plain = 0;

	while (plain < s.len && is_plain(s.ptr[plain]))
		plain++;
	return plain;
}

static void add_text(struct fg_out *o, struct fg_str s, bool in_attribute)
{
	while (s.len) {
		size_t plain = plain_length(s);
		struct fg_utf8_char c;

		fg_out_add(o, s.ptr, plain);
		s = fg_str_from_pos(s, plain);
		if (!s.len)
			return;
		c = fg_utf8_first(s);
		if (is_special(c, in_attribute))
			add_special(o, s.ptr[0]);
		else if (fg_utf8_is_xml(c))
			fg_out_add(o, s.ptr, c.len);
		else
			fg_out_add_str(o, replacement);
		s = fg_str_from_pos(s, c.len);
	}
}

void fg_xml_text(struct fg_out *o, struct fg_str s)
{
	add_text(o, s, false);
}

struct fg_str fg_xml_escaped(struct fg_str s, struct fg_arena *arena)
{
	struct fg_out memory;
	struct fg_str escaped;

	if (plain_length(s) == s.len)
		return s;
	fg_out_init_memory(&memory);
	fg_xml_text(&memory, s);
	escaped = fg_arena_copy(arena, fg_buf_str(&memory.buf));
	fg_out_close(&memory);
	return escaped;
}

void fg_xml_attr(struct fg_out *o, const char *name, struct fg_str value)
{
	fg_out_addf(o, " %s=\"", name);
	add_text(o, value, true);
	fg_out_add_char(o, '"');
}

void fg_xml_attr_u64(struct fg_out *o, const char *name, uint64_t value)
{
	fg_out_addf(o, " %s=\"", name);
	fg_out_add_u64(o, value);
	fg_out_add_char(o, '"');
}

void fg_xml_attr_text(struct fg_out *o, const char *name, const char *value)
{
	fg_xml_attr(o, name, fg_str_from(value));
}

void fg_xml_attr_number(struct fg_out *o, const char *name, double value)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_add_number(&text, value);
	fg_xml_attr(o, name, fg_buf_str(&text));
	fg_buf_release(&text);
}

void fg_xml_attr_real(struct fg_out *o, const char *name, double value)
{
	fg_out_addf(o, " %s=\"%.15g\"", name, value);
}

void fg_xml_comment(struct fg_out *o, struct fg_str s)
{
	bool dash = false;

	while (s.len) {
		struct fg_utf8_char c = fg_utf8_first(s);

		if (dash && s.ptr[0] == '-')
			fg_out_add_char(o, ' ');
		if (fg_utf8_is_xml(c))
			fg_out_add(o, s.ptr, c.len);
		else
			fg_out_add_str(o, replacement);
		dash = s.ptr[0] == '-';
		s = fg_str_from_pos(s, c.len);
	}
	if (dash)
		fg_out_add_char(o, ' ');
}

/* The most bytes of a reference: enough for "&#1114111;" with some leading zeros. */
#define REFERENCE_MAX 18

/*
 * Returns the character that "#65" or "#x41" stands for, or 0 if XML does not allow it.
 */
static uint32_t numbered_char(struct fg_str number)
{
	bool hex = fg_str_cut_start(&number, FG_STR("x"));
	struct fg_utf8_char c = { .valid = true };
	uint64_t code;

	while (number.len > 1 && number.ptr[0] == '0')
		number = fg_str_from_pos(number, 1);
	if ((hex ? fg_str_hex(number, &code) : fg_str_u64(number, &code)) ||
	    code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	c.code = (uint32_t)code;
	return fg_utf8_is_xml(c) ? c.code : 0;
}

/*
 * Returns the character that "amp" or "#38" refers to, or 0 if it is not a reference.
 */
static uint32_t referred_char(struct fg_str reference)
{
	static const struct {
		struct fg_str name;
		char c;
	} known[] = {
		{ FG_STR_INIT("amp"), '&' },   { FG_STR_INIT("lt"), '<' },
		{ FG_STR_INIT("gt"), '>' },    { FG_STR_INIT("quot"), '"' },
		{ FG_STR_INIT("apos"), '\'' },
	};

	if (fg_str_cut_start(&reference, FG_STR("#")))
		return numbered_char(reference);
	for (size_t i = 0; i < FG_COUNT_OF(known); i++)
		if (fg_str_eq(reference, known[i].name))
			return (unsigned char)known[i].c;
	return 0;
}

void fg_xml_resolve(struct fg_buf *text, struct fg_str s)
{
	while (s.len) {
		size_t start = fg_str_find_char(s, '&'), len;
		struct fg_str rest = fg_str_from_pos(s, start);
		uint32_t code;

		fg_buf_add_str(text, fg_str_before(s, start));
		if (!rest.len)
			return;
		len = fg_str_find_char(fg_str_before(rest, REFERENCE_MAX), ';');
		code = len < rest.len ? referred_char(fg_str_from_pos(
						fg_str_before(rest, len), 1)) :
					0;
		fg_utf8_add(text, code ? code : '&');
		s = fg_str_from_pos(rest, code ? len + 1 : 1);
	}
}
