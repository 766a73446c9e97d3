/* Reads JSON token by token, from blocks that end anywhere. */
#include "lib/base/json.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/utf8.h"

/* Returned in place of a byte after the end of the input. */
#define NOTHING (-1)

/*
 * A string or number has at most this many bytes. A small compressed input could have a
 * token of any length.
 */
#define TOKEN_MAX ((size_t)256 << 20)

/* The tokens that may come next. */
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

/* ---- eight bytes at a time */

/* A 64-bit number whose eight bytes are all `byte`. */
#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t eight_at(const char *at)
{
	uint64_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return bytes;
}

/* Returns 0x80 in the place of each byte that is 0, and 0 in the others. */
static inline uint64_t zeros(uint64_t bytes)
{
	return ~((((bytes & EIGHT(0x7f)) + EIGHT(0x7f)) | bytes) | EIGHT(0x7f));
}

/*
 * Returns the index, in memory order, of the first byte in `tops` that has its top bit
 * set. `tops` must not be 0.
 */
static inline size_t first_of(uint64_t tops)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return (size_t)__builtin_clzll(tops) / 8;
#else
	return (size_t)__builtin_ctzll(tops) / 8;
#endif
}

/* ---- blocks */

/*
 * Returns the number of line feeds from `at` to `end`. If there are any, sets *last to
 * the last one.
 */
static uint64_t count_lines(const char *at, const char *end, const char **last)
{
	const char *start = at;
	uint64_t count = 0;

	for (; end - at >= 8; at += 8)
		count += (zeros(eight_at(at) ^ EIGHT('\n')) >> 7) * EIGHT(1) >> 56;
	for (; at < end; at++)
		count += *at == '\n';
	for (*last = end; count && *last > start && *--*last != '\n';)
		;
	return count;
}

/* Sets *line and *column to the position of the cursor, counted from 0. */
static void place(const struct fg_json_bytes *b, uint64_t *line, uint64_t *column)
{
	const char *last;
	uint64_t count = count_lines(b->block, b->at, &last);

	*column = count ? (uint64_t)(b->at - last - 1) :
			  b->columns + (uint64_t)(b->at - b->block);
	*line = b->lines + count;
}

/* Goes on to the next block. Returns false after the last one. */
static bool refill(struct fg_json_bytes *b)
{
	struct fg_block block;
	int status;

	if (!b->reader)
		return false;
	place(b, &b->lines, &b->columns);
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
	b->block = b->at = b->end; /* an empty block */
	return false;
}

/* Returns the byte at the cursor, or NOTHING. */
static inline int peek(struct fg_json_bytes *b)
{
	if (b->at == b->end && !refill(b))
		return NOTHING;
	return (unsigned char)*b->at;
}

/* ---- tokens */

/* Sets an error at `back` bytes before the cursor, in the same line. */
static enum fg_json_kind fail_before(struct fg_json *j, const char *error, size_t back)
{
	bool ends = peek(&j->from) == NOTHING && !back;

	j->cut = ends && !j->from.failed;
	j->error = ends ? "the JSON ends early" : error;
	place(&j->from, &j->line, &j->column);
	j->line++;
	j->column = j->column + 1 - back;
	return FG_JSON_ERROR;
}

static enum fg_json_kind fail(struct fg_json *j, const char *error)
{
	return fail_before(j, error, 0);
}

/* Notes that a value is complete, and returns its token. */
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
		       eight_at(j->from.at) == EIGHT(' '))
			j->from.at += 8;
		c = peek(&j->from);
		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return c;
		j->from.at++;
	}
}

/* Skips white space, and returns the next byte, which stays at the cursor. */
static inline int next_byte(struct fg_json *j)
{
	if (j->from.at < j->from.end && (unsigned char)*j->from.at > ' ')
		return (unsigned char)*j->from.at;
	return skip_space(j);
}

/* ---- strings */

/* Returns the position of the first '"' or '\', or `end`. */
static inline const char *find_special(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t bytes = eight_at(at);
		uint64_t tops = zeros(bytes ^ EIGHT('"')) | zeros(bytes ^ EIGHT('\\'));

		if (tops)
			return at + first_of(tops);
	}
	while (at < end && *at != '"' && *at != '\\')
		at++;
	return at;
}

/* A string that is being decoded. */
struct joining {
	struct fg_buf *text;
	uint32_t half; /* the first half of a pair of \u escapes, or 0 */
};

/* If no second half followed a first one, adds U+FFFD in its place. */
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

/* Decodes the four digits after "\u". */
static bool decode_unicode(struct fg_json_bytes *b, struct joining *s)
{
	uint32_t unit = 0;

	for (size_t i = 0; i < 4; i++) {
		int c = peek(b);

		if (c == NOTHING || !fg_is_hex((char)c))
			return false;
		unit = unit << 4 | fg_hex_digit((char)c);
		b->at++;
	}
	add_unit(s, unit);
	return true;
}

/* Decodes an escape. Its backslash has been read. */
static bool decode_escape(struct fg_json_bytes *b, struct joining *s)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	int c = peek(b);
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

/*
 * Reads a string that has escapes or spans blocks into `joined`, from after its opening
 * quote to after its closing one. Returns NULL, or a message about the error at the
 * cursor.
 */
static const char *join_bytes(struct fg_json_bytes *b, struct fg_buf *joined)
{
	struct joining s = { joined, 0 };

	fg_buf_clear(joined);
	fg_buf_reserve(joined, 1); /* so that an empty string is not NULL */
	while (joined->len <= TOKEN_MAX) {
		const char *special = find_special(b->at, b->end);

		if (special > b->at) {
			end_half(&s);
			fg_buf_add(joined, b->at, (size_t)(special - b->at));
			b->at = special;
		}
		switch (peek(b)) {
		case NOTHING:
			return "a string without an end";
		case '"':
			end_half(&s);
			b->at++;
			return NULL;
		case '\\':
			b->at++;
			if (!decode_escape(b, &s))
				return "an invalid escape";
			break;
		default:
			break;
		}
	}
	return "a string of more than 256 MiB";
}

static int join_string(struct fg_json *j)
{
	const char *error = join_bytes(&j->from, &j->joined);

	if (error)
		return fail(j, error);
	j->text = fg_buf_str(&j->joined);
	return 0;
}

/* Reads a string from its opening quote to after its closing one, and sets j->text. */
static inline int read_string(struct fg_json *j)
{
	const char *start = ++j->from.at;
	const char *special = find_special(start, j->from.end);

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
		uint64_t bytes = eight_at(at) ^ EIGHT('0');
		uint64_t tops = ((bytes & EIGHT(0x7f)) + EIGHT(0x76)) | bytes;

		if (tops & EIGHT(0x80))
			return at + first_of(tops & EIGHT(0x80));
	}
	while (at < end && fg_is_digit(*at))
		at++;
	return at;
}

/* Moves the cursor to the end of a number. Returns true if the number is complete. */
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

/* Reads a number that spans blocks or ends with its block, or is malformed. */
static enum fg_json_kind join_number(struct fg_json *j)
{
	const char *at;

	fg_buf_clear(&j->joined);
	while (peek(&j->from) != NOTHING && is_of_number(*j->from.at) &&
	       j->joined.len <= TOKEN_MAX)
		fg_buf_add_char(&j->joined, *j->from.at++);
	j->text = fg_buf_str(&j->joined);
	at = j->text.ptr;
	if (!scan_number(&at, j->text.ptr + j->text.len) ||
	    at < j->text.ptr + j->text.len)
		return fail_before(j, "an invalid number",
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
		return fail(j, "NaN and Infinity are not allowed in JSON");
	if (c != *word)
		return fail(j, "a value is missing");
	for (; *word; word++, j->from.at++)
		if (peek(&j->from) != (unsigned char)*word)
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

	for (size_t i = 0; i < sizeof(mark) && (i || peek(&j->from) == *mark);
	     i++, j->from.at++)
		if (peek(&j->from) != mark[i])
			return fail(j, "a value is missing");
	return read_value(j, next_byte(j));
}

/*
 * A fast path of fg_json_next() for long tables: reads ",NUMBER" if that is a positive
 * whole number. Otherwise returns false and reads nothing.
 */
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
	if (j->expects == END && j->many && c != NOTHING)
		return read_value(j, c);
	if (j->expects == END)
		return c != NOTHING   ? fail(j, "text after the end") :
		       j->from.failed ? fail(j, NULL) :
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
