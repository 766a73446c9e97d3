/* JSON in memory, token by token. */
#include "collapse/json.h"

#include "lib/utf8.h"

/* What may come next. */
enum expects {
	VALUE,
	FIRST_VALUE, /* the same, or ']' */
	NAME,
	FIRST_NAME, /* the same, or '}' */
	MORE, /* ',' or a closing bracket */
	END,
};

void fg_json_init(struct fg_json *j, struct fg_str bytes)
{
	memset(j, 0, sizeof(*j));
	j->bytes = bytes;
	j->expects = VALUE;
}

void fg_json_release(struct fg_json *j)
{
	fg_buf_release(&j->open);
	fg_buf_release(&j->decoded);
}

static enum fg_json_kind fail(struct fg_json *j, const char *error)
{
	j->cut = j->at >= j->bytes.len;
	j->error = j->cut ? "the text ends in the middle" : error;
	return FG_JSON_ERROR;
}

/* A value has ended. */
static enum fg_json_kind give(struct fg_json *j, enum fg_json_kind kind)
{
	j->expects = j->open.len ? MORE : END;
	return kind;
}

static void skip_space(struct fg_json *j)
{
	while (j->at < j->bytes.len &&
	       fg_str_has_char(FG_STR(" \t\n\r"), j->bytes.ptr[j->at]))
		j->at++;
}

/* ---- strings */

static void add_code(struct fg_buf *b, uint32_t code)
{
	if (code < 0x80) {
		fg_buf_add_char(b, (char)code);
		return;
	}
	if (code < 0x800) {
		fg_buf_add_char(b, (char)(0xc0 | code >> 6));
	} else if (code < 0x10000) {
		fg_buf_add_char(b, (char)(0xe0 | code >> 12));
		fg_buf_add_char(b, (char)(0x80 | (code >> 6 & 0x3f)));
	} else {
		fg_buf_add_char(b, (char)(0xf0 | code >> 18));
		fg_buf_add_char(b, (char)(0x80 | (code >> 12 & 0x3f)));
		fg_buf_add_char(b, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	fg_buf_add_char(b, (char)(0x80 | (code & 0x3f)));
}

/* Whether \uXXXX is at `at`; a `code` of 16 bits. */
static bool read_unit(const struct fg_json *j, size_t at, uint32_t *code)
{
	struct fg_str unit = fg_str_before(fg_str_from_pos(j->bytes, at), 6);
	uint64_t value;

	if (unit.len < 6 || !fg_str_starts(unit, FG_STR("\\u")) ||
	    fg_str_hex(fg_str_from_pos(unit, 2), &value))
		return false;
	*code = (uint32_t)value;
	return true;
}

/* \uXXXX, or a pair of them beyond 16 bits. One of a pair alone is U+FFFD. */
static bool decode_unicode(struct fg_json *j)
{
	uint32_t code, low;

	if (!read_unit(j, j->at, &code))
		return false;
	j->at += 6;
	if (code >= 0xd800 && code < 0xdc00 && read_unit(j, j->at, &low) &&
	    low >= 0xdc00 && low < 0xe000) {
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		j->at += 6;
	}
	if (code >= 0xd800 && code < 0xe000)
		code = FG_UTF8_REPLACEMENT;
	add_code(&j->decoded, code);
	return true;
}

/* The escape at j->at. */
static bool decode_escape(struct fg_json *j)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	char letter = j->at + 1 < j->bytes.len ? j->bytes.ptr[j->at + 1] : 'u';
	const char *found = letter ? strchr(letters, letter) : NULL;

	if (letter == 'u') {
		/* what is missing at the end is cut */
		if (decode_unicode(j))
			return true;
		if (j->at + 6 > j->bytes.len)
			j->at = j->bytes.len;
		return false;
	}
	if (!found)
		return false;
	fg_buf_add_char(&j->decoded, bytes[found - letters]);
	j->at += 2;
	return true;
}

/* From behind the opening quote to behind the closing one; leaves j->text. */
static int read_string(struct fg_json *j)
{
	size_t start = ++j->at;
	bool escapes = false;

	fg_buf_clear(&j->decoded);
	for (;; start = j->at) {
		while (j->at < j->bytes.len && j->bytes.ptr[j->at] != '"' &&
		       j->bytes.ptr[j->at] != '\\')
			j->at++;
		j->text = fg_str_of(j->bytes.ptr + start, j->at - start);
		if (j->at < j->bytes.len && j->bytes.ptr[j->at] == '"' && !escapes)
			break;
		fg_buf_add_str(&j->decoded, j->text);
		j->text = fg_buf_str(&j->decoded);
		if (j->at >= j->bytes.len || j->bytes.ptr[j->at] == '"')
			break;
		escapes = true;
		if (!decode_escape(j)) {
			fail(j, "no escape of JSON");
			return -1;
		}
	}
	if (j->at >= j->bytes.len) {
		fail(j, NULL);
		return -1;
	}
	j->at++;
	return 0;
}

/* ---- other values */

static size_t digits_at(const struct fg_json *j, size_t at)
{
	return fg_str_span(fg_str_from_pos(j->bytes, at), fg_is_digit);
}

static bool is_at(const struct fg_json *j, size_t at, const char *any)
{
	return at < j->bytes.len && j->bytes.ptr[at] && strchr(any, j->bytes.ptr[at]);
}

static enum fg_json_kind read_number(struct fg_json *j)
{
	size_t start = j->at, digits;

	j->at += is_at(j, j->at, "-");
	digits = is_at(j, j->at, "0") ? 1 : digits_at(j, j->at);
	j->at += digits;
	if (digits && is_at(j, j->at, ".")) {
		digits = digits_at(j, ++j->at);
		j->at += digits;
	}
	if (digits && is_at(j, j->at, "eE")) {
		j->at++;
		j->at += is_at(j, j->at, "+-");
		digits = digits_at(j, j->at);
		j->at += digits;
	}
	if (!digits)
		return fail(j, "no number of JSON");
	j->text = fg_str_of(j->bytes.ptr + start, j->at - start);
	return give(j, FG_JSON_NUMBER);
}

static enum fg_json_kind read_word(struct fg_json *j)
{
	static const struct {
		struct fg_str word;
		enum fg_json_kind kind;
	} words[] = {
		{ FG_STR_INIT("true"), FG_JSON_TRUE },
		{ FG_STR_INIT("false"), FG_JSON_FALSE },
		{ FG_STR_INIT("null"), FG_JSON_NULL },
	};
	struct fg_str rest = fg_str_from_pos(j->bytes, j->at);

	for (size_t i = 0; i < FG_COUNT_OF(words); i++) {
		if (fg_str_starts(rest, words[i].word)) {
			j->at += words[i].word.len;
			return give(j, words[i].kind);
		}
		if (fg_str_starts(words[i].word, rest))
			j->at = j->bytes.len;
	}
	return fail(j, "a value is missing");
}

static enum fg_json_kind open_bracket(struct fg_json *j, char bracket)
{
	fg_buf_add_char(&j->open, bracket);
	j->at++;
	j->expects = bracket == '{' ? FIRST_NAME : FIRST_VALUE;
	return bracket == '{' ? FG_JSON_OBJECT : FG_JSON_ARRAY;
}

static enum fg_json_kind close_bracket(struct fg_json *j)
{
	bool object = j->open.ptr[j->open.len - 1] == '{';

	if (j->bytes.ptr[j->at] != (object ? '}' : ']'))
		return fail(j,
			    object ? "',' or '}' is missing" : "',' or ']' is missing");
	j->at++;
	j->open.len--;
	return give(j, object ? FG_JSON_OBJECT_END : FG_JSON_ARRAY_END);
}

static enum fg_json_kind read_name(struct fg_json *j)
{
	if (!is_at(j, j->at, "\""))
		return fail(j, "a name is missing");
	if (read_string(j))
		return FG_JSON_ERROR;
	skip_space(j);
	if (!is_at(j, j->at, ":"))
		return fail(j, "':' is missing");
	j->at++;
	j->expects = VALUE;
	return FG_JSON_NAME;
}

static enum fg_json_kind read_value(struct fg_json *j)
{
	char c = j->at < j->bytes.len ? j->bytes.ptr[j->at] : 0;

	if (c == '{' || c == '[')
		return open_bracket(j, c);
	if (c == '"')
		return read_string(j) ? FG_JSON_ERROR : give(j, FG_JSON_STRING);
	return c == '-' || fg_is_digit(c) ? read_number(j) : read_word(j);
}

enum fg_json_kind fg_json_next(struct fg_json *j)
{
	if (j->error)
		return FG_JSON_ERROR;
	j->text = fg_str_of(NULL, 0);
	skip_space(j);
	if (j->expects == END)
		return j->at < j->bytes.len ? fail(j, "text after the end") :
					      FG_JSON_END;
	if (j->at >= j->bytes.len)
		return fail(j, NULL);
	if (j->expects == MORE && !is_at(j, j->at, ","))
		return close_bracket(j);
	if ((j->expects == FIRST_VALUE && is_at(j, j->at, "]")) ||
	    (j->expects == FIRST_NAME && is_at(j, j->at, "}")))
		return close_bracket(j);
	if (j->expects == MORE) {
		j->at++;
		skip_space(j);
		j->expects = j->open.ptr[j->open.len - 1] == '{' ? NAME : VALUE;
	}
	return j->expects == NAME || j->expects == FIRST_NAME ? read_name(j) :
								read_value(j);
}

int fg_json_skip(struct fg_json *j, enum fg_json_kind first)
{
	size_t depth = j->open.len;

	if (first == FG_JSON_ERROR)
		return -1;
	if (first != FG_JSON_OBJECT && first != FG_JSON_ARRAY)
		return 0;
	while (j->open.len >= depth)
		if (fg_json_next(j) == FG_JSON_ERROR)
			return -1;
	return 0;
}
