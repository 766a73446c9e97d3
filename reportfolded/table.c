/* Writes tables of numbers and names, in columns or as Markdown. */
#include "reportfolded/table.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"
#include "reportfolded/names.h"

void fg_table_init(struct fg_table *t, enum fg_report_format format,
		   const char *const *headers, unsigned columns)
{
	*t = (struct fg_table){ .format = format,
				.headers = headers,
				.columns = columns };
}

void fg_table_release(struct fg_table *t)
{
	fg_buf_release(&t->text);
	free(t->ends);
	*t = (struct fg_table){ 0 };
}

void fg_table_end_cell(struct fg_table *t)
{
	FG_GROW(t->ends, t->alloc, t->count + 1);
	t->ends[t->count++] = t->text.len;
}

void fg_table_cell(struct fg_table *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(&t->text, format, args);
	va_end(args);
	fg_table_end_cell(t);
}

void fg_table_name(struct fg_table *t, struct fg_str name)
{
	fg_report_add_name(&t->text, name, t->format);
	fg_table_end_cell(t);
}

static struct fg_str cell(const struct fg_table *t, size_t i)
{
	size_t start = i ? t->ends[i - 1] : 0;

	return fg_str_of(t->text.ptr + start, t->ends[i] - start);
}

static void write_markdown(const struct fg_table *t, struct fg_out *out)
{
	for (unsigned i = 0; i < t->columns; i++)
		fg_out_addf(out, "%s %s ", i ? "|" : "\n|", t->headers[i]);
	fg_out_add_str(out, FG_STR("|\n"));
	for (unsigned i = 0; i < t->columns; i++)
		fg_out_addf(out, "| %s ", i + 1 < t->columns ? "---:" : ":---");
	fg_out_add_str(out, FG_STR("|\n"));
	for (size_t row = 0; row < t->count; row += t->columns) {
		for (unsigned i = 0; i < t->columns; i++) {
			fg_out_add_str(out, FG_STR("| "));
			fg_out_add_str(out, cell(t, row + i));
			fg_out_add_char(out, ' ');
		}
		fg_out_add_str(out, FG_STR("|\n"));
	}
}

static void write_padded(struct fg_str text, size_t width, struct fg_out *out)
{
	for (size_t i = text.len; i < width; i++)
		fg_out_add_char(out, ' ');
	fg_out_add_str(out, text);
	fg_out_add_str(out, FG_STR("  "));
}

static void write_text(const struct fg_table *t, struct fg_out *out)
{
	unsigned last = t->columns - 1;
	size_t *widths = fg_xcalloc(t->columns, sizeof(*widths));

	for (unsigned i = 0; i < last; i++)
		widths[i] = strlen(t->headers[i]);
	for (size_t row = 0; row < t->count; row += t->columns)
		for (unsigned i = 0; i < last; i++)
			if (cell(t, row + i).len > widths[i])
				widths[i] = cell(t, row + i).len;
	for (unsigned i = 0; i < last; i++)
		write_padded(fg_str_from(t->headers[i]), widths[i], out);
	fg_out_addf(out, "%s\n", t->headers[last]);
	for (size_t row = 0; row < t->count; row += t->columns) {
		for (unsigned i = 0; i < last; i++)
			write_padded(cell(t, row + i), widths[i], out);
		fg_out_add_str(out, cell(t, row + last));
		fg_out_add_char(out, '\n');
	}
	free(widths);
}

void fg_table_write(const struct fg_table *t, struct fg_out *out)
{
	if (t->format == FG_REPORT_MARKDOWN)
		write_markdown(t, out);
	else
		write_text(t, out);
}
