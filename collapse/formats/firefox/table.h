/* Tables of the Firefox Profiler: columns, or rows whose columns a schema names. */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_TABLE_H
#define FG_COLLAPSE_FORMATS_FIREFOX_TABLE_H

#include "collapse/json.h"
#include "lib/base/count.h"

#define FIREFOX_NONE UINT32_MAX /* null, or behind the end of a column */
#define FIREFOX_BAD (UINT32_MAX - 1) /* no number that a row can have */

/* Time that is not there. */
#define FIREFOX_NO_NUMBER INT64_MIN

/* A number that does not fit, see firefox_large. */
#define FIREFOX_LARGE (INT64_MIN + 1)

struct firefox_large {
	size_t at;
	struct fg_sum value;
};

/*
 * A column of row numbers, or of numbers in units of 10^-decimals. All that are 1 from
 * the start, as weights mostly are, take no memory.
 */
struct firefox_column {
	const char *name;
	bool is_number;
	int decimals;
	struct fg_buf *text; /* where set: no column, but a text, which goes there */

	bool late; /* its values came before it was known whose they are */
	uint32_t *rows;
	int64_t *numbers;
	size_t ones; /* so many numbers at the start are 1, and are not held */
	size_t count, alloc;
	struct firefox_large *large; /* in the order of rows */
	size_t large_count, large_alloc;
};

void firefox_column_release(struct firefox_column *c);

static inline uint32_t firefox_row(const struct firefox_column *c, size_t at)
{
	return at < c->count ? c->rows[at] : FIREFOX_NONE;
}

int64_t firefox_number(const struct firefox_column *c, size_t at);

/* The number of a row of which that is FIREFOX_LARGE. */
struct fg_sum firefox_large(const struct firefox_column *c, size_t at);

/*
 * Reads a table, a value of the JSON, into those of its columns that are asked for. The
 * names of the columns end with NULL. Whether it was an object with rows of a schema.
 */
bool firefox_read_table(struct fg_json *j, struct firefox_column **columns);

/* The same of one column, or a list of numbers. */
void firefox_read_column(struct fg_json *j, struct firefox_column *c);

/* A list of strings, one after the other. */
struct firefox_strings {
	struct fg_buf text;
	size_t *ends;
	size_t count, alloc;
};

void firefox_strings_release(struct firefox_strings *s);
void firefox_read_strings(struct fg_json *j, struct firefox_strings *s);

/* Empty where there is none of that number. */
struct fg_str firefox_string(const struct firefox_strings *s, uint32_t at);

#endif
