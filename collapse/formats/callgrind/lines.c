/*
 * Reads the lines of a file of callgrind: events and sums in its head and at its end,
 * functions, calls and costs between them. callgrind.c has an example.
 */
#include "collapse/formats/callgrind/state.h"

#include "lib/base/xalloc.h"

/* Returns word `number` of `s`, counted from 0, or "" if there are fewer. */
static struct fg_str word_at(struct fg_str s, size_t number)
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

/* ---- the head */

/*
 * Reads a word of "events:". "Time_(10ns)" is the event "Time" in units of 10 ns, so
 * its unit is "ns" and its factor 10.
 */
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

/* Returns the index of the event, or the number of events. */
static size_t find_event(const struct callgrind *c, struct fg_str name)
{
	size_t i = 0;

	while (i < c->event_count && !fg_str_eq(c->events[i].name, name))
		i++;
	return i;
}

/*
 * Returns the event to count without --weight: the one that was counted before, because
 * a later part may have its events in another order, or the first one. In a file of
 * memcheck's leaks the first event is the bytes that are still reachable, so we choose
 * the lost ones there, "DB".
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
		fg_sink_set_fault(c->sink, "the parts of the file count different "
					   "events: choose one that all parts have "
					   "with --weight NAME");
	return 0;
}

static void keep_chosen(struct callgrind *c)
{
	fg_buf_clear(&c->event);
	fg_buf_add_str(&c->event, c->events[c->column].name);
	c->event_input = fg_sink_at(c->sink)->input;
}

/*
 * Reads "events: Ir Time_(10ns)", and chooses the event to count. --weight may be its
 * name, "Time", or the whole word.
 */
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

/*
 * Adds "summary: 400 3" from the head of a part, or "totals: 400 3" from its end, to
 * the sum of the file. Once there are totals, summaries do not count.
 */
static void add_file_sum(struct callgrind *c, struct fg_str value, bool total)
{
	uint64_t cost;

	if (fg_str_u64(word_at(value, c->column), &cost) || (c->has_totals && !total))
		return;
	if (total && !c->has_totals)
		c->file_sum = (struct fg_sum){ 0, 0 };
	c->has_totals = total;
	fg_sum_add(&c->file_sum, cost);
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
		add_file_sum(c, value, false);
	else if (fg_str_eq(key, FG_STR("totals")))
		add_file_sum(c, value, true);
}

/* ---- names */

/*
 * Returns the id of the name in "main" or "(1) main", or of the name that "(1)" stands
 * for.
 */
static uint32_t name_of(struct callgrind *c, enum table table, struct fg_str value)
{
	struct numbered *t = &c->tables[table];
	struct fg_str rest = value, number;
	size_t known = t->numbers.count, digits;
	uint32_t id;

	if (!fg_str_cut_start(&rest, FG_STR("(")))
		return fg_intern(&c->profile.names, value);
	digits = fg_str_span(rest, fg_is_digit);
	number = fg_str_before(rest, digits);
	rest = fg_str_from_pos(rest, digits);
	if (!digits || !fg_str_cut_start(&rest, FG_STR(")")))
		return fg_intern(&c->profile.names, value);
	rest = fg_str_trim(rest);
	id = fg_intern(&t->numbers, number);
	if (id == known) {
		FG_GROW(t->names, t->alloc, known + 1);
		if (!rest.len)
			fg_sink_lose(c->sink, "references to undefined names", 1);
	}
	if (id == known || rest.len)
		t->names[id] = fg_intern(&c->profile.names, rest);
	return t->names[id];
}

static uint32_t function_of(struct callgrind *c, uint32_t name,
			    struct callgrind_place place)
{
	return callgrind_profile_function(&c->profile, name, place);
}

/* Returns the function to which costs belong. It has no name before the first "fn=". */
static uint32_t current(struct callgrind *c)
{
	if (!c->has_function) {
		c->function = function_of(c, fg_intern(&c->profile.names, FG_STR("")),
					  c->place);
		c->has_function = true;
	}
	return c->function;
}

static void set_callee(struct callgrind *c, struct fg_str key, struct fg_str value)
{
	if (fg_str_eq(key, FG_STR("cob"))) {
		c->callee_place.object = name_of(c, OBJECTS, value);
		c->has_object = true;
	} else if (fg_str_eq(key, FG_STR("cfn"))) {
		c->callee_name = name_of(c, FUNCTIONS, value);
	} else {
		c->callee_place.file = name_of(c, FILES, value);
		c->has_file = true;
	}
}

bool callgrind_read_assignment(struct callgrind *c, struct fg_str key,
			       struct fg_str value)
{
	if (fg_str_eq(key, FG_STR("fn"))) {
		c->function = function_of(c, name_of(c, FUNCTIONS, value), c->place);
		c->has_function = true;
	} else if (fg_str_eq(key, FG_STR("fl")) || fg_str_eq(key, FG_STR("fi")) ||
		   fg_str_eq(key, FG_STR("fe"))) {
		c->place.file = name_of(c, FILES, value);
	} else if (fg_str_eq(key, FG_STR("ob"))) {
		c->place.object = name_of(c, OBJECTS, value);
	} else if (fg_str_eq(key, FG_STR("cob")) || fg_str_eq(key, FG_STR("cfn")) ||
		   fg_str_eq(key, FG_STR("cfi")) || fg_str_eq(key, FG_STR("cfl"))) {
		set_callee(c, key, value);
	} else if (fg_str_eq(key, FG_STR("calls"))) {
		c->expect = CALL_COSTS;
	} else if (fg_str_eq(key, FG_STR("jfi"))) {
		/*
		 * jumps have no costs, but these lines may say which name a number
		 * stands for
		 */
		name_of(c, FILES, value);
	} else if (fg_str_eq(key, FG_STR("jfn"))) {
		name_of(c, FUNCTIONS, value);
	} else if (fg_str_eq(key, FG_STR("jump")) || fg_str_eq(key, FG_STR("jcnd"))) {
		c->expect = JUMP;
	} else {
		return false;
	}
	return true;
}

/* ---- costs */

/*
 * Reads the cost of the chosen event. It is 0 if the line is too short. Returns false
 * if it is malformed.
 */
static bool cost_of(struct callgrind *c, struct fg_str line,
		    struct callgrind_cost *cost)
{
	struct fg_str word = word_at(line, c->positions + c->column);

	cost->amount = 0;
	cost->negative = fg_str_cut_start(&word, FG_STR("-"));
	return !word.len || !fg_str_u64(word, &cost->amount) ||
	       (!cost->negative && !fg_str_0x(word, &cost->amount));
}

static bool read_call_costs(struct callgrind *c, struct fg_str line)
{
	struct callgrind_place place = {
		c->has_object ? c->callee_place.object : c->place.object,
		c->has_file ? c->callee_place.file : c->place.file,
	};
	uint32_t from = current(c), to = function_of(c, c->callee_name, place);
	struct callgrind_cost cost;

	/* "cob=" and "cfi=" hold for one call only */
	c->has_object = c->has_file = false;
	if (!cost_of(c, line, &cost))
		return false;
	callgrind_profile_add_calls(&c->profile, from, to, cost);
	return true;
}

bool callgrind_read_costs(struct callgrind *c, struct fg_str line)
{
	enum expect expect = c->expect;
	struct callgrind_cost cost;

	c->expect = COSTS;
	c->any = true;
	if (expect == JUMP)
		return true;
	if (expect == CALL_COSTS)
		return read_call_costs(c, line);
	if (!cost_of(c, line, &cost))
		return false;
	callgrind_profile_add_own(&c->profile, current(c), cost);
	return true;
}
