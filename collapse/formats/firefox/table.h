/*
 * The tables of the Firefox Profiler. Most have columns, and raw profiles have rows,
 * with a schema that names their columns. Both of these become the same two columns:
 *
 *     {"prefix": [null, 0], "frame": [0, 1]}
 *     {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]}
 *
 * The schema may come after the rows, which version 13 of 2016 does in some tables.
 * A caller names the columns that it needs; firefox_read_table() skips the others.
 */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_TABLE_H
#define FG_COLLAPSE_FORMATS_FIREFOX_TABLE_H

#include "lib/base/json.h"
#include "lib/base/count.h"

/*
 * Special results of firefox_row(). NONE: the value is null or past the end of the
 * column. BAD: the value is malformed.
 */
#define FIREFOX_NONE UINT32_MAX
#define FIREFOX_BAD (UINT32_MAX - 1)

/* A missing or malformed number. */
#define FIREFOX_NO_NUMBER INT64_MIN

/* The number does not fit into 64 bits; firefox_large() returns it. */
#define FIREFOX_LARGE (INT64_MIN + 1)

struct firefox_large {
	size_t at;
	struct fg_sum value;
};

/*
 * A column of row numbers or, with .is_number, of numbers in units of 10^-decimals.
 * Ones at its start are only counted, because most weights are 1.
 */
struct firefox_column {
	const char *name;
	bool is_number;
	int decimals;
	/* if set, the table has a single string, not a list; it is stored here */
	struct fg_buf *text;

	uint32_t *rows;
	int64_t *numbers;
	/* number of ones at the start of the column, which `numbers` does not have */
	size_t ones;
	size_t count, alloc;
	struct firefox_large *large; /* sorted by row */
	size_t large_count, large_alloc;
};

void firefox_column_release(struct firefox_column *c);

/* Returns a row number, FIREFOX_NONE or FIREFOX_BAD. */
static inline uint32_t firefox_row(const struct firefox_column *c, size_t at)
{
	return at < c->count ? c->rows[at] : FIREFOX_NONE;
}

/* Returns a number, FIREFOX_NO_NUMBER or FIREFOX_LARGE. */
int64_t firefox_number(const struct firefox_column *c, size_t at);

/* Returns the number of a row for which firefox_number() returns FIREFOX_LARGE. */
struct fg_sum firefox_large(const struct firefox_column *c, size_t at);

/*
 * Reads the next value, a table, into `columns`, which end with NULL. Returns true if
 * it had a schema and rows.
 */
bool firefox_read_table(struct fg_json *j, struct firefox_column **columns);

/* Like firefox_read_table(), for a single column: reads a list of numbers. */
void firefox_read_column(struct fg_json *j, struct firefox_column *c);

/* A list of strings, stored one after the other. */
struct firefox_strings {
	struct fg_buf text;
	size_t *ends;
	size_t count, alloc;
};

void firefox_strings_release(struct firefox_strings *s);

/* Reads a list of strings. Elements of another kind become "". */
void firefox_read_strings(struct fg_json *j, struct firefox_strings *s);

/* Returns string number `at`, or "" if the list is shorter. */
struct fg_str firefox_string(const struct firefox_strings *s, uint32_t at);

#endif
