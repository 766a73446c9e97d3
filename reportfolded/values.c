/* Reads folded stacks into a tree for each event. */
#include "reportfolded/values.h"

#include <stdlib.h>

#include "lib/profile/filter.h"
#include "lib/profile/folded_input.h"
#include "lib/profile/sections.h"
#include "lib/recognize/recognize.h"

const struct fg_value_unit fg_value_units[] = {
	{ FG_STR_INIT("ns"), FG_STR_INIT("nanoseconds"), FG_VALUE_TIME, 0 },
	{ FG_STR_INIT("us"), FG_STR_INIT("microseconds"), FG_VALUE_TIME, 3 },
	{ FG_STR_INIT("ms"), FG_STR_INIT("milliseconds"), FG_VALUE_TIME, 6 },
	{ FG_STR_INIT("s"), FG_STR_INIT("seconds"), FG_VALUE_TIME, 9 },
	{ FG_STR_INIT("bytes"), FG_STR_INIT("bytes"), FG_VALUE_BYTES, 0 },
	{ FG_STR_INIT(""), FG_STR_INIT(""), FG_VALUE_OTHER, 0 },
};

struct reading {
	struct fg_values *values;
	const struct fg_report_options *options;
	struct fg_filter *filter; /* for --no-lines, or NULL */
	struct fg_folded_input lines;
	struct fg_sections sections; /* by header lines; only one with --event-frame */
	/* with --event-frame: values->items[0] has got the name of its event */
	bool has_event;
	size_t current; /* index of the current event */
};

/* ---- events */

static struct fg_value *add_value(struct reading *r)
{
	struct fg_values *v = r->values;
	struct fg_value *value;

	FG_GROW(v->items, v->alloc, v->count + 1);
	value = &v->items[v->count];
	*value = (struct fg_value){ 0 };
	fg_tree_init(&value->tree,
		     r->options->time_order ? FG_TREE_INPUT : FG_TREE_SORTED);
	v->count++;
	return value;
}

static int too_many(struct reading *r, const struct fg_place *at)
{
	return fg_error(r->lines.diag, at,
			"the input has more than %d kinds of events: if the first "
			"frames are not events, leave out --event-frame",
			FG_SECTIONS_MAX);
}

/* Makes the event that the header lines name the current one. */
static int turn(struct reading *r, const struct fg_place *at)
{
	int section = fg_sections_turn(&r->sections, at, r->lines.diag);

	if (section < 0)
		return -1;
	r->current = (size_t)section;
	if (r->current == r->values->count)
		add_value(r);
	return 0;
}

/* Cuts the event off a stack, and makes it the current one. */
static int take_event(struct reading *r, struct fg_folded *folded,
		      const struct fg_place *at)
{
	struct fg_values *v = r->values;
	struct fg_str event = fg_str_cut(&folded->stack, ';');
	size_t i = 0;

	if (!r->has_event)
		fg_unit_take(&v->items[0].header, FG_STR(""), event);
	r->has_event = true;
	while (i < v->count && !fg_str_eq(fg_buf_str(&v->items[i].header.event), event))
		i++;
	if (i == FG_SECTIONS_MAX)
		return too_many(r, at);
	if (i == v->count)
		fg_unit_take(&add_value(r)->header, FG_STR(""), event);
	r->current = i;
	return 0;
}

/* ---- lines */

static bool is_separator(char c)
{
	return c == ';';
}

static int add_stack(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct reading *r = data;

	if (r->options->event_frame && take_event(r, folded, at))
		return -1;
	if (fg_str_span(folded->stack, is_separator) == folded->stack.len)
		folded->stack = FG_STR("[unknown]"); /* every stack has a frame */
	if (r->filter)
		fg_filter_text(r->filter, &folded->stack);
	if (!fg_tree_add(&r->values->items[r->current].tree, folded))
		return 0;
	return fg_error(r->lines.diag, at, "the sum of the counts exceeds 2^64-1");
}

/*
 * Ends a part of the input: all lines up to the header lines of another event. Counts
 * the stacks that are held back, which belong to the part. Checks that all parts have
 * the same number of counts.
 */
static int end_part(struct reading *r, const struct fg_place *at)
{
	unsigned columns;

	if (fg_folded_input_end(&r->lines))
		return -1;
	columns = r->lines.columns;
	if (columns && r->values->columns && columns != r->values->columns)
		return fg_error(r->lines.diag, at,
				"some events have one count, others two");
	if (columns)
		r->values->columns = columns;
	return 0;
}

/* Starts a part of the input, at the first stack after header lines. */
static int start_part(struct reading *r, const struct fg_place *at)
{
	if (r->lines.tally.stacks || r->lines.held_count) {
		if (end_part(r, at))
			return -1;
		fg_folded_input_restart(&r->lines);
	}
	return turn(r, at);
}

static int add_line(struct reading *r, struct fg_str line, const struct fg_place *at)
{
	struct fg_folded folded;
	enum fg_folded_kind kind = fg_folded_parse(line, &folded);

	fg_folded_input_keep(&r->lines, line);
	if (kind == FG_FOLDED_EMPTY && r->options->event_frame)
		fg_unit_read(&r->sections.items[0], line);
	else if (kind == FG_FOLDED_EMPTY && line.len)
		fg_sections_line(&r->sections, line);
	else if (kind == FG_FOLDED_STACK && !folded.is_message &&
		 r->sections.has_header && start_part(r, at))
		return -1;
	return fg_folded_input_parsed(&r->lines, kind, &folded, line, at);
}

static int read_all(struct reading *r, struct fg_reader *reader)
{
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &at)) > 0)
		if (add_line(r, line, &at))
			return -1;
	if (status || end_part(r, NULL))
		return -1;
	fg_sections_end(&r->sections);
	return 0;
}

/* ---- the result */

static const struct fg_value_unit *find_unit(struct fg_str unit)
{
	const struct fg_value_unit *known = fg_value_units;

	for (; known->folded.len; known++)
		if (fg_str_eq(unit, known->folded) || fg_str_eq(unit, known->word))
			return known;
	return NULL;
}

static struct fg_str either(const char *option, const struct fg_buf *header)
{
	return option ? fg_str_from(option) : fg_buf_str(header);
}

/* Names what is counted: by the option, the header line or the unit. */
static void name_value(struct fg_value *value, const struct fg_report_options *o)
{
	struct fg_str name = either(o->weight, &value->header.event);
	struct fg_str unit = either(o->unit, &value->header.unit);

	value->known = find_unit(unit);
	if (!name.len)
		name = fg_value_kind(value) == FG_VALUE_TIME  ? FG_STR("time") :
		       fg_value_kind(value) == FG_VALUE_BYTES ? FG_STR("space") :
								FG_STR("samples");
	fg_buf_add_str(&value->name, name);
	fg_buf_add_str(&value->unit, value->known ? value->known->word : unit);
}

static void finish(struct fg_values *v, struct fg_value *value,
		   const struct fg_report_options *o)
{
	struct fg_tree *t = &value->tree;
	bool *known;

	fg_tree_finish(t);
	value->totals[FG_AFTER] = t->total;
	if (t->before) {
		uint64_t *sums = fg_tree_sums_before(t);

		value->totals[FG_BEFORE] = sums[0];
		free(sums);
	}
	value->names = fg_xcalloc(t->names.count, sizeof(*value->names));
	known = fg_xcalloc(t->names.count, sizeof(*known));
	for (size_t i = 1; i < t->count; i++) { /* the root has no name */
		uint32_t name = t->nodes[i].name;

		if (!known[name])
			value->names[name] =
				fg_intern(&v->names, fg_intern_name(&t->names, name));
		known[name] = true;
	}
	free(known);
	name_value(value, o);
}

/* Splits all names into functions and lines. */
static void find_functions(struct fg_values *v)
{
	struct fg_intern pairs; /* two ids: of the function, and of the file + 1 */
	/* indexed by id of the pair: its first name */
	uint32_t *firsts = fg_xcalloc(v->names.count, sizeof(*firsts));

	fg_lines_init(&v->lines, &v->names);
	v->functions = fg_xcalloc(v->names.count, sizeof(*v->functions));
	fg_intern_init(&pairs);
	for (uint32_t i = 0; i < v->names.count; i++) {
		const struct fg_named_line *line = &v->lines.of[i];
		uint32_t ids[] = { line->function, line->number ? line->file + 1 : 0 };
		size_t before = pairs.count;
		uint32_t pair =
			fg_intern(&pairs, fg_str_of((const char *)ids, sizeof(ids)));

		if (pair == before)
			firsts[pair] = i;
		v->functions[i] = firsts[pair];
	}
	fg_intern_release(&pairs);
	free(firsts);
}

static int finish_all(struct reading *r)
{
	struct fg_values *v = r->values;
	bool any = false;

	if (r->options->weight && v->count > 1)
		return fg_error(r->lines.diag, NULL,
				"--weight names one event, but the input has %zu",
				v->count);
	for (size_t i = 0; i < v->count; i++) {
		if (r->options->event_frame) {
			fg_unit_take_all(&v->items[i].header, &r->sections.items[0]);
		} else {
			v->items[i].header = r->sections.items[i];
			r->sections.items[i] = (struct fg_unit){ .mixed_units = false };
		}
		finish(v, &v->items[i], r->options);
		any |= v->items[i].totals[FG_BEFORE] || v->items[i].totals[FG_AFTER];
	}
	if (!any)
		return fg_error(r->lines.diag, NULL, "no stack counts found: %s",
				fg_folded_input_fault(&r->lines));
	find_functions(v);
	fg_folded_input_warn(&r->lines, "");
	return 0;
}

int fg_values_read(struct fg_values *v, const struct fg_report_options *options,
		   struct fg_reader *reader, struct fg_diag *diag)
{
	const struct fg_filter_options filter = { .no_lines = options->no_lines };
	struct reading r = { .values = v, .options = options };
	int status;

	fg_filter_new(&filter, NULL, diag, &r.filter); /* cannot fail: no patterns */
	*v = (struct fg_values){ 0 };
	fg_intern_init(&v->names);
	fg_folded_input_init(&r.lines, diag, NULL, add_stack, &r);
	r.lines.guess = fg_recognize_guess;
	fg_sections_init(&r.sections);
	add_value(&r);
	status = read_all(&r, reader);
	if (!status)
		status = finish_all(&r);
	fg_sections_release(&r.sections);
	fg_folded_input_release(&r.lines);
	fg_filter_free(r.filter);
	return status;
}

uint64_t *fg_value_totals(const struct fg_value *v, unsigned column)
{
	const struct fg_tree *t = &v->tree;
	uint64_t *own = fg_xcalloc(t->count, sizeof(*own)), *totals;

	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		own[i] = counts[column];
	}
	totals = fg_tree_sums(t, own);
	free(own);
	return totals;
}

void fg_values_release(struct fg_values *v)
{
	for (size_t i = 0; i < v->count; i++) {
		struct fg_value *value = &v->items[i];

		fg_unit_release(&value->header);
		fg_buf_release(&value->name);
		fg_buf_release(&value->unit);
		fg_tree_release(&value->tree);
		free(value->names);
	}
	free(v->items);
	fg_intern_release(&v->names);
	fg_lines_release(&v->lines);
	free(v->functions);
	*v = (struct fg_values){ 0 };
}
