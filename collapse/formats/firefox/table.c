/* Reads the tables of the Firefox Profiler into columns, and lists of strings. */
#include "collapse/formats/firefox/table.h"

#include <stdlib.h>

#include "collapse/decimal.h"
#include "lib/base/xalloc.h"

/* Tables with a schema have fewer columns than this. */
#define SCHEMA_MAX 64

/* ---- columns */

void firefox_column_release(struct firefox_column *c)
{
	free(c->rows);
	free(c->numbers);
	free(c->large);
	c->rows = NULL;
	c->numbers = NULL;
	c->large = NULL;
	c->count = c->alloc = c->ones = c->large_count = c->large_alloc = 0;
}

/* Returns 1 in the units of the column. */
static int64_t one_of(const struct firefox_column *c)
{
	return (int64_t)fg_pow10((unsigned)c->decimals);
}

int64_t firefox_number(const struct firefox_column *c, size_t at)
{
	if (at < c->ones)
		return one_of(c);
	return at < c->count ? c->numbers[at - c->ones] : FIREFOX_NO_NUMBER;
}

struct fg_sum firefox_large(const struct firefox_column *c, size_t at)
{
	size_t low = 0, high = c->large_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->large[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->large_count ? c->large[low].value : (struct fg_sum){ 0, 0 };
}

/*
 * Stores a number that does not fit into 64 bits. Returns FIREFOX_LARGE, or
 * FIREFOX_NO_NUMBER if it is negative or malformed.
 */
static int64_t add_large(struct firefox_column *c, struct fg_str text)
{
	struct firefox_large large = { c->count, { 0, 0 } };
	bool negative;

	if (fg_decimal_sum(text, c->decimals, &large.value, &negative) || negative)
		return FIREFOX_NO_NUMBER;
	FG_GROW(c->large, c->large_alloc, c->large_count + 1);
	c->large[c->large_count++] = large;
	return FIREFOX_LARGE;
}

static void add_number(struct firefox_column *c, int64_t number)
{
	if (c->ones == c->count && number == one_of(c)) {
		c->ones++;
	} else {
		FG_GROW(c->numbers, c->alloc, c->count - c->ones + 1);
		c->numbers[c->count - c->ones] = number;
	}
	c->count++;
}

static void add_row(struct firefox_column *c, uint32_t row)
{
	FG_GROW(c->rows, c->alloc, c->count + 1);
	c->rows[c->count++] = row;
}

/* Adds the token just read as the value of row `at`. Fills missing rows before it. */
static void add_value(struct firefox_column *c, size_t at, struct fg_json *j,
		      enum fg_json_kind kind)
{
	int64_t number = FIREFOX_NO_NUMBER;
	uint32_t row = FIREFOX_BAD;
	uint64_t value;

	while (c->count < at && c->is_number)
		add_number(c, FIREFOX_NO_NUMBER);
	while (c->count < at && !c->is_number)
		add_row(c, FIREFOX_NONE);
	if (c->is_number) {
		if (kind == FG_JSON_NUMBER || kind == FG_JSON_STRING)
			if (fg_decimal_i64(j->text, c->decimals, &number))
				number = add_large(c, j->text);
		add_number(c, number);
		return;
	}
	if (kind == FG_JSON_NULL)
		row = FIREFOX_NONE;
	else if (kind == FG_JSON_NUMBER && !fg_str_u64(j->text, &value) &&
		 value < FIREFOX_BAD)
		row = (uint32_t)value;
	add_row(c, row);
}

void firefox_read_column(struct fg_json *j, struct firefox_column *c)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	firefox_column_release(c);
	while (fg_json_more(j, &kind)) {
		add_value(c, c->count, j, kind);
		fg_json_skip(j, kind);
	}
}

/* ---- tables */

static struct firefox_column *find(struct firefox_column **columns, struct fg_str name)
{
	for (; *columns; columns++)
		if (fg_str_eq(name, fg_str_from((*columns)->name)))
			return *columns;
	return NULL;
}

/* Reads {"prefix": 0, "frame": 1}: sets at[0] and at[1] to these columns. */
static void read_schema(struct fg_json *j, struct firefox_column **columns,
			struct firefox_column *at[SCHEMA_MAX])
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind)) {
		struct firefox_column *c = find(columns, j->text);
		uint64_t place;

		if (!fg_str_u64(fg_json_value(j), &place) && place < SCHEMA_MAX)
			at[place] = c;
	}
}

/* Reads [[4, 17], [0, 18, ...], ...]. */
static void read_rows(struct fg_json *j, struct firefox_column *at[SCHEMA_MAX])
{
	enum fg_json_kind kind;
	size_t row = 0;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	for (; fg_json_more(j, &kind); row++) {
		if (kind != FG_JSON_ARRAY) {
			fg_json_skip(j, kind);
			continue;
		}
		for (size_t i = 0; fg_json_more(j, &kind); i++) {
			if (i < SCHEMA_MAX && at[i] && at[i]->count <= row)
				add_value(at[i], row, j, kind);
			fg_json_skip(j, kind);
		}
	}
}

/* Appends a row of read_rows() without its '['. Only numbers are kept. */
static void save_row(struct fg_json *j, struct fg_buf *saved)
{
	enum fg_json_kind kind;

	fg_buf_add_char(saved, '[');
	for (size_t i = 0; fg_json_more(j, &kind); i++) {
		if (i)
			fg_buf_add_char(saved, ',');
		fg_buf_add_str(saved,
			       kind == FG_JSON_NUMBER ? j->text : FG_STR("null"));
		fg_json_skip(j, kind);
	}
	fg_buf_add_char(saved, ']');
}

/* Saves rows that come before their schema, as JSON for read_rows(). */
static void save_rows(struct fg_json *j, struct fg_buf *saved)
{
	enum fg_json_kind kind;

	fg_buf_clear(saved);
	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	fg_buf_add_char(saved, '[');
	while (fg_json_more(j, &kind)) {
		if (saved->len > 1)
			fg_buf_add_char(saved, ',');
		if (kind == FG_JSON_ARRAY) {
			save_row(j, saved);
		} else {
			fg_buf_add_str(saved, FG_STR("null"));
			fg_json_skip(j, kind);
		}
	}
	fg_buf_add_char(saved, ']');
}

static void read_saved(const struct fg_buf *saved,
		       struct firefox_column *at[SCHEMA_MAX])
{
	struct fg_json j;

	fg_json_init(&j, fg_buf_str(saved));
	read_rows(&j, at);
	fg_json_release(&j);
}

bool firefox_read_table(struct fg_json *j, struct firefox_column **columns)
{
	struct firefox_column *at[SCHEMA_MAX] = { NULL };
	struct fg_buf saved = FG_BUF_INIT;
	bool has_schema = false;
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return false;
	while (fg_json_more(j, &kind)) {
		struct firefox_column *c = find(columns, j->text);

		if (c && c->text) {
			struct fg_str text = fg_json_value(j);

			fg_buf_clear(c->text);
			fg_buf_add_str(c->text, text);
		} else if (c) {
			firefox_read_column(j, c);
		} else if (fg_str_eq(j->text, FG_STR("schema"))) {
			read_schema(j, columns, at);
			has_schema = true;
		} else if (has_schema && fg_str_eq(j->text, FG_STR("data"))) {
			for (struct firefox_column **k = columns; *k; k++)
				firefox_column_release(*k);
			read_rows(j, at);
		} else if (fg_str_eq(j->text, FG_STR("data"))) {
			save_rows(j, &saved);
		} else {
			fg_json_skip(j, fg_json_next(j));
		}
	}
	if (has_schema && saved.len)
		read_saved(&saved, at);
	fg_buf_release(&saved);
	return has_schema;
}

/* ---- strings */

void firefox_strings_release(struct firefox_strings *s)
{
	fg_buf_release(&s->text);
	free(s->ends);
	memset(s, 0, sizeof(*s));
}

/* Reads strings after '['. */
static void read_list(struct fg_json *j, struct firefox_strings *s)
{
	enum fg_json_kind kind;

	firefox_strings_release(s);
	while (fg_json_more(j, &kind)) {
		if (kind == FG_JSON_STRING)
			fg_buf_add_str(&s->text, j->text);
		fg_json_skip(j, kind);
		FG_GROW(s->ends, s->alloc, s->count + 1);
		s->ends[s->count++] = s->text.len;
	}
}

void firefox_read_strings(struct fg_json *j, struct firefox_strings *s)
{
	enum fg_json_kind kind = fg_json_next(j);

	if (kind == FG_JSON_ARRAY) {
		read_list(j, s);
		return;
	}
	if (kind != FG_JSON_OBJECT)
		return;
	while (fg_json_more(j, &kind)) /* {"_array": [...]} */
		if (!fg_str_eq(j->text, FG_STR("_array")))
			fg_json_skip(j, fg_json_next(j));
		else if (fg_json_enter(j, FG_JSON_ARRAY))
			read_list(j, s);
}

struct fg_str firefox_string(const struct firefox_strings *s, uint32_t at)
{
	size_t start;

	if (at >= s->count)
		return FG_STR("");
	start = at ? s->ends[at - 1] : 0;
	return s->ends[at] > start ?
		       fg_str_of(s->text.ptr + start, s->ends[at] - start) :
		       FG_STR("");
}
