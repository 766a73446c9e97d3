/*
 * Reads the Call Tree of Visual Studio's profiler, exported as CSV (VSPerfReport
 * /Summary:CallTree): a tree in preorder.
 *
 *     Level,Function Name,Inclusive Samples,Exclusive Samples,...,Module Name,
 *     0,"an_executable.exe","8,735",0,...
 *     1,"main","8,735",35,...,"an_executable.exe",
 *     2,"testing::UnitTest::Run","8,700","8,700",...,"an_executable.exe",
 *
 * A report of instrumentation has "Number of Calls" and "Avg Elapsed Exclusive Time",
 * in milliseconds, instead of samples.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/outline.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

#define OPTIONS struct options
struct options {
	bool calls;
};

static const struct fg_opt rows[] = {
	SECTION("Weight"),
	FLAG("calls", calls, "count calls of a function, less the calls that it makes"),
	FG_OPT_END,
};

/* The columns that we need. */
enum column { LEVEL, FUNCTION, SAMPLES, CALLS, AVERAGE, COLUMNS };

#define NOWHERE SIZE_MAX

struct vsprof {
	struct fg_sink *sink;
	bool wants_calls;
	char delimiter; /* 0 before the header */
	size_t columns[COLUMNS]; /* index of each column, or NOWHERE */
	size_t columns_used; /* one more than the largest index in `columns` */
	size_t column_count; /* number of columns in the header */
	struct fg_str *fields; /* fields of the current line */
	size_t field_count;
	size_t fields_alloc;
	struct fg_outline outline;
	struct fg_buf text; /* contents of the quoted fields; `fields` point into it */
	struct fg_buf number; /* scratch for a number */
};

static void *open_vsprof(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct vsprof *v = fg_xcalloc(1, sizeof(*v));
	const struct options *o = run->own;

	v->sink = sink;
	v->wants_calls = o->calls;
	fg_outline_init(&v->outline, sink, o->calls);
	v->outline.numbered = true;
	return v;
}

static void close_vsprof(void *state)
{
	struct vsprof *v = state;

	fg_buf_release(&v->text);
	fg_buf_release(&v->number);
	free(v->fields);
	fg_outline_release(&v->outline);
	free(v);
}

static void called_as(struct fg_collapse *run, const char *name)
{
	struct options *o = run->own;

	o->calls = !strcmp(name, "inferno-collapse-vsprof");
}

/* ---- fields */

/* Cuts a quoted field off `rest` and returns its text; "" in it is a quote. */
static struct fg_str cut_quoted(struct vsprof *v, struct fg_str *rest)
{
	size_t start = v->text.len;
	struct fg_str part;

	*rest = fg_str_from_pos(*rest, 1);
	part = fg_str_cut(rest, '"');
	if (fg_str_starts(*rest, FG_STR("\""))) {
		fg_buf_add_str(&v->text, part);
		while (fg_str_cut_start(rest, FG_STR("\""))) {
			fg_buf_add_char(&v->text, '"');
			fg_buf_add_str(&v->text, fg_str_cut(rest, '"'));
		}
		part = fg_str_of(v->text.ptr + start, v->text.len - start);
	}
	if (rest->len && rest->ptr[0] == v->delimiter)
		*rest = fg_str_from_pos(*rest, 1);
	else
		fg_str_cut(rest, v->delimiter);
	return part;
}

/* Splits a line into at most `max` v->fields. Returns true if there are more. */
static bool split(struct vsprof *v, struct fg_str line, size_t max)
{
	struct fg_str rest = line;

	/*
	 * the fields together are no longer than the line, so the buffer does not move
	 */
	fg_buf_clear(&v->text);
	fg_buf_reserve(&v->text, line.len + 1);
	v->field_count = 0;
	while (rest.len && v->field_count < max) {
		struct fg_str field = rest.ptr[0] == '"' ?
					      cut_quoted(v, &rest) :
					      fg_str_cut(&rest, v->delimiter);

		FG_GROW(v->fields, v->fields_alloc, v->field_count + 1);
		v->fields[v->field_count++] = field;
	}
	return rest.len;
}

static struct fg_str field(const struct vsprof *v, enum column column)
{
	size_t at = v->columns[column];

	return at < v->field_count ? fg_str_trim(v->fields[at]) : fg_str_of(NULL, 0);
}

/* Returns the length of the separator of thousands at the start of `s`, or 0. */
static size_t separator_length(struct fg_str s)
{
	static const struct fg_str separators[] = {
		FG_STR_INIT(","),
		FG_STR_INIT("."),
		FG_STR_INIT("'"),
		FG_STR_INIT(" "),
		FG_STR_INIT("\xc2\xa0"),
		FG_STR_INIT("\xe2\x80\xaf"),
		FG_STR_INIT("\xe2\x80\x99"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(separators); i++)
		if (fg_str_starts(s, separators[i]))
			return separators[i].len;
	return 0;
}

/*
 * Reads "8,735" or, unless `whole`, "1.234,56". A separator before exactly three digits
 * separates thousands. Any other separator is the decimal point, which a whole number
 * must not have. Unless `whole`, a separator of one byte before the last three digits
 * is the decimal point, too: "1,234" is 1.234. Returns 0, or -1 if the number is
 * malformed.
 */
static int read_number(struct vsprof *v, struct fg_str s, bool whole,
		       struct fg_count *number)
{
	number->decimals = 0;
	if (!fg_str_u64(s, &number->digits))
		return 0;
	fg_buf_clear(&v->number);

	while (s.len) {
		size_t digits = fg_str_span(s, fg_is_digit), skip;

		fg_buf_add_str(&v->number, fg_str_before(s, digits));
		s = fg_str_from_pos(s, digits);
		skip = separator_length(s);
		if (!s.len || !digits || !skip)
			break;
		s = fg_str_from_pos(s, skip);
		digits = fg_str_span(s, fg_is_digit);
		if (digits != 3 || (!whole && s.len == 3 && skip == 1))
			fg_buf_add_char(&v->number, whole ? '?' : '.');
	}
	if (s.len)
		fg_buf_add_char(&v->number, '?');
	return fg_count_parse(fg_buf_str(&v->number), number);
}

/* ---- rows */

/*
 * Sets the sum of a row: its exclusive samples, or its average time times `calls`, in
 * microseconds. Returns false if the number is malformed.
 */
static bool read_own(struct vsprof *v, uint64_t calls, struct fg_outline_row *row)
{
	struct fg_count each;
	unsigned more;

	if (v->columns[SAMPLES] != NOWHERE) {
		if (read_number(v, field(v, SAMPLES), true, &each))
			return false;
		row->sum.low = each.digits;
		return true;
	}
	if (read_number(v, field(v, AVERAGE), false, &each))
		return false;
	more = each.decimals < 3 ? 3 - each.decimals : 0;
	if (each.digits > UINT64_MAX / fg_pow10(more))
		return false;
	row->sum.low = each.digits * fg_pow10(more);
	row->sum = fg_sum_mul(row->sum, calls);
	row->decimals = each.decimals + more - 3;
	return true;
}

/* Adds a row of the tree. Returns false if it is malformed. */
static bool add_row(struct vsprof *v)
{
	struct fg_outline_row row = { .decimals = 0 };
	struct fg_count calls = { 0, 0 };
	bool is_whole = true;
	uint64_t level;

	if (fg_str_u64(field(v, LEVEL), &level) ||
	    (v->columns[CALLS] != NOWHERE &&
	     read_number(v, field(v, CALLS), true, &calls)))
		return false;
	if (!level) { /* the process */
		fg_outline_end(&v->outline);
		return true;
	}
	row.depth = level < SIZE_MAX ? (size_t)level : SIZE_MAX;
	row.name = fg_sink_name(v->sink, field(v, FUNCTION));
	if (v->wants_calls)
		row.sum.low = calls.digits;
	else
		is_whole = read_own(v, calls.digits, &row);
	fg_outline_add(&v->outline, &row); /* even if malformed: rows may be below it */
	return is_whole;
}

static void read_header(struct vsprof *v, struct fg_str line)
{
	static const struct fg_str names[COLUMNS] = {
		[LEVEL] = FG_STR_INIT("Level"),
		[FUNCTION] = FG_STR_INIT("Function Name"),
		[SAMPLES] = FG_STR_INIT("Exclusive Samples"),
		[CALLS] = FG_STR_INIT("Number of Calls"),
		[AVERAGE] = FG_STR_INIT("Avg Elapsed Exclusive Time"),
	};

	fg_outline_end(&v->outline);
	v->delimiter = line.ptr[strlen("Level")];
	split(v, line, SIZE_MAX);
	v->column_count = v->field_count;
	v->columns_used = 0;
	for (size_t i = 0; i < COLUMNS; i++) {
		v->columns[i] = NOWHERE;
		for (size_t k = 0; k < v->field_count; k++)
			if (fg_str_eq(fg_str_trim(v->fields[k]), names[i])) {
				v->columns[i] = k;
				if (v->columns_used <= k)
					v->columns_used = k + 1;
			}
	}
}

/* Returns true if the report has the columns for the weight. */
static bool has_weight(const struct vsprof *v)
{
	if (v->wants_calls)
		return v->columns[CALLS] != NOWHERE;
	return v->columns[SAMPLES] != NOWHERE ||
	       (v->columns[CALLS] != NOWHERE && v->columns[AVERAGE] != NOWHERE);
}

static void read_line(void *state, struct fg_str line)
{
	struct vsprof *v = state;

	if (vsprof_is_header(line)) {
		read_header(v, line);
	} else if (v->delimiter && fg_str_trim(line).len) {
		/*
		 * a row that ends with the last column we need is cut off, unless the
		 * header ends there, too
		 */
		bool whole = split(v, line, v->columns_used) ||
			     v->columns_used == v->column_count;

		if (!has_weight(v)) {
			fg_sink_skip(v->sink, FG_SKIP_LEFT_OUT, 1);
		} else if (!whole || !add_row(v)) {
			fg_sink_malformed(v->sink, line);
		}
	}
}

static void end_input(void *state)
{
	struct vsprof *v = state;

	fg_outline_end(&v->outline);
	v->delimiter = '\0';
}

/* ---- the format */

const struct fg_format fg_format_vsprof = {
	.kind = &fg_kind_vsprof,
	.summary = "Reads the call tree that Visual Studio's profiler exports as\n"
		   "CSV, and writes folded stacks.",
	.footer = "Example:\n"
		  "  collapse-vsprof app_CallTreeSummary.csv | flamegraph > flame.svg",
	.hints = { .not_found = "no call tree was found: is this Visual Studio's call "
				"tree summary as CSV?",
		   .left_out = "the report lacks the column that is the weight: it has "
			       "calls or samples, see --calls" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.called_as = called_as,
	.open = open_vsprof,
	.line = read_line,
	.end_input = end_input,
	.close = close_vsprof,
};
