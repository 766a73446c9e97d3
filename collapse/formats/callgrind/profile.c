/* Keeps the functions and calls of a profile, and unfolds them without estimates. */
#include "collapse/formats/callgrind/profile.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/values.h"
#include "lib/base/xalloc.h"

void callgrind_profile_init(struct callgrind_profile *p)
{
	memset(p, 0, sizeof(*p));
	fg_intern_init(&p->names);
}

void callgrind_profile_release(struct callgrind_profile *p)
{
	fg_intern_release(&p->names);
	callgrind_pairs_release(&p->function_index);
	callgrind_pairs_release(&p->call_index);
	free(p->functions);
	free(p->calls);
}

/* ---- reading */

uint32_t callgrind_profile_function(struct callgrind_profile *p, uint32_t name,
				    struct callgrind_place place)
{
	size_t known = p->function_index.count;
	uint32_t number = callgrind_pairs_find(
		&p->function_index,
		(struct callgrind_items){ p->functions, sizeof(*p->functions) },
		(struct callgrind_pair){ place.object, name });

	if (number < known)
		return number;
	FG_GROW(p->functions, p->functions_alloc, known + 1);
	p->functions[known] = (struct callgrind_function){
		.object = place.object,
		.name = name,
		.file = place.file,
	};
	return number;
}

void callgrind_profile_add_own(struct callgrind_profile *p, uint32_t function,
			       struct callgrind_cost cost)
{
	struct callgrind_function *f = &p->functions[function];

	f->has_costs = true;
	fg_sum_add(cost.negative ? &f->negative : &f->own, cost.amount);
}

void callgrind_profile_add_calls(struct callgrind_profile *p, uint32_t from,
				 uint32_t to, struct callgrind_cost cost)
{
	struct callgrind_calls *calls;
	size_t known = p->call_index.count;
	uint32_t number = callgrind_pairs_find(
		&p->call_index, (struct callgrind_items){ p->calls, sizeof(*p->calls) },
		(struct callgrind_pair){ from, to });

	if (number == known) {
		FG_GROW(p->calls, p->calls_alloc, known + 1);
		p->calls[known] =
			(struct callgrind_calls){ from, to, { 0, 0 }, { 0, 0 } };
	}
	calls = &p->calls[number];
	fg_sum_add(cost.negative ? &calls->negative : &calls->cost, cost.amount);
	p->functions[from].calls = true;
}

/* ---- frames */

/* Returns "f" for "f'2", in which 2 is the level of recursion. */
static struct fg_str without_level(struct fg_str name)
{
	struct fg_str rest =
		fg_str_before(name, name.len - fg_str_end_span(name, fg_is_digit));

	return rest.len < name.len && fg_str_cut_end(&rest, FG_STR("'")) ? rest : name;
}

/*
 * Returns the file or object to show after `name`, or "" if it is not wanted, unknown
 * or beyond the budget for long names.
 */
static struct fg_str place_of(const struct callgrind_profile *p, struct fg_sink *sink,
			      struct fg_str name, uint32_t place, bool wanted)
{
	struct fg_str text = wanted ? fg_intern_name(&p->names, place) : FG_STR("");

	if (fg_str_eq(text, FG_STR("???")) || !text.len ||
	    !fg_sink_charge_name(sink, name.len + text.len,
				 "files and objects not shown, because names get too "
				 "long"))
		return FG_STR("");
	return text;
}

/*
 * The state of a name: not seen yet (UNKNOWN) or seen (KNOWN). FRAMES plus a frame id
 * means that the name alone has that frame, without file and object.
 */
enum { UNKNOWN, KNOWN, FRAMES };

static uint32_t frame_of(const struct callgrind_profile *p, struct fg_sink *sink,
			 const struct callgrind_function *f, struct callgrind_shown how,
			 uint32_t *known)
{
	struct fg_str name = fg_intern_name(&p->names, f->name);
	struct fg_str file = place_of(p, sink, name, f->file, how.lines);
	struct fg_str object =
		fg_str_basename(place_of(p, sink, name, f->object, how.dso));
	struct fg_buf text = FG_BUF_INIT;
	uint32_t frame;

	if (!file.len && !object.len) {
		if (*known < FRAMES)
			*known = FRAMES + fg_sink_name(sink, without_level(name));
		return *known - FRAMES;
	}
	name = without_level(name);
	fg_buf_add_str(&text, name.len ? name : FG_STR("[unknown]"));
	if (object.len) {
		fg_buf_add_char(&text, '@');
		fg_buf_add_str(&text, object);
	}
	frame = fg_sink_name_at(sink, fg_buf_str(&text), file, 0);
	fg_buf_release(&text);
	return frame;
}

/*
 * Returns true if the apostrophe at `at` is part of a function's name and does not
 * separate two names. In "&'a T" and "<'_, T>" it starts a lifetime of Rust; in
 * "main::'lambda'(int)" clang quotes with it. We tell by the character before the
 * opening one, because no function ends in any of these.
 */
static bool is_of_name(struct fg_str name, size_t at)
{
	static const struct fg_str openers = FG_STR_INIT(" <&(:,+");
	size_t open = at;

	while (open && fg_is_word(name.ptr[open - 1]))
		open--;
	if (open && open < at && name.ptr[open - 1] == '\'')
		at = open - 1;
	return at && fg_str_has_char(openers, name.ptr[at - 1]);
}

/*
 * Cuts the outermost caller off a context and returns it: "g" off "leaf'f'g". At last
 * returns the leaf, and leaves the context empty.
 */
static struct fg_str cut_caller(struct fg_str *context)
{
	struct fg_str all = *context;
	size_t at = all.len;

	do {
		size_t end = at;

		at = fg_str_rfind_char(fg_str_before(all, end), '\'');
		if (at == end) {
			*context = fg_str_before(all, 0);
			return all;
		}
	} while (is_of_name(all, at));
	*context = fg_str_before(all, at);
	return fg_str_from_pos(all, at + 1);
}

/* Returns true for "f'g", but not for "f'2" or "f'2'3". */
static bool has_callers(struct fg_str name)
{
	while (name.len) {
		struct fg_str part = cut_caller(&name);

		if (part.ptr != name.ptr && part.len && !fg_str_all(part, fg_is_digit))
			return true;
	}
	return false;
}

/* ---- the end of the input */

/*
 * Subtracts *negative from *cost, multiplies *cost by `factor`, and clears *negative.
 * If the result is negative, sets the cost to 0 and returns the amount below 0.
 */
static struct fg_sum subtract_negative(struct fg_sum *cost, struct fg_sum *negative,
				       uint64_t factor)
{
	struct fg_sum less = fg_sum_less(*negative, *cost);

	*cost = fg_sum_mul(fg_sum_less(*cost, *negative), factor);
	*negative = (struct fg_sum){ 0, 0 };
	return fg_sum_mul(less, factor);
}

void callgrind_profile_complete(struct callgrind_profile *p, struct fg_sink *sink,
				struct callgrind_shown how)
{
	/* the state of each name, because functions of many objects may share a name */
	uint32_t *known = fg_xcalloc(p->names.count, sizeof(*known));

	for (size_t i = 0; i < p->call_index.count; i++) {
		struct callgrind_calls *calls = &p->calls[i];
		struct callgrind_function *to = &p->functions[calls->to];

		if (!to->has_costs && !to->calls) {
			fg_sum_add_sum(&to->own, calls->cost);
			fg_sum_add_sum(&to->negative, calls->negative);
		}
		subtract_negative(&calls->cost, &calls->negative, how.factor);
	}
	for (size_t i = 0; i < p->function_index.count; i++) {
		struct callgrind_function *f = &p->functions[i];
		uint32_t *of_name = &known[f->name];
		struct fg_sum less;

		less = subtract_negative(&f->own, &f->negative, how.factor);
		if (!fg_sum_is_zero(less))
			fg_sink_lose_weight(sink, "functions with negative costs",
					    less);
		if (*of_name == UNKNOWN && how.contexts && !p->has_callers)
			p->has_callers =
				has_callers(fg_intern_name(&p->names, f->name));
		if (*of_name == UNKNOWN)
			*of_name = KNOWN;
		f->frame = frame_of(p, sink, f, how, of_name);
	}
	free(known);
	fg_intern_trim(&p->names); /* no name is looked up any more */
	fg_slots_release(&p->function_index.slots);
	fg_slots_release(&p->call_index.slots);
}

/* ---- unfolding */

void callgrind_profile_unfold_flat(const struct callgrind_profile *p,
				   struct callgrind_paths *paths)
{
	for (size_t i = 0; i < p->function_index.count; i++) {
		const struct callgrind_function *f = &p->functions[i];
		uint32_t path;

		path = callgrind_paths_child(paths, CALLGRIND_NO_PATH, f->frame);
		callgrind_paths_count(paths, path, f->own);
	}
}

/* Returns the path of a context, "f;g" for "g'f". */
static uint32_t path_of(struct fg_sink *sink, struct fg_str context,
			struct callgrind_paths *paths)
{
	uint32_t path = CALLGRIND_NO_PATH;

	while (context.len) {
		struct fg_str part = cut_caller(&context);

		if (!fg_str_all(part, fg_is_digit))
			path = callgrind_paths_child(paths, path,
						     fg_sink_name(sink, part));
	}
	return path;
}

void callgrind_profile_unfold_callers(const struct callgrind_profile *p,
				      struct fg_sink *sink,
				      struct callgrind_paths *paths)
{
	/* path plus 1 of each name, or 0 */
	uint32_t *known = fg_xcalloc(p->names.count, sizeof(*known));

	for (size_t i = 0; i < p->function_index.count; i++) {
		const struct callgrind_function *f = &p->functions[i];
		uint32_t path;

		if (!known[f->name])
			known[f->name] =
				path_of(sink, fg_intern_name(&p->names, f->name),
					paths) +
				1;
		path = known[f->name] - 1;
		/*
		 * path_of() skips parts that are numbers, and this name has no other
		 * parts
		 */
		if (path == CALLGRIND_NO_PATH)
			path = callgrind_paths_child(paths, path, f->frame);
		callgrind_paths_count(paths, path, f->own);
	}
	free(known);
}
