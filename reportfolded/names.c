/* Escapes names for text, Markdown, TSV and JSON. */
#include "reportfolded/names.h"

#include "lib/base/utf8.h"
#include "lib/profile/shorten.h"

/* Returns true for characters that are invisible or change the direction of text. */
static bool is_hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
	       (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

static void add_hex(struct fg_buf *b, struct fg_str bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		fg_buf_addf(b, "\\x%02x", (unsigned)(unsigned char)bytes.ptr[i]);
}

static void add_text(struct fg_buf *b, struct fg_str bytes, struct fg_utf8_char c)
{
	if (!c.valid || is_hidden(c.code))
		add_hex(b, bytes);
	else
		fg_buf_add_str(b, bytes);
}

static void add_tsv(struct fg_buf *b, struct fg_str bytes, struct fg_utf8_char c)
{
	switch (c.code) {
	case '\t':
		fg_buf_add_str(b, FG_STR("\\t"));
		break;
	case '\n':
		fg_buf_add_str(b, FG_STR("\\n"));
		break;
	case '\r':
		fg_buf_add_str(b, FG_STR("\\r"));
		break;
	case '\\':
		fg_buf_add_str(b, FG_STR("\\\\"));
		break;
	default:
		add_text(b, bytes, c);
	}
}

/*
 * Adds a character to a JSON string. Escapes '<' too, so that no string ends a script
 * in a page.
 */
static void add_json(struct fg_buf *b, struct fg_str bytes, struct fg_utf8_char c)
{
	if (!c.valid)
		fg_buf_add_str(b, FG_STR("\xef\xbf\xbd"));
	else if (c.code == '"' || c.code == '\\')
		fg_buf_addf(b, "\\%c", (char)c.code);
	else if (c.code == '<' || (c.code <= 0xffff && is_hidden(c.code)))
		fg_buf_addf(b, "\\u%04x", (unsigned)c.code);
	else
		fg_buf_add_str(b, bytes);
}

static void add_utf8(struct fg_buf *b, struct fg_str bytes, struct fg_utf8_char c)
{
	fg_buf_add_str(b, c.valid ? bytes : FG_STR("\xef\xbf\xbd"));
}

/*
 * Adds a character in HTML within Markdown. Escapes characters that have a meaning in
 * HTML or in Markdown.
 */
static void add_entity(struct fg_buf *b, struct fg_str bytes, struct fg_utf8_char c)
{
	if (c.valid && c.code >= ' ' && c.code < 0x7f && !fg_is_word((char)c.code))
		fg_buf_addf(b, "&#%u;", (unsigned)c.code);
	else if (c.code == '_')
		fg_buf_add_str(b, FG_STR("&#95;"));
	else
		add_text(b, bytes, c);
}

typedef void add_char(struct fg_buf *b, struct fg_str bytes, struct fg_utf8_char c);

static void add_chars(struct fg_buf *b, struct fg_str name, add_char *add)
{
	while (name.len) {
		struct fg_utf8_char c = fg_utf8_first(name);

		add(b, fg_str_before(name, c.len), c);
		name = fg_str_from_pos(name, c.len);
	}
}

/* Returns true if a code span would change the name or end too early. */
static bool breaks_code_span(struct fg_str name)
{
	return !name.len || fg_is_space(name.ptr[0]) ||
	       fg_is_space(name.ptr[name.len - 1]) || fg_str_has_char(name, '`') ||
	       fg_str_has_char(name, '|') || fg_str_has_char(name, '\\');
}

static void add_markdown(struct fg_buf *b, struct fg_str name)
{
	if (breaks_code_span(name)) {
		fg_buf_add_str(b, FG_STR("<code>"));
		add_chars(b, name, add_entity);
		fg_buf_add_str(b, FG_STR("</code>"));
	} else {
		fg_buf_add_char(b, '`');
		add_chars(b, name, add_text);
		fg_buf_add_char(b, '`');
	}
}

/*
 * Returns true for a name that a spreadsheet would treat as a formula, but not for a
 * method of Objective-C like "-[NSObject init]", which spreadsheets treat as text.
 */
static bool may_be_formula(struct fg_str name)
{
	char c = name.len ? name.ptr[0] : '\0';

	return c == '=' || c == '@' ||
	       ((c == '+' || c == '-') && !(name.len > 1 && name.ptr[1] == '['));
}

static void add_cell(struct fg_buf *b, struct fg_str name)
{
	if (may_be_formula(name)) {
		add_hex(b, fg_str_before(name, 1));
		name = fg_str_from_pos(name, 1);
	}
	add_chars(b, name, add_tsv);
}

void fg_report_add_name(struct fg_buf *b, struct fg_str name,
			enum fg_report_format format)
{
	switch (format) {
	case FG_REPORT_TEXT:
		add_chars(b, name, add_text);
		break;
	case FG_REPORT_MARKDOWN:
		add_markdown(b, name);
		break;
	case FG_REPORT_TSV:
		add_cell(b, name);
		break;
	case FG_REPORT_JSON:
	case FG_REPORT_SPEEDSCOPE:
	case FG_REPORT_FIREFOX:
	case FG_REPORT_COLLAPSED:
		add_chars(b, name, add_json);
		break;
	case FG_REPORT_PPROF:
		add_chars(b, name, add_utf8);
		break;
	}
}

/* The most characters of a name in a table. */
#define SHORT_CHARS 80

void fg_report_add_short_name(struct fg_buf *b, struct fg_str name,
			      enum fg_report_format format)
{
	struct fg_buf cut = FG_BUF_INIT;
	size_t chars = fg_utf8_count(name), end = SHORT_CHARS / 2;

	if (chars > SHORT_CHARS) {
		fg_buf_add_str(&cut, fg_utf8_prefix(name, SHORT_CHARS - 1 - end));
		fg_buf_add_str(&cut, FG_STR("\xe2\x80\xa6"));
		fg_buf_add_str(
			&cut,
			fg_str_from_pos(name, fg_utf8_prefix(name, chars - end).len));
		name = fg_buf_str(&cut);
	}
	fg_report_add_name(b, name, format);
	fg_buf_release(&cut);
}

/*
 * Returns true if a label does not start like its name, because it has lost a
 * qualifier: "ArrayList.add" of "java.util.ArrayList.add". A return type is no
 * qualifier.
 */
static bool lacks_start(struct fg_str label, struct fg_str name)
{
	size_t span = fg_str_span(label, fg_is_word), at;
	struct fg_str start = fg_str_before(label, span > 3 ? span : 3);

	at = fg_str_find(name, start);
	return at && at < name.len &&
	       !fg_str_has_char(FG_STR(" &*<"), name.ptr[at - 1]);
}

void fg_report_add_fitting_name(struct fg_buf *b, struct fg_str name,
				enum fg_report_format format, size_t room)
{
	struct fg_buf work = FG_BUF_INIT, label = FG_BUF_INIT;
	size_t start = b->len, least = 3;

	if (room < FG_REPORT_LEAST_ROOM)
		room = FG_REPORT_LEAST_ROOM;
	/* escapes take columns, too, so a name may need several attempts */
	for (size_t columns = room;; columns -= columns / 8 + 1) {
		struct fg_label short_name =
			fg_shorten(name, columns, FG_SHORTEN_AUTO, &work);

		fg_buf_clear(&label);
		if (lacks_start(short_name.text, name))
			fg_buf_add_str(&label, FG_STR(".."));
		fg_buf_add_str(&label, short_name.text);
		if (short_name.cut)
			fg_buf_add_str(&label, FG_STR(".."));
		b->len = start;
		fg_report_add_name(b, fg_buf_str(&label), format);
		if (fg_utf8_columns(fg_str_from_pos(fg_buf_str(b), start)) <= room)
			break;
		if (columns <= least + columns / 8 + 1) {
			b->len = start;
			fg_buf_add_str(b, FG_STR(".."));
			break;
		}
	}
	fg_buf_release(&label);
	fg_buf_release(&work);
}
