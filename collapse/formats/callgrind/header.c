/* The head of a file of callgrind: events, positions, sums. */
#include "collapse/formats/callgrind/state.h"

#include "lib/base/xalloc.h"

/* "Time_(10ns)" is Time in units of 10 ns; `factor` makes it ns. */
static struct fg_value event_of(struct fg_str word, uint64_t *factor)
{
	struct fg_value event = { word, FG_STR("") };
	struct fg_str unit = word, name = word;
	struct fg_unit_scale scale;
	size_t digits;

	*factor = 1;
	if (!fg_str_cut_end(&unit, FG_STR(")")))
		return event;
	name = fg_str_before(unit, fg_str_rfind_char(unit, '('));
	if (name.len == unit.len)
		return event;
	unit = fg_str_from_pos(unit, name.len + 1);
	fg_str_cut_end(&name, FG_STR("_"));
	event.name = name;
	digits = fg_str_span(unit, fg_is_digit);
	if (digits && fg_str_u64(fg_str_before(unit, digits), factor))
		return event;
	scale = fg_unit_scale(fg_str_from_pos(unit, digits));
	event.unit = scale.unit;
	*factor = digits ? *factor : 1;
	*factor = *factor > UINT32_MAX ? 1 : *factor * scale.factor;
	return event;
}

static size_t find_event(const struct callgrind *c, struct fg_str name)
{
	size_t i = 0;

	while (i < c->event_count && !fg_str_eq(c->events[i].name, name))
		i++;
	return i;
}

/*
 * The first event, but of memcheck's leaks, which start with what is still reachable,
 * the bytes that are lost. A later part may have its events in another order: the same
 * is counted.
 */
static size_t find_default(struct callgrind *c)
{
	const char *input = fg_sink_at(c->sink)->input;
	bool is_leaks = fg_str_eq(c->events[0].name, FG_STR("RB"));
	struct fg_str name = c->event_input ? fg_buf_str(&c->event) :
			     is_leaks	    ? FG_STR("DB") :
					      c->events[0].name;
	size_t i = find_event(c, name);

	if (i < c->event_count)
		return i;
	if (!c->event_input)
		return 0;
	if (c->event_input == input)
		fg_sink_set_fault(c->sink, "its parts count different events: --weight "
					   "NAME chooses one that all have");
	return 0;
}

static void keep_chosen(struct callgrind *c)
{
	fg_buf_clear(&c->event);
	fg_buf_add_str(&c->event, c->events[c->column].name);
	c->event_input = fg_sink_at(c->sink)->input;
}

/* Words are events; one may be named by its name or all of its word. */
static void choose_event(struct callgrind *c, struct fg_str line)
{
	const char *weight = c->weight;
	struct fg_str rest;
	uint64_t factor;
	int choice;

	fg_buf_clear(&c->event_line);
	fg_buf_add_str(&c->event_line, line);
	rest = fg_buf_str(&c->event_line);
	c->event_count = 0;
	while (rest.len) {
		struct fg_str word = fg_str_trim(fg_str_cut(&rest, ' '));

		if (!word.len)
			continue;
		FG_GROW(c->events, c->events_alloc, c->event_count + 1);
		c->events[c->event_count] = event_of(word, &factor);
		if (weight && fg_str_eq(word, fg_str_from(weight)))
			c->events[c->event_count].name = word;
		c->event_count++;
	}
	if (!c->event_count)
		return;
	choice = fg_sink_choose_value(c->sink, c->events, c->event_count,
				      c->weight ? 0 : find_default(c));
	c->failed = choice < 0;
	c->column = choice < 0 ? 0 : (size_t)choice;
	keep_chosen(c);
	rest = fg_buf_str(&c->event_line);
	for (size_t i = 0; i <= c->column;) {
		struct fg_str word = fg_str_trim(fg_str_cut(&rest, ' '));

		if (!word.len)
			continue;
		event_of(word, &c->factor);
		i++;
	}
}

static size_t count_words(struct fg_str s)
{
	size_t words = 0;

	while (s.len)
		words += fg_str_trim(fg_str_cut(&s, ' ')).len > 0;
	return words;
}

struct fg_str callgrind_word(struct fg_str s, size_t number)
{
	for (;;) {
		size_t end;

		s = fg_str_trim_left(s);
		end = fg_str_find_char(s, ' ');
		if (!number-- || !s.len)
			return fg_str_before(s, end);
		s = fg_str_from_pos(s, end);
	}
}

/* "summary: 400 3", in the head of a part, or "totals: 400 3" at its end */
static void add_told(struct callgrind *c, struct fg_str value, bool total)
{
	uint64_t cost;

	if (fg_str_u64(callgrind_word(value, c->column), &cost) ||
	    (c->told_total && !total))
		return;
	if (total && !c->told_total)
		c->told = (struct fg_sum){ 0, 0 };
	c->told_total = total;
	fg_sum_add(&c->told, cost);
}

void callgrind_read_header(struct callgrind *c, struct fg_str key, struct fg_str value)
{
	if (fg_str_eq(key, FG_STR("events")))
		choose_event(c, value);
	else if (fg_str_eq(key, FG_STR("creator")))
		c->creator = fg_str_starts(value, FG_STR("callgrind")) ? CALLGRIND :
			     fg_str_eq(value, FG_STR("yappi"))	       ? YAPPI :
									 OTHER;
	else if (fg_str_eq(key, FG_STR("positions")))
		c->positions = count_words(value);
	else if (fg_str_eq(key, FG_STR("summary")))
		add_told(c, value, false);
	else if (fg_str_eq(key, FG_STR("totals")))
		add_told(c, value, true);
}
