/*
 * Reads call trees that were copied out of Instruments, Apple's profiler, with Edit >
 * Deep Copy. They have columns with tabs between them; the last column is an outline of
 * names:
 *
 *     Weight	Self Weight		Symbol Name
 *     4.93 s  100.0%	0 s	 	start
 *     4.93 s  99.9%	846.00 ms	 	 main
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/memo.h"
#include "collapse/outline.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

/* We remember at most this many amounts, to keep look-ups cheap. */
#define AMOUNTS_MAX 8192

struct instruments {
	struct fg_sink *sink;
	struct fg_outline outline;
	bool in_tree;
	struct fg_memo names; /* frame ids, by the text after the spaces */
	/* indices in `counts`, by the text of an amount; most repeat */
	struct fg_memo amounts;
	struct fg_count *counts;
	size_t counts_alloc;
	struct fg_buf digits; /* scratch */
};

static void *open_instruments(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct instruments *s = fg_xcalloc(1, sizeof(*s));

	(void)run;
	s->sink = sink;
	fg_outline_init(&s->outline, sink, false);
	fg_memo_init(&s->names);
	fg_memo_init(&s->amounts);
	return s;
}

static void close_instruments(void *state)
{
	struct instruments *s = state;

	fg_outline_release(&s->outline);
	fg_memo_release(&s->names);
	fg_memo_release(&s->amounts);
	free(s->counts);
	fg_buf_release(&s->digits);
	free(s);
}

/* ---- amounts */

/* A unit is `factor` * 10^-decimals of ms, cycles or bytes. */
static const struct {
	struct fg_str name;
	uint64_t factor;
	int decimals;
} units[] = {
	{ FG_STR_INIT("ms"), 1, 0 },	    { FG_STR_INIT("s"), 1000, 0 },
	{ FG_STR_INIT("min"), 60000, 0 },   { FG_STR_INIT("h"), 3600000, 0 },
	{ FG_STR_INIT(""), 1, 0 },	    { FG_STR_INIT("us"), 1, 3 },
	{ FG_STR_INIT("\xc2\xb5s"), 1, 3 }, /* the micro sign */
	{ FG_STR_INIT("\xce\xbcs"), 1, 3 }, /* the Greek letter */
	{ FG_STR_INIT("ns"), 1, 6 },	    { FG_STR_INIT("c"), 1, 0 },
	{ FG_STR_INIT("cycles"), 1, 0 },    { FG_STR_INIT("Kc"), 1000, 0 },
	{ FG_STR_INIT("Mc"), 1000000, 0 },  { FG_STR_INIT("Gc"), 1000000000, 0 },
	{ FG_STR_INIT("Bytes"), 1, 0 },	    { FG_STR_INIT("bytes"), 1, 0 },
	{ FG_STR_INIT("B"), 1, 0 },	    { FG_STR_INIT("KB"), 1 << 10, 0 },
	{ FG_STR_INIT("KiB"), 1 << 10, 0 }, { FG_STR_INIT("MB"), 1 << 20, 0 },
	{ FG_STR_INIT("MiB"), 1 << 20, 0 }, { FG_STR_INIT("GB"), 1 << 30, 0 },
	{ FG_STR_INIT("GiB"), 1 << 30, 0 },
};

static bool is_number(char c)
{
	return fg_is_digit(c) || c == '.' || c == ',';
}

static bool is_unit(char c)
{
	return fg_is_alpha(c) || (unsigned char)c >= 0x80;
}

/* Reads a number like "1,234.5", with commas between thousands. */
static int read_number(struct fg_buf *digits, struct fg_str text,
		       struct fg_count *count)
{
	if (!fg_count_parse(text, count))
		return 0;
	fg_buf_clear(digits);
	while (text.len)
		fg_buf_add_str(digits, fg_str_cut(&text, ','));
	return fg_count_parse(fg_buf_str(digits), count);
}

/* Reads "4.93 s  100.0%", "404.75 Mc" or "-". Returns 0, or -1 if it is malformed. */
static int read_amount(struct fg_buf *digits, struct fg_str text,
		       struct fg_count *count)
{
	struct fg_str unit;
	size_t number;

	text = fg_str_trim(text);
	*count = (struct fg_count){ 0, 0 };
	if (!text.len || fg_str_eq(text, FG_STR("-")))
		return 0;
	number = fg_str_span(text, is_number);
	if (read_number(digits, fg_str_before(text, number), count))
		return -1;
	unit = fg_str_trim_left(fg_str_from_pos(text, number));
	unit = fg_str_before(unit, fg_str_span(unit, is_unit));
	for (size_t i = 0; i < FG_COUNT_OF(units); i++) {
		if (!fg_str_eq(unit, units[i].name))
			continue;
		if (count->digits > UINT64_MAX / units[i].factor)
			return -1;
		count->digits *= units[i].factor;
		return fg_count_shift(count, -units[i].decimals);
	}
	return -1;
}

/* ---- lines */

/* Like read_amount(), but remembers the amounts that it has read. */
static int count_of(struct instruments *s, struct fg_str text, struct fg_count *count)
{
	const struct fg_memo_key key = fg_memo_key(&s->amounts, text, 0);
	const struct fg_memo_entry *known = fg_memo_find(&s->amounts, &key);
	size_t number = s->amounts.count;

	if (known) {
		*count = s->counts[known->id];
		return 0;
	}
	if (read_amount(&s->digits, text, count))
		return -1;
	if (number < AMOUNTS_MAX) {
		FG_GROW(s->counts, s->counts_alloc, number + 1);
		s->counts[number] = *count;
		fg_memo_add(&s->amounts, &key,
			    (struct fg_memo_value){ (uint32_t)number, 0 });
	}
	return 0;
}

static uint32_t name_of(struct instruments *s, struct fg_str text)
{
	const struct fg_memo_key key = fg_memo_key(&s->names, text, 0);
	const struct fg_memo_entry *known = fg_memo_find(&s->names, &key);
	uint32_t id;

	if (known)
		return known->id;
	id = fg_sink_name(s->sink, text);
	fg_memo_add(&s->names, &key, (struct fg_memo_value){ id, 0 });
	return id;
}

/*
 * Adds a row. Returns false if it is malformed. If only its amount is malformed, still
 * adds it, with weight 0, because other rows may be below it.
 */
static bool read_row(struct instruments *s, struct fg_str columns[3])
{
	struct fg_outline_row row = { .depth = fg_str_spaces(columns[2]) };
	struct fg_count count;
	bool whole;

	columns[2] = fg_str_from_pos(columns[2], row.depth);
	if (!fg_str_trim(columns[2]).len)
		return false;
	whole = !count_of(s, columns[s->outline.totals ? 0 : 1], &count);
	if (!whole)
		count = (struct fg_count){ 0, 0 };
	row.name = name_of(s, columns[2]);
	row.sum.low = count.digits;
	row.decimals = count.decimals;
	fg_outline_add(&s->outline, &row);
	return whole;
}

static void read_line(void *state, struct fg_str line)
{
	struct instruments *s = state;
	struct fg_str columns[3];
	bool has_columns = instruments_cut_columns(line, columns);

	if (has_columns && instruments_is_head(columns)) {
		fg_outline_end(&s->outline);
		s->in_tree = true;
		s->outline.totals =
			!fg_str_starts(fg_str_trim(columns[1]), FG_STR("Self"));
	} else if (s->in_tree && !(has_columns && read_row(s, columns)) &&
		   fg_str_trim(line).len) {
		fg_sink_malformed(s->sink, line);
	}
}

static void end_input(void *state)
{
	struct instruments *s = state;

	fg_outline_end(&s->outline);
	s->in_tree = false;
}

/* ---- the format */

const struct fg_format fg_format_instruments = {
	.kind = &fg_kind_instruments,
	.summary = "Reads call trees that were copied out of Instruments, and writes\n"
		   "folded stacks.",
	.footer = "Example: pbpaste | collapse-instruments | flamegraph > flame.svg",
	.hints = { .empty = "did Edit > Deep Copy copy nothing?",
		   .not_found =
			   "no call tree was found: copy one with Edit > Deep Copy" },
	.open = open_instruments,
	.line = read_line,
	.end_input = end_input,
	.close = close_instruments,
};
