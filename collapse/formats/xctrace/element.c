/* What xctrace exports, element by element. */
#include "collapse/formats/xctrace/element.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/names.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"

/*
 * Any number of rows may have a stack of any number of frames: each brings room for
 * more than xctrace records, and each frame that is written for one.
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
	[XCTRACE_KINDS] = FG_STR_INIT(""), /* no element has it */
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

/* What was added is on one line: folded stacks have no room for another. */
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

/* The value of an attribute, where it is not empty. */
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

/* Whether a thread's process is at the end, as in "main (0x1a) (app, pid: 42)". */
static bool ends_in_process(struct fg_str s)
{
	if (!fg_str_cut_end(&s, FG_STR(")")))
		return false;
	s.len -= fg_str_end_span(s, fg_is_digit);
	return fg_str_ends(s, FG_STR(", pid: "));
}

/* Where " (0x1a) (" starts, for the last time: names may have the like; or the end. */
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

/* "main  0x1a (app, pid: 42)", or "main (0x1a) (app, pid: 42)", is "main". */
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

static struct fg_str name_of(const struct xctrace *x, const struct xctrace_value *v)
{
	return fg_intern_name(fg_sink_names(x->sink), (uint32_t)v->number);
}

/* ---- rows */

/* Reports what means nothing here. */
static void note_odd(struct xctrace *x, uint64_t line, const char *what,
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
		note_odd(x, x->row_line, "a row has no weight", FG_STR(""));
		fg_sink_set_cause(x->sink, "no row with a stack has a weight: leave "
					   "out --weight");
		return;
	}
	x->room.left += FRAMES_PER_ROW;
	if (!fg_frame_budget_add(&x->room, fg_sink_stack(x->sink), stack->chain->frames,
				 stack->chain->count)) {
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

/* Whether elements of the kind are used for anything. */
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

/* Gives a value to the element around it, `depth` being its own. */
static void hand_up(struct xctrace *x, enum xctrace_kind kind, unsigned depth,
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

static void repeat_element(struct xctrace *x, enum xctrace_kind kind,
			   const struct fg_xmlread_element *e, struct fg_str ref)
{
	struct xctrace_value value = *xctrace_table_value(&x->tables[kind], ref);

	if (!value.known)
		note_odd(x, fg_xmlread_line(x->xml),
			 "no element has the id that is referred to: ", ref);
	if (!value.known && kind == XCTRACE_FRAME) {
		value.known = true;
		value.number = fg_sink_name(x->sink, FG_STR("[unknown]"));
	}
	if (value.known)
		hand_up(x, kind, e->depth, value);
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

/* An element of the kind is complete: what it stands for. */
static void work_out(struct xctrace *x, enum xctrace_kind kind)
{
	struct xctrace_open *open = &x->open[kind];
	struct xctrace_value *value = &open->value;
	struct fg_str name = fg_buf_str(&open->text);

	if (kind == XCTRACE_BACKTRACE ||
	    (kind == XCTRACE_TAGGED && !value->known && x->frame_count)) {
		xctrace_value_set_chain(value, x->frames, x->frame_count);
		x->room.left += x->frame_count;
		x->frame_count = 0;
	} else if (kind >= XCTRACE_WEIGHT && kind <= XCTRACE_CYCLES) {
		value->known = !fg_str_u64(fg_str_trim(name), &value->number);
	} else if (kind != XCTRACE_TAGGED) {
		fg_buf_clear(&x->scratch);
		if (kind == XCTRACE_FRAME && value->known &&
		    fg_sink_charge_name(x->sink, name_of(x, value).len + name.len,
					"binaries of functions with long names")) {
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
	work_out(x, kind);
	if (open->id.len)
		xctrace_value_set(
			xctrace_table_value(&x->tables[kind], fg_buf_str(&open->id)),
			open->value);
	if (open->value.known)
		hand_up(x, kind, depth, open->value);
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

void xctrace_start_input(struct xctrace *x)
{
	x->xml = fg_xmlread_new(&handler, x, FG_XMLREAD_REPAIR);
}

void xctrace_init(struct xctrace *x, struct fg_sink *sink,
		  const struct xctrace_options *options)
{
	memset(x, 0, sizeof(*x));
	x->sink = sink;
	x->options = *options;
	x->room.deepest = SIZE_MAX; /* the input has each frame of a stack */
	for (enum xctrace_kind kind = XCTRACE_FRAME; kind < XCTRACE_KINDS; kind++)
		xctrace_table_init(&x->tables[kind]);
}

void xctrace_end_input(struct xctrace *x)
{
	fg_xmlread_free(x->xml);
	x->xml = NULL;
	if (x->row)
		fg_sink_skip(x->sink, FG_SKIP_DROPPED, 1);
	end_row(x);
	x->room.left = 0;
	for (enum xctrace_kind kind = XCTRACE_FRAME; kind < XCTRACE_KINDS; kind++) {
		xctrace_table_release(&x->tables[kind]); /* another has other ids */
		xctrace_value_clear(&x->open[kind].value);
		x->open[kind].depth = 0;
	}
}

void xctrace_release(struct xctrace *x)
{
	xctrace_end_input(x);
	for (enum xctrace_kind kind = XCTRACE_FRAME; kind < XCTRACE_KINDS; kind++) {
		fg_buf_release(&x->open[kind].id);
		fg_buf_release(&x->open[kind].text);
	}
	fg_buf_release(&x->scratch);
	free(x->frames);
}
