/* Evaluates cfg(...) conditions. */
#include "flame/cargo/cfg.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* A list whose ")" is not read yet: all(...), any(...), not(...) or cfg(...). */
struct list {
	bool any;
	bool negated; /* not(...) */
	bool single; /* not(...), and cfg(...) itself */
	bool holds; /* judged by the elements so far */
	size_t count; /* number of elements so far */
};

struct parse {
	struct fg_str rest;
	struct fg_str facts;
	struct list *lists; /* the innermost is the last */
	size_t count, alloc;
};

/* Returns true if one of the facts is `name` or, with a value, name="value". */
static bool is_fact(struct fg_str facts, struct fg_str name, const struct fg_str *value)
{
	while (facts.len) {
		struct fg_str its_value = fg_str_trim(fg_str_cut(&facts, '\n'));
		bool has_value = fg_str_has_char(its_value, '=');
		struct fg_str its_name = fg_str_cut(&its_value, '=');

		if (!fg_str_eq(its_name, name) || has_value != (value != NULL))
			continue;
		if (!value)
			return true;
		if (its_value.len == value->len + 2 &&
		    fg_str_eq(fg_str_of(its_value.ptr + 1, value->len), *value))
			return true;
	}
	return false;
}

static bool take(struct parse *p, char c)
{
	p->rest = fg_str_trim_left(p->rest);
	if (!p->rest.len || p->rest.ptr[0] != c)
		return false;
	p->rest = fg_str_trim_left(fg_str_from_pos(p->rest, 1));
	return true;
}

static void open_list(struct parse *p, struct list list)
{
	list.holds = !list.any;
	FG_GROW(p->lists, p->alloc, p->count + 1);
	p->lists[p->count++] = list;
}

/* Opens the list of this name. Returns false if there is no such list. */
static bool open_named(struct parse *p, struct fg_str name)
{
	if (fg_str_eq(name, FG_STR("all")))
		open_list(p, (struct list){ .any = false });
	else if (fg_str_eq(name, FG_STR("any")))
		open_list(p, (struct list){ .any = true });
	else if (fg_str_eq(name, FG_STR("not")))
		open_list(p, (struct list){ .negated = true, .single = true });
	else
		return false;
	return true;
}

static void add_element(struct parse *p, bool holds)
{
	struct list *list = &p->lists[p->count - 1];

	list->holds = list->any ? list->holds || holds : list->holds && holds;
	list->count++;
}

/* Reads the value of `name = "value"`, and adds the element. */
static bool read_value(struct parse *p, struct fg_str name)
{
	struct fg_str value;

	if (!take(p, '"') || !fg_str_has_char(p->rest, '"'))
		return false;
	value = fg_str_cut(&p->rest, '"');
	add_element(p, is_fact(p->facts, name, &value));
	return true;
}

/* Reads an element, or the opening of a list. Returns false if it is malformed. */
static bool read_element(struct parse *p)
{
	struct fg_str name = fg_str_before(p->rest, fg_str_span(p->rest, fg_is_word));

	p->rest = fg_str_from_pos(p->rest, name.len);
	if (!name.len)
		return false;
	if (take(p, '('))
		return open_named(p, name);
	if (take(p, '='))
		return read_value(p, name);
	add_element(p,
		    fg_str_eq(name, FG_STR("true")) || is_fact(p->facts, name, NULL));
	return true;
}

/*
 * Closes the innermost list, which becomes an element of the next one. Returns false if
 * it has a wrong number of elements.
 */
static bool close_list(struct parse *p)
{
	struct list list = p->lists[--p->count];

	if (list.single && list.count != 1)
		return false;
	if (p->count)
		add_element(p, list.holds != list.negated);
	return true;
}

/* Reads a condition, whose "cfg(" has been read. */
static bool holds(struct parse *p)
{
	open_list(p, (struct list){ .single = true });
	while (p->count) {
		bool has_elements = p->lists[p->count - 1].count > 0;
		bool closes = take(p, ')');

		if (!closes && has_elements) {
			if (!take(p, ','))
				return false;
			closes = take(p, ')');
		}
		if (!(closes ? close_list(p) : read_element(p)))
			return false;
	}
	return !p->rest.len && p->lists[0].holds;
}

bool fg_cfg_holds(struct fg_str condition, struct fg_str facts)
{
	struct parse p = { .rest = fg_str_trim(condition), .facts = facts };
	bool result;

	if (!fg_str_cut_start(&p.rest, FG_STR("cfg(")))
		return false;
	p.rest = fg_str_trim_left(p.rest);
	result = holds(&p);
	free(p.lists);
	return result;
}
