/*
 * Reads the XML that `xctrace export` writes of a table of stacks, such as
 * time-profile. xctrace is part of Apple's Xcode; its manual page describes the
 * command.
 *
 *     <row><thread id="2" fmt="main  0x1a (app, pid: 42)"/>
 *     <weight id="4" fmt="1.00 ms">1000000</weight>
 *     <backtrace id="6"><frame id="7" name="leaf" addr="0x1"/>
 *     <frame id="9" name="main" addr="0x2"/></backtrace></row>
 *     <row><thread ref="2"/><weight ref="4"/><backtrace ref="6"/></row>
 *
 * An element with an id stands for its value later, too: <thread ref="2"/> is the
 * thread with id 2. Later versions put the backtrace into a tagged-backtrace; since
 * Xcode 27, the tagged-backtrace holds the frames itself.
 *
 * Each element passes its value to the one around it (pass_up()): a binary to its
 * frame, a frame to its backtrace, a backtrace, weight and thread to the row, which is
 * then counted.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/formats/xctrace/table.h"
#include "collapse/function.h"
#include "collapse/names.h"
#include "collapse/values.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/base/xmlread.h"

struct xctrace_options {
	bool weight;
	bool modules;
	bool threads;
};

#define OPTIONS struct xctrace_options

static const struct fg_opt rows[] = {
	SECTION("Rows"),
	FLAG("weight", weight,
	     "count the weights of rows, in ns or cycles, instead of rows"),
	FLAG("modules", modules, "show functions as binary`function"),
	FLAG("threads", threads, "the thread as root frame"),
	FG_OPT_END,
};

/* The elements that we read. All but a row may have an id. */
enum xctrace_kind {
	XCTRACE_FRAME,
	XCTRACE_BINARY,
	XCTRACE_BACKTRACE,
	XCTRACE_TAGGED,
	XCTRACE_WEIGHT,
	XCTRACE_TIME,
	XCTRACE_CYCLES,
	XCTRACE_THREAD,
	XCTRACE_KINDS,
	XCTRACE_ROW,
	XCTRACE_OTHER
};

/* The open element of a kind. Elements of the same kind inside it are skipped. */
struct xctrace_open {
	/* depth of the element, 1 for the outermost; 0 if it is not open */
	unsigned depth;
	struct fg_buf id; /* empty without an id */
	struct fg_buf text; /* the name, or the digits of a weight */
	/* value so far; for a frame, the value of its binary */
	struct xctrace_value value;
};

struct xctrace {
	struct fg_sink *sink;
	struct fg_xmlread *xml; /* NULL between inputs */
	struct xctrace_options options;
	struct xctrace_table tables[XCTRACE_KINDS];
	struct xctrace_open open[XCTRACE_KINDS];
	unsigned row; /* depth of the open row, or 0 */
	uint64_t row_line; /* line at which the open row starts */
	struct xctrace_value in_row[XCTRACE_KINDS];
	uint32_t *frames; /* frame ids of the open backtrace, tagged or not */
	size_t frame_count, frames_alloc;
	struct fg_frame_budget budget; /* limits the frames of all rows */
	struct fg_buf scratch;
};

/*
 * Any number of rows may share a long stack, so there is a budget of frames. Each row
 * adds this many to it, which is more than xctrace records in a stack, and each frame
 * in the input adds one.
 */
#define FRAMES_PER_ROW 1024

static const struct fg_str element_names[] = {
	[XCTRACE_FRAME] = FG_STR_INIT("frame"),
	[XCTRACE_BINARY] = FG_STR_INIT("binary"),
	[XCTRACE_BACKTRACE] = FG_STR_INIT("backtrace"),
	[XCTRACE_TAGGED] = FG_STR_INIT("tagged-backtrace"),
	[XCTRACE_WEIGHT] = FG_STR_INIT("weight"),
	[XCTRACE_TIME] = FG_STR_INIT("sample-time"),
	[XCTRACE_CYCLES] = FG_STR_INIT("cycle-weight"),
	[XCTRACE_THREAD] = FG_STR_INIT("thread"),
	[XCTRACE_KINDS] = FG_STR_INIT(""), /* not an element */
	[XCTRACE_ROW] = FG_STR_INIT("row"),
};

static enum xctrace_kind kind_of(struct fg_str name)
{
	enum xctrace_kind kind = XCTRACE_FRAME;

	while (kind < XCTRACE_OTHER && !fg_str_eq(element_names[kind], name))
		kind++;
	return kind;
}

/* ---- names */

/* Replaces line feeds and the like after `start`: a folded stack is one line. */
static void keep_on_line(struct fg_buf *b, size_t start)
{
	for (size_t i = start; i < b->len; i++)
		if (fg_is_space(b->ptr[i]))
			b->ptr[i] = ' ';
}

static void add_name(struct fg_buf *b, struct fg_str name)
{
	size_t start = b->len;

	fg_buf_add_str(b, name);
	keep_on_line(b, start);
}

/* Finds an attribute. Returns false if it is missing or empty. */
static bool find(const struct fg_xmlread_element *e, const char *name,
		 struct fg_str *value)
{
	return fg_xmlread_attribute(e, NULL, name, value) && value->len;
}

static void add_frame_name(const struct fg_xmlread_element *e, struct fg_buf *b)
{
	size_t start = b->len;
	struct fg_str name;

	if (!find(e, "name", &name) && !find(e, "addr", &name))
		name = FG_STR("[unknown]");
	if (fg_name_is_rust(name))
		fg_add_rust_name(b, name);
	else
		fg_buf_add_str(b, name);
	keep_on_line(b, start);
}

/* Returns true for "main (0x1a) (app, pid: 42)", which ends in the process. */
static bool ends_in_process(struct fg_str s)
{
	if (!fg_str_cut_end(&s, FG_STR(")")))
		return false;
	s.len -= fg_str_end_span(s, fg_is_digit);
	return fg_str_ends(s, FG_STR(", pid: "));
}

/*
 * Returns the index of the last " (0x1a) (", or the length of the name. Earlier ones
 * belong to the name itself.
 */
static size_t find_number(struct fg_str name)
{
	size_t found = name.len;

	for (size_t i = 0; i < name.len; i++) {
		struct fg_str rest = fg_str_from_pos(name, i);

		if (!fg_str_cut_start(&rest, FG_STR(" (0x")))
			continue;
		rest = fg_str_from_pos(rest, fg_str_span(rest, fg_is_hex));
		if (fg_str_starts(rest, FG_STR(") (")))
			found = i;
	}
	return found;
}

/* Adds the "main" of "main  0x1a (app, pid: 42)" or "main (0x1a) (app, pid: 42)". */
static void add_thread_name(const struct fg_xmlread_element *e, struct fg_buf *b)
{
	struct fg_str name;
	size_t end;

	if (!find(e, "fmt", &name))
		name = FG_STR("[thread]");
	end = ends_in_process(name) ? find_number(name) : name.len;
	if (end == name.len)
		end = fg_str_find(name, FG_STR("  0x"));
	add_name(b, fg_str_before(name, end));
}

/* Returns the name whose id is the value. */
static struct fg_str name_of(const struct xctrace *x, const struct xctrace_value *v)
{
	return fg_intern_name(fg_sink_names(x->sink), (uint32_t)v->number);
}

/* ---- rows */

/* Reports the text `what` followed by `text` as malformed input. */
static void note_malformed(struct xctrace *x, uint64_t line, const char *what,
			   struct fg_str text)
{
	struct fg_place at = { fg_sink_at(x->sink)->input, line };

	fg_buf_clear(&x->scratch);
	fg_buf_addf(&x->scratch, "%s", what);
	fg_buf_add_str(&x->scratch, text);
	fg_sink_malformed_at(x->sink, at, fg_buf_str(&x->scratch));
}

static void count_row(struct xctrace *x)
{
	const struct xctrace_value *row = x->in_row;
	const struct xctrace_value *stack =
		&row[row[XCTRACE_BACKTRACE].known ? XCTRACE_BACKTRACE : XCTRACE_TAGGED];
	const struct xctrace_value *weight =
		&row[row[XCTRACE_WEIGHT].known ? XCTRACE_WEIGHT : XCTRACE_CYCLES];

	if (!stack->known) {
		fg_sink_skip(x->sink, FG_SKIP_NO_STACK, 1);
		return;
	}
	if (x->options.weight && !weight->known) {
		note_malformed(x, x->row_line, "a row has no weight", FG_STR(""));
		fg_sink_set_cause(x->sink, "no row with a stack has a weight: leave "
					   "out --weight");
		return;
	}
	x->budget.left += FRAMES_PER_ROW;
	if (!fg_frame_budget_add(&x->budget, fg_sink_stack(x->sink),
				 stack->chain->frames, stack->chain->count)) {
		fg_sink_lose(x->sink, FG_TOO_MANY_FRAMES, 1);
		return;
	}
	if (!stack->chain->count)
		fg_sink_frame(x->sink, FG_STR(""));
	if (row[XCTRACE_THREAD].known)
		fg_sink_root_id(x->sink, (uint32_t)row[XCTRACE_THREAD].number);
	if (row[XCTRACE_TIME].known)
		fg_sink_set_time(x->sink, row[XCTRACE_TIME].number);
	fg_sink_add(x->sink, x->options.weight ? weight->number : 1);
}

static void end_row(struct xctrace *x)
{
	x->row = 0;
	for (enum xctrace_kind kind = XCTRACE_FRAME; kind < XCTRACE_KINDS; kind++)
		xctrace_value_clear(&x->in_row[kind]);
}

/* ---- elements */

/* Returns true if options need elements of that kind. */
static bool is_wanted(const struct xctrace *x, enum xctrace_kind kind)
{
	if (kind == XCTRACE_BINARY)
		return x->options.modules;
	if (kind == XCTRACE_WEIGHT || kind == XCTRACE_CYCLES)
		return x->options.weight;
	if (kind == XCTRACE_TIME)
		return fg_sink_wants_time(x->sink);
	return kind != XCTRACE_THREAD || x->options.threads;
}

/* Passes the value of an element at `depth` to the element around it. */
static void pass_up(struct xctrace *x, enum xctrace_kind kind, unsigned depth,
		    struct xctrace_value value)
{
	unsigned around = depth - 1;

	if (!around)
		return;
	if (kind == XCTRACE_FRAME && (x->open[XCTRACE_BACKTRACE].depth == around ||
				      x->open[XCTRACE_TAGGED].depth == around)) {
		FG_GROW(x->frames, x->frames_alloc, x->frame_count + 1);
		x->frames[x->frame_count++] = (uint32_t)value.number;
	} else if (kind == XCTRACE_BINARY && x->open[XCTRACE_FRAME].depth == around) {
		x->open[XCTRACE_FRAME].value = value;
	} else if (kind == XCTRACE_BACKTRACE &&
		   x->open[XCTRACE_TAGGED].depth == around) {
		xctrace_value_set(&x->open[XCTRACE_TAGGED].value, value);
	} else if (x->row == around && !x->in_row[kind].known) {
		xctrace_value_set(&x->in_row[kind], value);
	}
}

/* Passes up the value that <thread ref="2"/> refers to. */
static void repeat_element(struct xctrace *x, enum xctrace_kind kind,
			   const struct fg_xmlread_element *e, struct fg_str ref)
{
	struct xctrace_value value = *xctrace_table_value(&x->tables[kind], ref);

	if (!value.known)
		note_malformed(x, fg_xmlread_line(x->xml),
			       "no element has the id that is referred to: ", ref);
	if (!value.known && kind == XCTRACE_FRAME) {
		value.known = true;
		value.number = fg_sink_name(x->sink, FG_STR("[unknown]"));
	}
	if (value.known)
		pass_up(x, kind, e->depth, value);
}

static void start_element(void *data, const struct fg_xmlread_element *e)
{
	struct xctrace *x = data;
	enum xctrace_kind kind = kind_of(e->name);
	unsigned depth = e->depth;
	struct fg_str text;
	struct xctrace_open *open;

	if (kind == XCTRACE_ROW && !x->row) {
		x->row = depth;
		x->row_line = fg_xmlread_line(x->xml);
	}
	if (kind >= XCTRACE_KINDS || !is_wanted(x, kind) || x->open[kind].depth)
		return;
	if (find(e, "ref", &text)) {
		repeat_element(x, kind, e, text);
		return;
	}
	open = &x->open[kind];
	open->depth = depth;
	fg_buf_clear(&open->id);
	fg_buf_clear(&open->text);
	if (find(e, "id", &text))
		fg_buf_add_str(&open->id, text);
	if (kind == XCTRACE_FRAME)
		add_frame_name(e, &open->text);
	else if (kind == XCTRACE_THREAD)
		add_thread_name(e, &open->text);
	else if (kind == XCTRACE_BINARY && find(e, "name", &text))
		add_name(&open->text, text);
	else if (kind == XCTRACE_BACKTRACE || kind == XCTRACE_TAGGED)
		x->frame_count = 0;
}

/* Sets the value of an element that has just ended. */
static void set_value(struct xctrace *x, enum xctrace_kind kind)
{
	struct xctrace_open *open = &x->open[kind];
	struct xctrace_value *value = &open->value;
	struct fg_str name = fg_buf_str(&open->text);

	if (kind == XCTRACE_BACKTRACE ||
	    (kind == XCTRACE_TAGGED && !value->known && x->frame_count)) {
		xctrace_value_set_chain(value, x->frames, x->frame_count);
		x->budget.left += x->frame_count;
		x->frame_count = 0;
	} else if (kind >= XCTRACE_WEIGHT && kind <= XCTRACE_CYCLES) {
		value->known = !fg_str_u64(fg_str_trim(name), &value->number);
	} else if (kind != XCTRACE_TAGGED) {
		fg_buf_clear(&x->scratch);
		if (kind == XCTRACE_FRAME && value->known &&
		    fg_sink_charge_name(x->sink, name_of(x, value).len + name.len,
					"binaries not shown, because names get too "
					"long")) {
			fg_buf_add_str(&x->scratch, name_of(x, value));
			fg_buf_add_char(&x->scratch, '`');
		}
		fg_buf_add_str(&x->scratch, name);
		value->known = name.len > 0;
		value->number = fg_sink_name(x->sink, fg_buf_str(&x->scratch));
	}
}

static void close_element(void *data, struct fg_str name, unsigned depth)
{
	struct xctrace *x = data;
	enum xctrace_kind kind = kind_of(name);
	struct xctrace_open *open;

	if (kind == XCTRACE_ROW && x->row == depth) {
		count_row(x);
		end_row(x);
	}
	if (kind >= XCTRACE_KINDS || x->open[kind].depth != depth)
		return;
	open = &x->open[kind];
	open->depth = 0;
	set_value(x, kind);
	if (open->id.len)
		xctrace_value_set(
			xctrace_table_value(&x->tables[kind], fg_buf_str(&open->id)),
			open->value);
	if (open->value.known)
		pass_up(x, kind, depth, open->value);
	xctrace_value_clear(&open->value);
}

static void add_text(void *data, unsigned depth, struct fg_str text)
{
	struct xctrace *x = data;

	for (enum xctrace_kind kind = XCTRACE_WEIGHT; kind <= XCTRACE_CYCLES; kind++)
		if (x->open[kind].depth == depth)
			fg_buf_add_str(&x->open[kind].text, text);
}

static const struct fg_xmlread_handler handler = {
	.start = start_element,
	.close = close_element,
	.text = add_text,
};

/* ---- inputs */

static void *open_xctrace(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct xctrace *x = fg_xcalloc(1, sizeof(*x));
	const struct xctrace_options *options = run->own;

	x->sink = sink;
	x->options = *options;
	/* no limit, because the input holds each frame of a stack */
	x->budget.deepest = SIZE_MAX;
	for (enum xctrace_kind kind = XCTRACE_FRAME; kind < XCTRACE_KINDS; kind++)
		xctrace_table_init(&x->tables[kind]);
	return x;
}

/* Ends the input. A row that is open is dropped. */
static void end_input(void *state)
{
	struct xctrace *x = state;

	fg_xmlread_free(x->xml);
	x->xml = NULL;
	if (x->row)
		fg_sink_skip(x->sink, FG_SKIP_DROPPED, 1);
	end_row(x);
	x->budget.left = 0;
	for (enum xctrace_kind kind = XCTRACE_FRAME; kind < XCTRACE_KINDS; kind++) {
		/* the next input has other ids */
		xctrace_table_release(&x->tables[kind]);
		xctrace_value_clear(&x->open[kind].value);
		x->open[kind].depth = 0;
	}
}

static void close_xctrace(void *state)
{
	struct xctrace *x = state;

	end_input(x);
	for (enum xctrace_kind kind = XCTRACE_FRAME; kind < XCTRACE_KINDS; kind++) {
		fg_buf_release(&x->open[kind].id);
		fg_buf_release(&x->open[kind].text);
	}
	fg_buf_release(&x->scratch);
	free(x->frames);
	free(x);
}

/* Reads an input to its end even if it is malformed, because another may follow. */
static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct xctrace *x = state;
	struct fg_block block = *start;
	struct fg_place at = { start->input, 0 };
	int status;

	x->xml = fg_xmlread_new(&handler, x, FG_XMLREAD_REPAIR);
	do {
		if (!fg_xmlread_fault(x->xml))
			fg_xmlread_feed(x->xml, block.bytes);
	} while ((status = fg_reader_more(reader, &block)) > 0);
	if (status < 0 || !fg_xmlread_end(x->xml))
		return status;
	at.line = fg_xmlread_line(x->xml);
	fg_warn(fg_sink_diag(x->sink), &at, "the XML cannot be read from here on: %s",
		fg_xmlread_fault(x->xml));
	fg_sink_set_cut(x->sink);
	return 0;
}

/* ---- the format */

const struct fg_format fg_format_xctrace = {
	.kind = &fg_kind_xctrace,
	.summary =
		"Reads the XML that xctrace exports of a table of stacks, and writes\n"
		"folded stacks.",
	.footer = "Example:\n"
		  "  table='/trace-toc/*/data/table[@schema=\"time-profile\"]'\n"
		  "  xctrace export --input app.trace --xpath \"$table\" |\n"
		  "    collapse-xctrace | flamegraph > flame.svg",
	.hints = { .empty = "did xctrace export fail?",
		   .not_found = "no row was found: is this what xctrace exports of the "
				"table time-profile?",
		   .no_chain = "export the table time-profile" },
	.has_times = true,
	.rows = rows,
	.options_size = sizeof(struct xctrace_options),
	.open = open_xctrace,
	.read = read_input,
	.end_input = end_input,
	.close = close_xctrace,
};
