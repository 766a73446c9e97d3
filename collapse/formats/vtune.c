/*
 * Reads top-down tables that the command line of Intel's VTune writes as CSV:
 *
 *     vtune -report top-down -call-stack-mode all -column="CPU Time:Self","Module" \
 *         -filter "Function Stack" -format csv -csv-delimiter comma
 *
 *     Function Stack,CPU Time:Self,Module
 *     Total,0.0,[Unknown]
 *      main,0.5,demo
 *       "std::map<int, int>::find",0.25,demo
 *
 * The spaces before a name are its depth; they may be inside the quotes.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/memo.h"
#include "collapse/outline.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

#define OPTIONS struct options
struct options {
	const char *column;
	bool allocations;
	bool size;
	bool us;
	bool no_modules;
};

static const struct fg_opt rows[] = {
	SECTION("Table"),
	TEXT("column", column, "NAME",
	     "the column that is the weight (default: CPU Time:Self)"),
	FLAG("allocations", allocations, "weigh by Allocations:Self"),
	FLAG("size", size, "weigh by Allocation Size:Self", .older = true),
	FLAG("us", us, "write times in us instead of ms"),
	FLAG("no-modules", no_modules, "show functions without their modules"),
	FG_OPT_END,
};

/* We remember at most this many texts of rows, to keep look-ups cheap. */
#define TEXTS_MAX 8192

/* The index of a column that the table does not have. */
#define NO_COLUMN SIZE_MAX

struct vtune {
	struct fg_sink *sink;
	const struct options *options;
	struct fg_outline outline;
	bool in_table;
	char delimiter;
	size_t weight, module; /* indices of columns; column 0 is the name */
	bool is_time;
	/* indices in `rows`, by the text of a row after its spaces */
	struct fg_memo texts;
	struct fg_outline_row *rows;
	size_t rows_alloc;
	struct fg_buf name, value, frame; /* scratch */
};

static void called_as(struct fg_collapse *run, const char *name)
{
	struct options *o = run->own;

	o->allocations = !strcmp(name, "stackcollapse-vtune-mc.pl");
}

static void *open_vtune(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct vtune *v = fg_xcalloc(1, sizeof(*v));

	v->sink = sink;
	v->options = run->own;
	fg_outline_init(&v->outline, sink, false);
	fg_memo_init(&v->texts);
	return v;
}

static void close_vtune(void *state)
{
	struct vtune *v = state;

	fg_outline_release(&v->outline);
	fg_memo_release(&v->texts);
	free(v->rows);
	fg_buf_release(&v->name);
	fg_buf_release(&v->value);
	fg_buf_release(&v->frame);
	free(v);
}

/* ---- fields */

static bool is_quoted(struct fg_str s)
{
	return s.len && s.ptr[0] == '"';
}

/*
 * Returns the length of the quoted field at the start of `s`, with its quotes, or 0 if
 * `s` does not start with a quote.
 */
static size_t quoted_length(struct fg_str s)
{
	size_t end = 0;

	if (!is_quoted(s))
		return 0;
	do {
		end++;
		end += fg_str_find_char(fg_str_from_pos(s, end), '"') + 1;
	} while (end < s.len && s.ptr[end] == '"');
	return end < s.len ? end : s.len;
}

/* Cuts the first field off a line, with its quotes. Returns true if another follows. */
static bool cut_field(struct fg_str *rest, char delimiter, struct fg_str *field)
{
	size_t end = quoted_length(*rest);
	bool more;

	end += fg_str_find_char(fg_str_from_pos(*rest, end), delimiter);
	more = end < rest->len;
	*field = fg_str_before(*rest, end);
	*rest = fg_str_from_pos(*rest, end + 1);
	return more;
}

/* Returns the text of a field. Uses `b` if the field is quoted. */
static struct fg_str unquote(struct fg_buf *b, struct fg_str field)
{
	struct fg_str rest = fg_str_from_pos(field, 1);

	if (!is_quoted(field))
		return field;
	fg_buf_clear(b);
	for (;;) {
		fg_buf_add_str(b, fg_str_cut(&rest, '"'));
		if (!is_quoted(rest))
			break;
		fg_buf_add_char(b, '"');
		rest = fg_str_from_pos(rest, 1);
	}
	fg_buf_add_str(b, rest);
	return fg_buf_str(b);
}

/* ---- the head of a table */

/*
 * Returns true if the column is `wanted`, such as "CPU Time:Self", perhaps with a unit.
 */
static bool is_column(struct fg_str name, struct fg_str wanted)
{
	return fg_str_starts(name, wanted) &&
	       (name.len == wanted.len || strchr(" (", name.ptr[wanted.len]));
}

/*
 * Rates how well a column serves as the weight; 0 is not at all. The first column with
 * the best rating is chosen.
 */
static unsigned rate_column(const struct vtune *v, struct fg_str name)
{
	const struct options *o = v->options;
	const char *wanted = o->column	    ? o->column :
			     o->size	    ? "Allocation Size:Self" :
			     o->allocations ? "Allocations:Self" :
					      NULL;
	size_t self = fg_str_find(name, FG_STR(":Self"));

	if (wanted)
		return fg_str_eq(name, fg_str_from(wanted));
	if (is_column(name, FG_STR("CPU Time:Self")))
		return 3;
	if (is_column(fg_str_from_pos(name, self), FG_STR(":Self")))
		return 2;
	return fg_str_starts(name, FG_STR("CPU Time"));
}

/*
 * Returns the name of a column, without the space that some versions write after the
 * colon.
 */
static struct fg_str column_name(struct vtune *v, struct fg_str field)
{
	struct fg_str name = fg_str_trim(unquote(&v->name, field));
	size_t at = fg_str_find(name, FG_STR(": "));

	if (at == name.len)
		return name;
	fg_buf_clear(&v->value);
	fg_buf_add_str(&v->value, fg_str_before(name, at + 1));
	fg_buf_add_str(&v->value, fg_str_trim_left(fg_str_from_pos(name, at + 1)));
	return fg_buf_str(&v->value);
}

static void read_head(struct vtune *v, struct fg_str line)
{
	unsigned best = 0;
	struct fg_str field;
	bool more = cut_field(&line, v->delimiter, &field);

	fg_memo_release(&v->texts);
	fg_memo_init(&v->texts);
	v->weight = v->module = NO_COLUMN;
	for (size_t i = 1; more; i++) {
		struct fg_str name;
		unsigned rating;

		more = cut_field(&line, v->delimiter, &field);
		name = column_name(v, field);
		rating = rate_column(v, name);
		if (v->module == NO_COLUMN && fg_str_eq(name, FG_STR("Module")))
			v->module = i;
		if (rating <= best)
			continue;
		best = rating;
		v->weight = i;
		v->is_time = fg_str_has(name, FG_STR("Time")) &&
			     !fg_str_has(name, FG_STR("Size"));
	}
	if (!best)
		fg_warn(fg_sink_diag(v->sink), fg_sink_at(v->sink),
			"this table does not have the column for the weight: see "
			"--column");
}

/* ---- rows */

/* Cuts "e-05" off a number. Returns the exponent, or 0 if there is no valid one. */
static int cut_exponent(struct fg_str *number)
{
	size_t at = fg_str_find_char(*number, 'e');
	struct fg_str digits = fg_str_from_pos(*number, at + 1);
	bool negative = fg_str_starts(digits, FG_STR("-"));
	uint64_t n;

	if (negative || fg_str_starts(digits, FG_STR("+")))
		digits = fg_str_from_pos(digits, 1);
	if (at == number->len || fg_str_u64(digits, &n) || n > 999)
		return 0;
	*number = fg_str_before(*number, at);
	return negative ? -(int)n : (int)n;
}

/*
 * Cuts the unit off a time. Returns the power of ten that converts it to ms, or to us
 * with --us.
 */
static int cut_unit(const struct vtune *v, struct fg_str *text)
{
	int exponent = v->options->us ? 6 : 3;

	if (!v->is_time)
		return 0;
	if (fg_str_cut_end(text, FG_STR("ms")))
		return exponent - 3;
	if (fg_str_cut_end(text, FG_STR("us")))
		return exponent - 6;
	fg_str_cut_end(text, FG_STR("s"));
	return exponent;
}

/* Adds the number in the form that fg_count_parse() reads. */
static void add_number(const struct vtune *v, struct fg_buf *b, struct fg_str text)
{
	fg_buf_addf(b, "%s", fg_str_starts(text, FG_STR(".")) || !text.len ? "0" : "");
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == 'E')
			fg_buf_add_char(b, 'e');
		else if (c == ',' && v->delimiter != ',')
			fg_buf_add_char(b, '.');
		else if (c != ' ')
			fg_buf_add_char(b, c);
	}
}

/*
 * Reads a number of VTune: 0.25, 1.5e-05, 0,25s, "1 024"; empty is 0. Returns 0, or -1
 * if it is malformed.
 */
static int read_weight(struct vtune *v, struct fg_str text, struct fg_count *count)
{
	struct fg_str number;
	int exponent;

	text = fg_str_trim(text);
	exponent = cut_unit(v, &text);
	if (!fg_count_parse(text, count)) /* true of nearly all numbers */
		return fg_count_shift(count, exponent);
	fg_buf_clear(&v->frame);
	add_number(v, &v->frame, text);
	number = fg_buf_str(&v->frame);
	exponent += cut_exponent(&number);
	return fg_count_parse(number, count) || fg_count_shift(count, exponent) ? -1 :
										  0;
}

/* Returns the frame "MODULE`NAME" for two fields. */
static uint32_t read_name(struct vtune *v, struct fg_str name, struct fg_str module)
{
	name = fg_str_trim(unquote(&v->name, name));
	module = fg_str_trim(unquote(&v->value, module));
	if (!module.len || v->options->no_modules)
		return fg_sink_name(v->sink, name);
	fg_buf_clear(&v->frame);
	fg_buf_add_str(&v->frame, module);
	fg_buf_add_char(&v->frame, '`');
	fg_buf_add_str(&v->frame, name);
	return fg_sink_name(v->sink, fg_buf_str(&v->frame));
}

/*
 * Reads a row after its spaces. Returns false if it is not a row. If its weight is not
 * a number, clears `whole` and makes it weigh 0, because other rows may be below it.
 */
static bool read_text(struct vtune *v, struct fg_str rest, struct fg_outline_row *row,
		      bool *whole)
{
	struct fg_count count;
	struct fg_str name, field;
	struct fg_str weight = { NULL, 0 }, module = { NULL, 0 };
	bool more = cut_field(&rest, v->delimiter, &name), found = false;

	for (size_t i = 1; more; i++) {
		more = cut_field(&rest, v->delimiter, &field);
		if (i == v->weight) {
			weight = field;
			found = true;
		} else if (i == v->module) {
			module = field;
		}
	}
	weight = unquote(&v->value, weight);
	if (!found)
		return false;
	*whole = !read_weight(v, weight, &count);
	if (!*whole)
		count = (struct fg_count){ 0, 0 };
	*row = (struct fg_outline_row){
		.depth = fg_str_spaces(fg_str_from_pos(name, is_quoted(name))),
		.name = read_name(v, name, module),
		.sum = { count.digits, 0 },
		.decimals = count.decimals,
	};
	return true;
}

/*
 * Adds the row of a line. Returns false if it is malformed. Times are multiples of
 * VTune's interval, so most rows have the same text as another row, at another depth.
 * We parse each text only once.
 */
static bool read_row(struct vtune *v, struct fg_str line)
{
	size_t blanks = fg_str_spaces(line), count = v->texts.count;
	const struct fg_memo_key key =
		fg_memo_key(&v->texts, fg_str_from_pos(line, blanks), 0);
	const struct fg_memo_entry *known = fg_memo_find(&v->texts, &key);
	struct fg_outline_row row;
	bool whole = true;

	if (known) {
		row = v->rows[known->id];
	} else {
		if (!read_text(v, key.text, &row, &whole))
			return false;
		if (whole && count < TEXTS_MAX) {
			FG_GROW(v->rows, v->rows_alloc, count + 1);
			v->rows[count] = row;
			fg_memo_add(&v->texts, &key,
				    (struct fg_memo_value){ (uint32_t)count, 0 });
		}
	}
	row.depth += blanks;
	fg_outline_add(&v->outline, &row);
	return whole;
}

/* Returns true for a message of VTune itself, which may be between two tables. */
static bool is_message(struct fg_str line)
{
	static const struct fg_str starts[] = { FG_STR_INIT("war: "),
						FG_STR_INIT("vtune: ") };

	return fg_str_starts_any(line, starts, FG_COUNT_OF(starts));
}

static void read_line(void *state, struct fg_str line)
{
	struct vtune *v = state;
	char delimiter = vtune_delimiter(line);

	if (delimiter) {
		fg_outline_end(&v->outline);
		v->in_table = true;
		v->delimiter = delimiter;
		read_head(v, line);
	} else if (!v->in_table) {
		return;
	} else if (v->weight == NO_COLUMN) {
		fg_sink_skip(v->sink, FG_SKIP_LEFT_OUT, 1);
	} else if (!read_row(v, line) && fg_str_trim(line).len && !is_message(line)) {
		fg_sink_malformed(v->sink, line);
	}
}

static void end_input(void *state)
{
	struct vtune *v = state;

	fg_outline_end(&v->outline);
	v->in_table = false;
}

/* ---- the format */

const struct fg_format fg_format_vtune = {
	.kind = &fg_kind_vtune,
	.summary = "Reads the top-down tables that VTune reports as CSV, and writes\n"
		   "folded stacks.",
	.footer = "Example: collapse-vtune table.csv | flamegraph > flame.svg\n"
		  "The manual has the command that reports such a table.",
	.hints = { .empty = "did vtune fail?",
		   .not_found =
			   "no table of stacks was found: is this what vtune -report "
			   "top-down -format csv writes?",
		   .left_out = "no table has the column for the weight: see --column" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.called_as = called_as,
	.open = open_vtune,
	.line = read_line,
	.end_input = end_input,
	.close = close_vtune,
};
