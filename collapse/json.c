/* JSON, token by token, in blocks that end anywhere. */
#include "collapse/json.h"

#include <inttypes.h>

/* What may come next. */
enum expects {
	START, /* a byte-order mark, then a value */
	FIRST, /* a value or a name, or a closing bracket */
	COLON,
	MORE, /* ',' or a closing bracket */
	END,
};

void fg_json_init(struct fg_json *j, struct fg_str bytes)
{
	memset(j, 0, sizeof(*j));
	j->from.block = j->from.at = bytes.ptr;
	j->from.end = bytes.len ? bytes.ptr + bytes.len : bytes.ptr;
	j->expects = START;
}

void fg_json_init_reader(struct fg_json *j, struct fg_reader *reader,
			 const struct fg_block *start)
{
	fg_json_init(j, start->bytes);
	j->from.reader = reader;
}

void fg_json_release(struct fg_json *j)
{
	fg_buf_release(&j->open);
	fg_buf_release(&j->joined);
}

/* Something is wrong, `back` bytes before the cursor in its line. */
static enum fg_json_kind fail_before(struct fg_json *j, const char *error, size_t back)
{
	bool ends = json_peek(&j->from) == JSON_NOTHING && !back;

	j->cut = ends && !j->from.failed;
	j->error = ends ? "the text ends in the middle" : error;
	json_place(&j->from, &j->line, &j->column);
	j->line++;
	j->column = j->column + 1 - back;
	return FG_JSON_ERROR;
}

static enum fg_json_kind fail(struct fg_json *j, const char *error)
{
	return fail_before(j, error, 0);
}

/* A value has ended. */
static inline enum fg_json_kind give(struct fg_json *j, enum fg_json_kind kind)
{
	j->expects = j->open.len ? MORE : END;
	return kind;
}

static int skip_space(struct fg_json *j)
{
	int c;

	for (;;) {
		while (j->from.end - j->from.at >= 8 &&
		       json_eight_at(j->from.at) == JSON_EIGHT(' '))
			j->from.at += 8;
		c = json_peek(&j->from);
		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return c;
		j->from.at++;
	}
}

/* The next byte that is no blank, at the cursor. */
static inline int next_byte(struct fg_json *j)
{
	if (j->from.at < j->from.end && (unsigned char)*j->from.at > ' ')
		return (unsigned char)*j->from.at;
	return skip_space(j);
}

/* ---- strings */

static int join_string(struct fg_json *j)
{
	const char *error = json_join_string(&j->from, &j->joined);

	if (error)
		return fail(j, error);
	j->text = fg_buf_str(&j->joined);
	return 0;
}

/* From the opening quote to behind the closing one; leaves j->text. */
static inline int read_string(struct fg_json *j)
{
	const char *start = ++j->from.at;
	const char *special = json_find_special(start, j->from.end);

	if (special == j->from.end || *special != '"')
		return join_string(j);
	j->text = fg_str_of(start, (size_t)(special - start));
	j->from.at = special + 1;
	return 0;
}

/* ---- other values */

static inline bool is_of_number(char c)
{
	return fg_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' ||
	       c == 'E';
}

static inline const char *skip_digits(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t bytes = json_eight_at(at) ^ JSON_EIGHT('0');
		uint64_t tops = ((bytes & JSON_EIGHT(0x7f)) + JSON_EIGHT(0x76)) | bytes;

		if (tops & JSON_EIGHT(0x80))
			return at + json_first_of(tops & JSON_EIGHT(0x80));
	}
	while (at < end && fg_is_digit(*at))
		at++;
	return at;
}

/* How far the bytes are a number, and whether a whole one. */
static bool scan_number(const char **cursor, const char *end)
{
	const char *at = *cursor, *digits;

	at += at < end && *at == '-';
	digits = at;
	at = at < end && *at == '0' ? at + 1 : skip_digits(at, end);
	if (at > digits && at < end && *at == '.') {
		digits = ++at;
		at = skip_digits(at, end);
	}
	if (at > digits && at < end && (*at == 'e' || *at == 'E')) {
		at++;
		at += at < end && (*at == '+' || *at == '-');
		digits = at;
		at = skip_digits(at, end);
	}
	*cursor = at;
	return at > digits;
}

/* A number that ends with the block, or spans blocks. */
static enum fg_json_kind join_number(struct fg_json *j)
{
	const char *at;

	fg_buf_clear(&j->joined);
	while (json_peek(&j->from) != JSON_NOTHING && is_of_number(*j->from.at) &&
	       j->joined.len <= JSON_TOKEN_MAX)
		fg_buf_add_char(&j->joined, *j->from.at++);
	j->text = fg_buf_str(&j->joined);
	at = j->text.ptr;
	if (!scan_number(&at, j->text.ptr + j->text.len) ||
	    at < j->text.ptr + j->text.len)
		return fail_before(j, "no number of JSON",
				   j->text.len - (size_t)(at - j->text.ptr));
	return give(j, FG_JSON_NUMBER);
}

static inline enum fg_json_kind read_number(struct fg_json *j)
{
	const char *at = j->from.at;

	if (!scan_number(&at, j->from.end) || at == j->from.end || is_of_number(*at))
		return join_number(j);
	j->text = fg_str_of(j->from.at, (size_t)(at - j->from.at));
	j->from.at = at;
	return give(j, FG_JSON_NUMBER);
}

static enum fg_json_kind read_word(struct fg_json *j, int c)
{
	enum fg_json_kind kind = c == 't' ? FG_JSON_TRUE :
				 c == 'f' ? FG_JSON_FALSE :
					    FG_JSON_NULL;
	const char *word = c == 't' ? "true" : c == 'f' ? "false" : "null";

	if (c == 'N' || c == 'I')
		return fail(j, "NaN and Infinity are no numbers of JSON");
	if (c != *word)
		return fail(j, "a value is missing");
	for (; *word; word++, j->from.at++)
		if (json_peek(&j->from) != (unsigned char)*word)
			return fail(j, "a value is missing");
	return give(j, kind);
}

static enum fg_json_kind open_bracket(struct fg_json *j, int bracket)
{
	fg_buf_add_char(&j->open, (char)bracket);
	j->from.at++;
	j->in_object = bracket == '{';
	j->expects = FIRST;
	return j->in_object ? FG_JSON_OBJECT : FG_JSON_ARRAY;
}

static enum fg_json_kind close_bracket(struct fg_json *j, int c)
{
	bool object = j->in_object;

	if (c != (object ? '}' : ']'))
		return fail(j,
			    object ? "',' or '}' is missing" : "',' or ']' is missing");
	j->from.at++;
	j->open.len--;
	j->in_object = j->open.len && j->open.ptr[j->open.len - 1] == '{';
	return give(j, object ? FG_JSON_OBJECT_END : FG_JSON_ARRAY_END);
}

static enum fg_json_kind read_name(struct fg_json *j, int c)
{
	if (c != '"')
		return fail(j, "a name is missing");
	if (read_string(j))
		return FG_JSON_ERROR;
	j->expects = COLON;
	return FG_JSON_NAME;
}

static enum fg_json_kind read_value(struct fg_json *j, int c)
{
	if (c == '-' || (c >= '0' && c <= '9'))
		return read_number(j);
	if (c == '"')
		return read_string(j) ? FG_JSON_ERROR : give(j, FG_JSON_STRING);
	if (c == '{' || c == '[')
		return open_bracket(j, c);
	return read_word(j, c);
}

static enum fg_json_kind read_start(struct fg_json *j)
{
	static const unsigned char mark[] = { 0xef, 0xbb, 0xbf };

	for (size_t i = 0; i < sizeof(mark) && (i || json_peek(&j->from) == *mark);
	     i++, j->from.at++)
		if (json_peek(&j->from) != mark[i])
			return fail(j, "a value is missing");
	return read_value(j, next_byte(j));
}

/* The same as below of ",NUMBER," without decimals, as long tables have them. */
static inline bool next_whole_number(struct fg_json *j)
{
	const char *at = j->from.at, *end;

	if (j->from.end - at < 24 || *at++ != ',' || j->in_object ||
	    j->expects != MORE || *at <= '0' || *at > '9')
		return false;
	end = skip_digits(at, j->from.end);
	if (end == j->from.end || (*end != ',' && *end != ']'))
		return false;
	j->text = fg_str_of(at, (size_t)(end - at));
	j->from.at = end;
	return true;
}

enum fg_json_kind fg_json_next(struct fg_json *j)
{
	int c;

	if (j->error)
		return FG_JSON_ERROR;
	j->text = fg_str_of(NULL, 0);
	if (j->expects == START)
		return read_start(j);
	if (next_whole_number(j))
		return FG_JSON_NUMBER;
	c = next_byte(j);
	if (j->expects == MORE) {
		if (c != ',')
			return close_bracket(j, c);
		j->from.at++;
		c = next_byte(j);
		if (c == (j->in_object ? '}' : ']'))
			return close_bracket(j, c);
		return j->in_object ? read_name(j, c) : read_value(j, c);
	}
	if (j->expects == COLON) {
		if (c != ':')
			return fail(j, "':' is missing");
		j->from.at++;
		return read_value(j, next_byte(j));
	}
	if (j->expects == END && j->many && c != JSON_NOTHING)
		return read_value(j, c);
	if (j->expects == END)
		return c != JSON_NOTHING ? fail(j, "text after the end") :
		       j->from.failed	 ? fail(j, NULL) :
					   FG_JSON_END;
	if (c == (j->in_object ? '}' : ']'))
		return close_bracket(j, c);
	return j->in_object ? read_name(j, c) : read_value(j, c);
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

bool fg_json_enter(struct fg_json *j, enum fg_json_kind kind)
{
	enum fg_json_kind first = fg_json_next(j);

	if (first == kind)
		return true;
	fg_json_skip(j, first);
	return false;
}

struct fg_str fg_json_value(struct fg_json *j)
{
	enum fg_json_kind kind = fg_json_next(j);

	if (kind == FG_JSON_STRING || kind == FG_JSON_NUMBER)
		return j->text;
	fg_json_skip(j, kind);
	return fg_str_of(NULL, 0);
}

int fg_json_report(const struct fg_json *j, const char *input, struct fg_diag *diag)
{
	const struct fg_place at = { input, j->line };

	if (j->from.failed)
		return -1;
	return fg_error(diag, &at, "column %" PRIu64 ": %s", j->column, j->error);
}
