/*
 * Reads the tables that memray transform csv writes. A row is a stack; its frames are
 * function;file;line with | between them, the leaf first.
 *
 *     allocator,num_allocations,size,tid,thread_name,stack_trace
 *     MALLOC,1,1340,1,0x1,work;/src/a.py;58|main;/src/a.py;80
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

/* The columns that we need. */
enum column { NUMBER, SIZE, THREAD, STACK, COLUMNS };

static const struct fg_str names[COLUMNS] = {
	[NUMBER] = FG_STR_INIT("num_allocations"),
	[SIZE] = FG_STR_INIT("size"),
	[THREAD] = FG_STR_INIT("thread_name"),
	[STACK] = FG_STR_INIT("stack_trace"),
};

static const struct fg_value values[] = {
	{ FG_STR_INIT("size"), FG_STR_INIT("bytes") },
	{ FG_STR_INIT("allocations"), FG_STR_INIT("allocations") },
};

#define NOWHERE SIZE_MAX

struct memray {
	struct fg_sink *sink;
	enum column weight;
	bool in_table; /* a header has been read */
	size_t columns[COLUMNS]; /* index of each column, or NOWHERE */
	struct fg_str *fields; /* fields of the current line */
	size_t field_count, fields_alloc;
	struct fg_buf text; /* contents of the quoted fields; `fields` point into it */
};

static void *open_memray(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct memray *m = fg_xcalloc(1, sizeof(*m));

	(void)run;
	m->sink = sink;
	return m;
}

static void close_memray(void *state)
{
	struct memray *m = state;

	free(m->fields);
	fg_buf_release(&m->text);
	free(m);
}

/* ---- fields */

/*
 * Cuts a quoted field off `rest`, whose opening quote is already cut. Sets `more` if
 * another field follows. Returns false if the closing quote is missing.
 */
static bool cut_quoted(struct memray *m, struct fg_str *rest, struct fg_str *field,
		       bool *more)
{
	size_t start = m->text.len;

	for (;;) {
		size_t end = fg_str_find_char(*rest, '"');

		if (end == rest->len)
			return false;
		fg_buf_add_str(&m->text, fg_str_before(*rest, end));
		*rest = fg_str_from_pos(*rest, end + 1);
		if (!fg_str_cut_start(rest, FG_STR("\"")))
			break;
		fg_buf_add_char(&m->text, '"');
	}
	*field = fg_str_of(m->text.ptr + start, m->text.len - start);
	*more = fg_str_cut_start(rest, FG_STR(","));
	return *more || !rest->len;
}

/* Splits a line into m->fields. Returns false if a closing quote is missing. */
static bool split(struct memray *m, struct fg_str line)
{
	bool more = line.len;

	fg_buf_clear(&m->text);
	fg_buf_reserve(&m->text, line.len + 1); /* so that it does not move */
	m->field_count = 0;
	while (more) {
		struct fg_str field;

		more = fg_str_has_char(line, ',');
		if (!fg_str_cut_start(&line, FG_STR("\"")))
			field = fg_str_cut(&line, ',');
		else if (!cut_quoted(m, &line, &field, &more))
			return false;
		FG_GROW(m->fields, m->fields_alloc, m->field_count + 1);
		m->fields[m->field_count++] = field;
	}
	return true;
}

static struct fg_str field(const struct memray *m, enum column column)
{
	size_t at = m->columns[column];

	return at < m->field_count ? m->fields[at] : fg_str_of(NULL, 0);
}

/* ---- rows */

/* Adds "work;/src/a.py;58". Names may contain ';', files and lines do not. */
static void add_frame(struct memray *m, struct fg_str part)
{
	size_t line_at = fg_str_rfind_char(part, ';');
	struct fg_str name = fg_str_before(part, line_at), file = { NULL, 0 };
	uint64_t line = 0;

	if (line_at < part.len &&
	    !fg_str_u64(fg_str_from_pos(part, line_at + 1), &line)) {
		size_t file_at = fg_str_rfind_char(name, ';');

		file = fg_str_from_pos(name, file_at + 1);
		name = fg_str_before(name, file_at);
	} else {
		name = part;
	}
	fg_sink_frame_at(m->sink, name, file, line);
}

static bool add_row(struct memray *m)
{
	struct fg_owner owner = { .thread = field(m, THREAD) };
	struct fg_str stack = field(m, STACK);
	uint64_t weight;

	if (!stack.ptr || fg_str_u64(field(m, m->weight), &weight))
		return false;
	if (!fg_sink_wants_owner(m->sink, &owner))
		return true;
	if (!stack.len)
		fg_sink_frame(m->sink, stack);
	while (stack.len)
		add_frame(m, fg_str_cut(&stack, '|'));
	fg_sink_add_owner(m->sink, &owner);
	fg_sink_add(m->sink, weight);
	return true;
}

static void read_header(struct memray *m, struct fg_str line)
{
	int choice = fg_sink_choose_value(m->sink, values, FG_COUNT_OF(values), 0);

	m->in_table = choice >= 0 && split(m, line);
	m->weight = choice == 1 ? NUMBER : SIZE;
	for (size_t i = 0; i < COLUMNS; i++) {
		m->columns[i] = NOWHERE;
		for (size_t k = 0; k < m->field_count; k++)
			if (fg_str_eq(fg_str_trim(m->fields[k]), names[i]))
				m->columns[i] = k;
	}
}

static void read_line(void *state, struct fg_str line)
{
	struct memray *m = state;

	if (memray_is_header(line))
		read_header(m, line);
	else if (m->in_table && line.len && (!split(m, line) || !add_row(m)))
		fg_sink_malformed(m->sink, line);
}

static void end_input(void *state)
{
	struct memray *m = state;

	m->in_table = false;
}

/* ---- the format */

const struct fg_format fg_format_memray = {
	.kind = &fg_kind_memray,
	.summary = "Reads what memray transform csv writes, and writes folded stacks.",
	.footer = "Example:\n"
		  "  memray run -o app.bin app.py\n"
		  "  memray transform csv -o app.csv app.bin\n"
		  "  collapse-memray app.csv | flamegraph > flame.svg",
	.hints = { .empty = "did memray transform fail?",
		   .not_found = "no table was found: is this what memray transform csv "
				"writes?" },
	.has_values = true,
	.open = open_memray,
	.line = read_line,
	.end_input = end_input,
	.close = close_memray,
};
