/*
 * Writes a table for people: text in columns, or Markdown.
 *
 * All columns but the last are numbers, aligned at the right. The last one is a name.
 * Add the cells row by row, from left to right.
 */
#ifndef FG_REPORTFOLDED_TABLE_H
#define FG_REPORTFOLDED_TABLE_H

#include "lib/base/out.h"
#include "reportfolded/options.h"

struct fg_table {
	enum fg_report_format format; /* FG_REPORT_TEXT or FG_REPORT_MARKDOWN */
	const char *const *headers; /* `columns` of them; borrowed */
	unsigned columns;
	struct fg_buf text; /* the text of all cells */
	size_t *ends; /* the end of each cell in `text` */
	size_t count;
	size_t alloc;
};

void fg_table_init(struct fg_table *t, enum fg_report_format format,
		   const char *const *headers, unsigned columns);
void fg_table_release(struct fg_table *t);

/* Ends a cell whose text the caller has added to t->text. */
void fg_table_end_cell(struct fg_table *t);

/* Add a whole cell: text like printf()'s, or a name. */
void fg_table_cell(struct fg_table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fg_table_name(struct fg_table *t, struct fg_str name);

void fg_table_write(const struct fg_table *t, struct fg_out *out);

#endif
