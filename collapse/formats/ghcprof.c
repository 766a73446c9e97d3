/*
 * Reads the reports of GHC's cost-centre profiler, `+RTS -p` or `-P`; see
 * rts/ProfilerReport.c.
 *
 *                                                          individual      inherited
 *     COST CENTRE  MODULE  SRC              no.  entries  %time %alloc   %time %alloc
 *
 *     MAIN         MAIN    <built-in>       148        0    0.0    0.0   100.0  100.0
 *      main        Main    Main.hs:16:1-9   296        1   62.7   54.3   100.0  100.0
 *
 * The table of flat sums above it has only one column %time, and is skipped.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "lib/base/line_prefix.h"
#include "collapse/memo.h"
#include "collapse/outline.h"
#include "lib/base/optrows.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

/* The columns at the end of a row. -p prints only the first four of these. */
enum column { TIME, ALLOC, ALL_TIME, ALL_ALLOC, TICKS, BYTES, COLUMNS };

#define OPTIONS struct options
struct options {
	int column; /* enum column */
};

static const struct fg_opt rows[] = {
	SECTION("Weight"),
	SET("time", column, TIME, "a share of the time, in thousandths (default)",
	    .older = true),
	SET("alloc", column, ALLOC, "a share of what was allocated, in thousandths"),
	SET("ticks", column, TICKS, "the time in ticks, of a report made with -P",
	    .older = true),
	SET("bytes", column, BYTES, "the bytes allocated, of a report made with -P",
	    .older = true),
	FG_OPT_END,
};

/* We remember at most this many tails of rows, to keep look-ups cheap. */
#define TAILS_MAX 8192

struct ghcprof {
	struct fg_sink *sink;
	size_t wanted; /* enum column */
	enum { BEFORE, HEADER, TABLE } section;
	struct fg_line_prefix quote;
	/* number of values in each row, the first ones of enum column */
	size_t columns;
	size_t module; /* column of a row at which the module starts, in characters */
	struct fg_outline outline;
	struct fg_memo names; /* frame ids, by the text from the name to the module */
	/*
	 * usual length of a row's tail: as much as follows "entries" in the header line
	 */
	size_t tail;
	struct fg_memo tails; /* indices in `weights`, by the tail of a row */
	struct fg_count *weights;
	size_t weights_alloc;
	struct fg_buf text; /* scratch for a name */
};

static void *open_ghcprof(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct ghcprof *g = fg_xcalloc(1, sizeof(*g));
	const struct options *o = run->own;

	g->sink = sink;
	g->wanted = (size_t)o->column;
	fg_outline_init(&g->outline, sink, false);
	fg_memo_init(&g->names);
	fg_memo_init(&g->tails);
	return g;
}

static void close_ghcprof(void *state)
{
	struct ghcprof *g = state;

	fg_line_prefix_release(&g->quote);
	fg_buf_release(&g->text);
	fg_outline_release(&g->outline);
	fg_memo_release(&g->names);
	fg_memo_release(&g->tails);
	free(g->weights);
	free(g);
}

/* ---- rows */

static bool is_no_blank(char c)
{
	return !fg_is_blank(c);
}

/* Cuts the first word off `rest` and returns it. */
static struct fg_str cut_first(struct fg_str *rest)
{
	struct fg_str text = fg_str_trim_left(*rest);
	size_t length = fg_str_span(text, is_no_blank);

	*rest = fg_str_from_pos(text, length);
	return fg_str_before(text, length);
}

/* Cuts the last word off `rest` and returns it. */
static struct fg_str cut_last(struct fg_str *rest)
{
	struct fg_str text = fg_str_trim_right(*rest);
	size_t length = fg_str_end_span(text, is_no_blank);

	*rest = fg_str_before(text, text.len - length);
	return fg_str_from_pos(text, text.len - length);
}

/* Returns true if the word can be a value of the column: percentages have a point. */
static bool is_value(struct fg_str word, size_t column)
{
	return word.len && fg_is_digit(word.ptr[0]) &&
	       (column >= TICKS || fg_str_has_char(word, '.'));
}

/*
 * Reads the last columns from the right, because values may be wider than their column.
 * Returns false if one is malformed, for example because the row is cut short.
 */
static bool read_weight(const struct ghcprof *g, struct fg_str *row,
			struct fg_count *weight)
{
	for (size_t i = g->columns; i-- > 0;) {
		struct fg_str word = cut_last(row);

		if (!is_value(word, i) ||
		    (i == g->wanted && fg_count_parse(word, weight)))
			return false;
	}
	if (g->wanted > ALLOC)
		return true;
	/* thousandths are percentages times 10 */
	if (weight->decimals)
		weight->decimals--;
	else if (weight->digits <= UINT64_MAX / 10)
		weight->digits *= 10;
	return true;
}

/*
 * Cuts the last columns off a row and reads them. Returns false if they are malformed.
 * Most rows end like others, such as in 0.0, so we remember these tails.
 */
static bool cut_weight(struct ghcprof *g, struct fg_str *row, struct fg_count *weight)
{
	size_t start = row->len > g->tail ? row->len - g->tail : 0;
	struct fg_str tail = fg_str_from_pos(*row, start);
	const struct fg_memo_key key = fg_memo_key(&g->tails, tail, 0);
	const struct fg_memo_entry *known = fg_memo_find(&g->tails, &key);
	size_t number = g->tails.count;

	if (known) {
		*weight = g->weights[known->id];
	} else {
		/* a value that is wider than its column moves the start of the tail */
		if (!tail.len || !fg_is_blank(tail.ptr[0]) ||
		    !read_weight(g, &tail, weight) || fg_str_trim(tail).len)
			return read_weight(g, row, weight);
		if (number < TAILS_MAX) {
			FG_GROW(g->weights, g->weights_alloc, number + 1);
			g->weights[number] = *weight;
			fg_memo_add(&g->tails, &key,
				    (struct fg_memo_value){ (uint32_t)number, 0 });
		}
	}
	*row = fg_str_before(*row, start);
	return true;
}

/*
 * Reads the name and the module. The name is the text before the column of the module
 * and may have spaces; a name that is wider than its column ends at its first space.
 */
static bool read_names(struct fg_str row, size_t column, struct fg_str *name,
		       struct fg_str *module)
{
	struct fg_str head = fg_utf8_prefix(row, column);
	struct fg_str rest = fg_str_from_pos(row, head.len);

	*name = fg_str_trim(head);
	if (!rest.len || !fg_str_ends(head, FG_STR(" ")) || !name->len) {
		rest = row;
		*name = cut_first(&rest);
	}
	*module = cut_first(&rest);
	return name->len && module->len;
}

/*
 * Returns the frame "MODULE.NAME". It is made once for each text from the name to the
 * module.
 */
static uint32_t name_of(struct ghcprof *g, struct fg_str name, struct fg_str module)
{
	size_t length = (size_t)(module.ptr + module.len - name.ptr);
	const struct fg_memo_key key =
		fg_memo_key(&g->names, fg_str_of(name.ptr, length), 0);
	const struct fg_memo_entry *known = fg_memo_find(&g->names, &key);
	uint32_t id;

	if (known)
		return known->id;
	fg_buf_clear(&g->text);
	fg_buf_add_str(&g->text, module);
	fg_buf_add_char(&g->text, '.');
	fg_buf_add_str(&g->text, name);
	id = fg_sink_name(g->sink, fg_buf_str(&g->text));
	fg_memo_add(&g->names, &key, (struct fg_memo_value){ id, 0 });
	return id;
}

static void read_row(struct ghcprof *g, struct fg_str line)
{
	struct fg_outline_row row = { .depth = fg_str_span(line, fg_is_blank) };
	struct fg_str rest = line, name, module;
	struct fg_count weight = { 0, 0 };

	if (!cut_weight(g, &rest, &weight) ||
	    !read_names(rest, g->module, &name, &module)) {
		fg_sink_malformed(g->sink, line);
		return;
	}
	if (g->wanted >= g->columns) {
		fg_sink_skip(g->sink, FG_SKIP_LEFT_OUT, 1);
		return;
	}
	row.name = name_of(g, name, module);
	row.sum.low = weight.digits;
	row.decimals = weight.decimals;
	fg_outline_add(&g->outline, &row);
}

/* Ends the table, if one is open. */
static void end_table(struct ghcprof *g)
{
	fg_outline_end(&g->outline);
	g->section = BEFORE;
}

static void read_header(struct ghcprof *g, struct fg_str line, size_t columns)
{
	end_table(g);
	g->section = HEADER;
	g->columns = columns;
	g->tail =
		line.len - fg_str_find(line, FG_STR(" entries ")) - strlen(" entries");
	fg_memo_release(&g->tails);
	fg_memo_init(&g->tails);
	g->module = fg_str_find(line, FG_STR("MODULE"));
}

static void read_line(void *state, struct fg_str line)
{
	struct ghcprof *g = state;
	struct fg_str text = fg_line_prefix_skip_quote(line);
	size_t columns = ghcprof_header_columns(text);

	if (columns) {
		fg_line_prefix_set_quote(&g->quote, line);
		read_header(g, text, columns);
		return;
	}
	fg_line_prefix_cut(&g->quote, &line);
	if (!fg_str_trim(line).len || line.ptr[0] == '\t') {
		/*
		 * empty lines surround the rows; a line that starts with a tab begins
		 * the next report
		 */
		if (g->section == TABLE)
			end_table(g);
	} else if (g->section != BEFORE) {
		g->section = TABLE;
		read_row(g, line);
	}
}

static void end_input(void *state)
{
	end_table(state);
}

/* ---- the format */

const struct fg_format fg_format_ghcprof = {
	.kind = &fg_kind_ghcprof,
	.summary =
		"Reads the report that a program compiled by GHC with -prof writes,\n"
		"and writes folded stacks.",
	.footer = "Example:\n"
		  "  ./app +RTS -p\n"
		  "  collapse-ghcprof app.prof | flamegraph > flame.svg",
	.hints = { .not_found =
			   "no table of cost centres was found: is this a report of "
			   "+RTS -p?",
		   .left_out =
			   "the report has no ticks and bytes: run the program with "
			   "+RTS -P" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_ghcprof,
	.line = read_line,
	.end_input = end_input,
	.close = close_ghcprof,
};
