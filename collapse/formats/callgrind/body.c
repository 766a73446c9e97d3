/* Functions, calls and costs of a file of callgrind. */
#include "collapse/formats/callgrind/state.h"

#include "lib/base/xalloc.h"

/* ---- names */

/* The name that a value is, or stands for. */
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
			fg_sink_lose(c->sink, "numbers of names that are not there", 1);
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

/* The function that costs belong to; without a name where there was none. */
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
		/* where a jump goes: no cost, but a number may get its name here */
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

/* The event's cost in a line: 0 where the line has fewer; false where it is none. */
static bool cost_of(struct callgrind *c, struct fg_str line,
		    struct callgrind_cost *cost)
{
	struct fg_str word = callgrind_word(line, c->positions + c->column);

	cost->amount = 0;
	cost->minus = fg_str_cut_start(&word, FG_STR("-"));
	return !word.len || !fg_str_u64(word, &cost->amount) ||
	       (!cost->minus && !fg_str_0x(word, &cost->amount));
}

static bool read_call_costs(struct callgrind *c, struct fg_str line)
{
	struct callgrind_place place = {
		c->has_object ? c->callee_place.object : c->place.object,
		c->has_file ? c->callee_place.file : c->place.file,
	};
	uint32_t from = current(c), to = function_of(c, c->callee_name, place);
	struct callgrind_cost cost;

	c->has_object = c->has_file = false; /* they hold for one call */
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
