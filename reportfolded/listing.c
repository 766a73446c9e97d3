/*
 * Writes the source of functions with the counts of each line in front:
 *
 *     parse: self 12 (1.98 %), total 340 (56.01 %)
 *     src/parse.c
 *     self  total  line  source
 *        .      .    39  {
 *        2    330    40          while ((c = next()) >= 0)
 *       10     10    41                  hash = hash * 31 + c;
 *                         ...
 *
 * Lines without counts are shown only near lines with counts.
 */
#include "reportfolded/listing.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/profile/source.h"
#include "reportfolded/lines.h"
#include "reportfolded/names.h"
#include "reportfolded/table.h"

/* Lines that are shown before and after each line with counts. */
#define CONTEXT 3

/* A longer line of source is cut to this many columns. */
#define SOURCE_COLUMNS 200

#define TAB 8

struct listing {
	const struct fg_report *report;
	struct fg_lines lines;
	struct fg_functions functions; /* by function */
	struct fg_functions by_line; /* by name, which is a line of a function */
	struct fg_sources sources;
	struct fg_out text; /* the table of a file, before its margin is added */

	/* Indices in `by_line`, sorted by function, file and line. */
	uint32_t *sorted;
	/* indexed by id of the function: its first line in `sorted`; one entry more */
	size_t *starts;
};

static const struct fg_named_line *line_of(const struct listing *l, uint32_t index)
{
	return &l->lines.of[l->by_line.items[index].name];
}

/* ---- the counts */

static void add_count(const struct listing *l, struct fg_table *t, uint64_t count)
{
	if (count)
		fg_columns_add_count(&l->report->profile, &t->text, count);
	else
		fg_buf_add_char(&t->text, '.');
	fg_table_end_cell(t);
}

/* Appends the difference of two counts with its sign. */
static void add_delta(const struct fg_columns *p, struct fg_buf *b,
		      const uint64_t *counts)
{
	uint64_t before = counts[FG_BEFORE], after = counts[FG_AFTER];

	fg_buf_add_char(b, after < before ? '-' : '+');
	fg_columns_add_count(p, b, after > before ? after - before : before - after);
}

/* Adds the cells of self or total: one count, or before, after and the difference. */
static void add_cells(const struct listing *l, struct fg_table *t,
		      const uint64_t *counts)
{
	const struct fg_columns *p = &l->report->profile;

	if (p->columns == 1) {
		add_count(l, t, counts[FG_AFTER]);
		return;
	}
	add_count(l, t, counts[FG_BEFORE]);
	add_count(l, t, counts[FG_AFTER]);
	if (counts[FG_BEFORE] == counts[FG_AFTER])
		fg_buf_add_char(&t->text, '.');
	else
		add_delta(p, &t->text, counts);
	fg_table_end_cell(t);
}

static void add_part(const struct listing *l, struct fg_buf *b, const char *label,
		     const uint64_t *counts)
{
	const struct fg_columns *p = &l->report->profile;

	fg_buf_addf(b, "%s ", label);
	for (unsigned i = p->columns == 1 ? FG_AFTER : FG_BEFORE; i <= FG_AFTER; i++) {
		if (p->columns == 2 && i == FG_AFTER)
			fg_buf_add_str(b, FG_STR(" -> "));
		fg_columns_add_count(p, b, counts[i]);
		fg_buf_addf(b, " (%.2f %%)", fg_columns_share(p, i, counts[i]));
	}
	if (p->columns == 2) {
		fg_buf_add_str(b, FG_STR(", "));
		add_delta(p, b, counts);
	}
}

static void write_head(const struct listing *l, const struct fg_function *f)
{
	struct fg_str name = fg_intern_name(&l->lines.functions, f->name);
	bool markdown = l->report->options->format == FG_REPORT_MARKDOWN;
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_add_str(&line, markdown ? FG_STR("\n### ") : FG_STR("\n"));
	fg_report_add_name(&line, name,
			   (enum fg_report_format)l->report->options->format);
	add_part(l, &line, ": self", f->self);
	add_part(l, &line, "; total", f->total);
	fg_buf_add_char(&line, '\n');
	fg_out_add_str(l->report->out, fg_buf_str(&line));
	fg_buf_release(&line);
}

/* ---- the lines of a file */

/* Appends a line of source with its tabs expanded, so that columns stay in place. */
static void add_source(struct fg_buf *b, struct fg_str source)
{
	struct fg_buf plain = FG_BUF_INIT;

	while (source.len && plain.len < 4 * SOURCE_COLUMNS) {
		struct fg_str part =
			fg_str_before(source, fg_str_find_char(source, '\t'));
		size_t columns;

		fg_buf_add_str(&plain, part);
		source = fg_str_from_pos(source, part.len);
		if (!source.len)
			break;
		columns = fg_utf8_columns(fg_buf_str(&plain));
		do
			fg_buf_add_char(&plain, ' ');
		while (++columns % TAB);
		source = fg_str_from_pos(source, 1);
	}
	fg_report_add_name(b, fg_utf8_fitting(fg_buf_str(&plain), SOURCE_COLUMNS),
			   FG_REPORT_TEXT);
	if (source.len || fg_utf8_columns(fg_buf_str(&plain)) > SOURCE_COLUMNS)
		fg_buf_add_str(b, FG_STR(".."));
	fg_buf_release(&plain);
}

/* Adds a row. `f` has the counts of the line, or is NULL if it has none. */
static void add_row(struct listing *l, struct fg_table *t, uint64_t number,
		    const struct fg_function *f)
{
	static const uint64_t none[2] = { 0, 0 };

	add_cells(l, t, f ? f->self : none);
	add_cells(l, t, f ? f->total : none);
	fg_table_cell(t, "%llu", (unsigned long long)number);
	if (l->sources.lines && number > l->sources.lines)
		fg_buf_add_str(&t->text, FG_STR("(beyond the end of the file)"));
	else
		add_source(&t->text, fg_sources_line(&l->sources, (uint32_t)number));
	fg_table_end_cell(t);
}

static void add_gap(struct fg_table *t)
{
	for (unsigned i = 0; i + 1 < t->columns; i++)
		fg_table_end_cell(t);
	fg_table_cell(t, "...");
}

/*
 * Adds the rows of lines from `start` up to `end` in l->sorted, which are of one file,
 * with their context.
 */
static void add_rows(struct listing *l, struct fg_table *t, size_t start, size_t end)
{
	uint64_t context = l->sources.lines ? CONTEXT : 0, last = l->sources.lines;
	uint64_t next = 0; /* the first line that is not shown yet; 0: none is shown */

	for (size_t i = start; i < end; i++) {
		const struct fg_function *f = &l->by_line.items[l->sorted[i]];
		uint64_t number = line_of(l, l->sorted[i])->number;
		uint64_t from = number > context ? number - context : 1;
		uint64_t to = number + context < last ? number + context : last;

		if (i + 1 < end && line_of(l, l->sorted[i + 1])->number <= to)
			to = line_of(l, l->sorted[i + 1])->number - 1;
		if (next && from > next && last)
			add_gap(t);
		if (from < next)
			from = next;
		if (number > last)
			from = number;
		for (uint64_t n = from; n < number; n++)
			add_row(l, t, n, NULL);
		add_row(l, t, number, f);
		for (next = number + 1; next <= to; next++)
			add_row(l, t, next, NULL);
	}
}

/* Writes the table that is in l->text, in Markdown as a block of code. */
static void flush_table(struct listing *l)
{
	bool markdown = l->report->options->format == FG_REPORT_MARKDOWN;
	struct fg_str rest = fg_buf_str(&l->text.buf);

	if (markdown)
		fg_out_add_char(l->report->out, '\n');
	while (rest.len) {
		struct fg_str line = fg_str_trim_right(fg_str_cut(&rest, '\n'));

		if (markdown)
			fg_out_add_str(l->report->out, FG_STR("    "));
		fg_out_add_str(l->report->out, line);
		fg_out_add_char(l->report->out, '\n');
	}
	fg_buf_clear(&l->text.buf);
}

/* The columns of a table, for one count and for two. */
static const char *const one_count[] = { "self", "total", "line", "source" };
static const char *const two_counts[] = { "self before",  "after", "delta",
					  "total before", "after", "delta",
					  "line",	  "source" };

static void init_table(const struct listing *l, struct fg_table *t)
{
	if (l->report->profile.columns == 1)
		fg_table_init(t, FG_REPORT_TEXT, one_count, FG_COUNT_OF(one_count));
	else
		fg_table_init(t, FG_REPORT_TEXT, two_counts, FG_COUNT_OF(two_counts));
}

/* Writes the name of a file as it was found, else as the profile has it. */
static void write_name(const struct listing *l, struct fg_str path, bool found)
{
	enum fg_report_format format =
		(enum fg_report_format)l->report->options->format;
	struct fg_buf name = FG_BUF_INIT;

	if (format == FG_REPORT_MARKDOWN)
		fg_buf_add_char(&name, '\n');
	fg_report_add_name(&name, found ? fg_buf_str(&l->sources.found) : path, format);
	fg_buf_add_str(&name, found ? FG_STR("\n") : FG_STR(" (source not found)\n"));
	fg_out_add_str(l->report->out, fg_buf_str(&name));
	fg_buf_release(&name);
}

/* Writes the lines from `start` up to `end`, which are of one file. */
static void write_file(struct listing *l, size_t start, size_t end)
{
	struct fg_str path =
		fg_intern_name(&l->lines.files, line_of(l, l->sorted[start])->file);
	bool found = fg_sources_read(&l->sources, path);
	struct fg_table t;

	if (!found)
		fg_sources_forget(&l->sources);
	write_name(l, path, found);
	init_table(l, &t);
	add_rows(l, &t, start, end);
	fg_table_write(&t, &l->text);
	flush_table(l);
	fg_table_release(&t);
}

/* Writes the counts of a function's frames without a line. */
static void write_unknown(struct listing *l, uint32_t index)
{
	const struct fg_function *f = &l->by_line.items[index];
	struct fg_table t;

	init_table(l, &t);
	add_cells(l, &t, f->self);
	add_cells(l, &t, f->total);
	fg_table_cell(&t, "?");
	fg_table_cell(&t, "(line not known)");
	fg_table_write(&t, &l->text);
	flush_table(l);
	fg_table_release(&t);
}

/* ---- the functions */

static int compare_lines(const void *context, uint32_t a, uint32_t b)
{
	const struct listing *l = context;
	const struct fg_named_line *one = line_of(l, a), *other = line_of(l, b);

	if (one->function != other->function)
		return one->function < other->function ? -1 : 1;
	if (!one->number || !other->number)
		return (one->number != 0) - (other->number != 0);
	if (one->file != other->file)
		return fg_str_cmp(fg_intern_name(&l->lines.files, one->file),
				  fg_intern_name(&l->lines.files, other->file));
	return (one->number > other->number) - (one->number < other->number);
}

static void sort_lines(struct listing *l)
{
	size_t count = l->by_line.count, functions = l->lines.functions.count;

	l->sorted = fg_xcalloc(count, sizeof(*l->sorted));
	l->starts = fg_xcalloc(functions + 1, sizeof(*l->starts));
	for (uint32_t i = 0; i < count; i++) {
		l->sorted[i] = i;
		l->starts[line_of(l, i)->function + 1]++;
	}
	for (size_t i = 0; i < functions; i++)
		l->starts[i + 1] += l->starts[i];
	fg_sort(l->sorted, count, compare_lines, l);
}

static void write_tsv(const struct listing *l, const struct fg_function *f)
{
	const struct fg_columns *p = &l->report->profile;
	struct fg_buf row = FG_BUF_INIT;

	for (size_t i = l->starts[f->name]; i < l->starts[f->name + 1]; i++) {
		const struct fg_function *counts = &l->by_line.items[l->sorted[i]];
		const struct fg_named_line *line = line_of(l, l->sorted[i]);

		fg_buf_clear(&row);
		fg_report_add_name(&row, fg_intern_name(&l->lines.functions, f->name),
				   FG_REPORT_TSV);
		fg_buf_add_char(&row, '\t');
		if (line->number) {
			fg_report_add_name(&row,
					   fg_intern_name(&l->lines.files, line->file),
					   FG_REPORT_TSV);
			fg_buf_addf(&row, "\t%lu", (unsigned long)line->number);
		} else {
			fg_buf_add_char(&row, '\t');
		}
		for (unsigned column = FG_AFTER, n = p->columns; n; n--, column--) {
			fg_buf_add_char(&row, '\t');
			fg_columns_add_count(p, &row, counts->self[column]);
			fg_buf_add_char(&row, '\t');
			fg_columns_add_count(p, &row, counts->total[column]);
		}
		fg_buf_add_char(&row, '\n');
		fg_out_add_str(l->report->out, fg_buf_str(&row));
	}
	fg_buf_release(&row);
}

static void write_function(struct listing *l, const struct fg_function *f)
{
	size_t start = l->starts[f->name], end = l->starts[f->name + 1];

	if (l->report->options->format == FG_REPORT_TSV) {
		write_tsv(l, f);
		return;
	}
	write_head(l, f);
	if (start < end && !line_of(l, l->sorted[start])->number)
		write_unknown(l, l->sorted[start++]);
	for (size_t next; start < end; start = next) {
		uint32_t file = line_of(l, l->sorted[start])->file;

		next = start + 1;
		while (next < end && line_of(l, l->sorted[next])->file == file)
			next++;
		write_file(l, start, next);
	}
}

static fg_function_rank *rank_of(const struct listing *l)
{
	bool by_self = l->report->options->sort == FG_REPORT_BY_SELF;

	if (l->report->profile.columns == 2)
		return by_self ? fg_function_by_self_change :
				 fg_function_by_total_change;
	return by_self ? fg_function_by_self : fg_function_by_total;
}

/* Sets matches[i] for functions that match. Returns their number, or -1. */
static int64_t match(const struct listing *l, char *matches)
{
	const struct fg_intern *names = &l->lines.functions;
	int64_t count = 0;

	for (uint32_t i = 0; i < names->count; i++) {
		int found = fg_regex_match(l->report->options->regex,
					   fg_intern_name(names, i));

		if (found < 0)
			return -1;
		matches[i] = (char)found;
		count += found;
	}
	return count;
}

static int write_matches(struct listing *l, const char *matches)
{
	const struct fg_report *r = l->report;
	uint32_t *order = fg_functions_order(&l->functions, &r->profile, rank_of(l));
	uint64_t room = r->options->limit;

	if (r->options->format != FG_REPORT_TSV)
		fg_report_preface(r);
	if (r->options->format == FG_REPORT_TSV)
		fg_out_addf(r->out, "name\tfile\tline\tself\ttotal%s\n",
			    r->profile.columns == 2 ? "\tself before\ttotal before" :
						      "");
	for (size_t i = 0; i < l->functions.count && room; i++) {
		const struct fg_function *f = &l->functions.items[order[i]];

		if (!matches[f->name])
			continue;
		write_function(l, f);
		room--;
	}
	free(order);
	return 0;
}

static int list(struct listing *l)
{
	const struct fg_report *r = l->report;
	char *matches = fg_xcalloc(l->lines.functions.count, 1);
	int64_t count = match(l, matches);
	int status = count < 0 ? -1 : 0;

	if (!count)
		status = fg_error(r->diag, NULL, "no function matches '%s'",
				  r->options->given.list);
	if (!status)
		status = write_matches(l, matches);
	free(matches);
	return status;
}

int fg_report_listing(const struct fg_report *r)
{
	struct listing l = { .report = r };
	const struct fg_opt_list *folders = &r->options->source_dirs;
	int status;

	fg_lines_init(&l.lines, &r->profile.tree.names);
	if (!l.lines.any)
		status = fg_error(r->diag, NULL,
				  "no frame has a source line: fold the recording "
				  "with --lines, as in collapse-perf --lines");
	else
		status = fg_sources_open(&l.sources, folders->items, folders->count,
					 r->diag);
	if (!status) {
		fg_out_init_memory(&l.text);
		fg_lines_functions(&l.lines, &r->profile, &l.functions);
		fg_functions_init(&l.by_line, &r->profile);
		sort_lines(&l);
		status = list(&l);
		fg_sources_end(&l.sources);
		fg_out_close(&l.text);
	}
	fg_functions_release(&l.functions);
	fg_functions_release(&l.by_line);
	fg_sources_release(&l.sources);
	fg_lines_release(&l.lines);
	free(l.sorted);
	free(l.starts);
	return status;
}
