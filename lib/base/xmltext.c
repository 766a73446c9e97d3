/* Characters of XML: which are allowed, and what stands for others. */
#include "lib/base/xmltext.h"

#include "lib/base/utf8.h"

/* Whether a byte is not simply a character of a value or a text; `mark` is neither. */
static bool is_special(char c, char mark)
{
	unsigned char byte = (unsigned char)c;

	return byte < 0x20 || byte >= 0x80 || c == '&' || c == '<' || c == mark;
}

/* Of eight bytes: the high bits of those that are `c`, and perhaps of those above. */
static uint64_t bytes_like(uint64_t word, char c)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t other = word ^ (ones * (unsigned char)c);

	return (other - ones) & ~other;
}

const char *fg_xmltext_special(const char *p, const char *end, char mark)
{
	const uint64_t high = UINT64_C(0x8080808080808080);

	while (end - p >= 8) {
		uint64_t word;

		/* a byte below 0x20 borrows from the bit above it, or another's */
		memcpy(&word, p, sizeof(word));
		if ((word | (word - UINT64_C(0x2020202020202020)) |
		     bytes_like(word, '&') | bytes_like(word, '<') |
		     bytes_like(word, mark)) &
		    high)
			break;
		p += 8;
	}
	while (p < end && !is_special(*p, mark))
		p++;
	return p;
}

/* Adds a character that is not of ASCII, or is none that XML allows: its bytes. */
static size_t add_char(struct fg_buf *to, struct fg_str s)
{
	struct fg_utf8_char c = fg_utf8_first(s);
	bool allowed = c.code >= 0x20 && c.code != 0xfffe && c.code != 0xffff;
	size_t len = c.len;

	/* the bytes of one that is damaged are one */
	if (!c.valid) {
		unsigned char lead = (unsigned char)s.ptr[0];
		size_t need = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

		while (len < need && len < s.len && (s.ptr[len] & 0xc0) == 0x80)
			len++;
	}
	fg_utf8_add(to, allowed ? c.code : FG_UTF8_REPLACEMENT);
	return len;
}

/* The number of "#65" or "#x41"; 0 where it is none, or that of no character. */
static uint32_t code_of(struct fg_str body)
{
	bool hex = fg_str_cut_start(&body, FG_STR("x"));
	uint64_t code;

	while (body.len > 1 && body.ptr[0] == '0')
		body = fg_str_from_pos(body, 1);
	if (hex ? fg_str_hex(body, &code) : fg_str_u64(body, &code))
		return 0;
	if ((code < 0x20 && !fg_xml_is_blank((char)code)) || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff)
		return 0;
	return (uint32_t)code;
}

/* Adds what "&amp;" stands for: NULL, or what is wrong. */
static const char *add_reference(struct fg_buf *to, struct fg_str *s)
{
	static const struct {
		struct fg_str name;
		char c;
	} known[] = {
		{ FG_STR_INIT("amp"), '&' },   { FG_STR_INIT("lt"), '<' },
		{ FG_STR_INIT("gt"), '>' },    { FG_STR_INIT("quot"), '"' },
		{ FG_STR_INIT("apos"), '\'' },
	};
	struct fg_str body = fg_str_from_pos(*s, 1);
	uint32_t code = 0;

	body = fg_str_before(body, fg_str_find_char(body, ';'));
	if (body.len + 2 > s->len)
		return "a '&' has no ';'";
	*s = fg_str_from_pos(*s, body.len + 2);
	for (size_t i = 0; i < FG_COUNT_OF(known); i++)
		if (fg_str_eq(body, known[i].name))
			code = (unsigned char)known[i].c;
	if (!code && !fg_str_cut_start(&body, FG_STR("#")))
		return "an entity is none of those of XML itself";
	if (!code)
		code = code_of(body);
	if (!code)
		return "'&#' is not before a number of a character";
	fg_utf8_add(to, code);
	return NULL;
}

const char *fg_xmltext_add(struct fg_buf *to, struct fg_str s, enum fg_xmltext what)
{
	const char *fault = NULL;

	while (s.len && !fault) {
		const char *special = fg_xmltext_special(s.ptr, s.ptr + s.len, '&');
		size_t len = (size_t)(special - s.ptr);

		fg_buf_add(to, s.ptr, len);
		s = fg_str_from_pos(s, len);
		if (!s.len)
			break;
		if (s.ptr[0] == '&' && what != FG_XML_CDATA) {
			fault = add_reference(to, &s);
			continue;
		}
		len = 1;
		if (s.ptr[0] == '\r' && s.len > 1 && s.ptr[1] == '\n')
			; /* one line feed */
		else if (fg_xml_is_blank(s.ptr[0]) && what == FG_XML_VALUE)
			fg_buf_add_char(to, ' ');
		else if (s.ptr[0] == '\r')
			fg_buf_add_char(to, '\n');
		else if (fg_xml_is_blank(s.ptr[0]) || s.ptr[0] == '&' ||
			 s.ptr[0] == '<')
			fg_buf_add_char(to, s.ptr[0]);
		else
			len = add_char(to, s);
		s = fg_str_from_pos(s, len);
	}
	return fault;
}
