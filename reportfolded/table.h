/*
 * A table for people: text in columns, or Markdown.
 *
 * All columns but the last are numbers, at the right; the last is a name. Cells come
 * row by row, from left to right.
 */
#ifndef FG_REPORTFOLDED_TABLE_H
#define FG_REPORTFOLDED_TABLE_H

#include "lib/base/out.h"
#include "reportfolded/options.h"

struct fg_table {
	enum fg_report_format format; /* FG_REPORT_TEXT or FG_REPORT_MARKDOWN */
	const char *const *headers; /* of `columns` columns; borrowed */
	unsigned columns;
	struct fg_buf text; /* of all cells */
	size_t *ends; /* where in it each of them ends */
	size_t count;
	size_t alloc;
};

void fg_table_init(struct fg_table *t, enum fg_report_format format,
		   const char *const *headers, unsigned columns);
void fg_table_release(struct fg_table *t);

/* Ends a cell, whose text was added to t->text. */
void fg_table_end_cell(struct fg_table *t);

/* A whole cell; text as printf's. */
void fg_table_cell(struct fg_table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fg_table_name(struct fg_table *t, struct fg_str name);

void fg_table_write(const struct fg_table *t, struct fg_out *out);

#endif
