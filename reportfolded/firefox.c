/* Columns and categories of a profile for Firefox Profiler. */
#include "reportfolded/firefox.h"

/* ---- columns */

void fg_firefox_open_column(struct fg_firefox *w, const char *name)
{
	fg_json_key(&w->json, name);
	fg_json_open(&w->json, '[');
}

void fg_firefox_fill(struct fg_firefox *w, const char *name, const char *value)
{
	struct fg_str text = fg_str_from(value);

	fg_firefox_open_column(w, name);
	for (size_t i = 0; i < w->function_count; i++)
		fg_json_raw(&w->json, text);
	fg_json_close(&w->json, ']');
}

void fg_firefox_count(struct fg_firefox *w, const char *name)
{
	fg_firefox_open_column(w, name);
	for (size_t i = 0; i < w->function_count; i++)
		fg_json_u64(&w->json, i);
	fg_json_close(&w->json, ']');
}

/* ---- samples */

void fg_firefox_add_stack(struct fg_firefox *w, const struct fg_firefox_sample *s)
{
	size_t leaf = fg_stacks_depth(s->stacks) - 1;

	fg_json_u64(&w->json, w->row_of[fg_stacks_node(s->stacks, leaf)]);
}

/* Times are in ms. */
static void add_count(struct fg_firefox *w, struct fg_sum count)
{
	const struct fg_value_unit *unit = w->value->known;
	unsigned decimals = w->value->tree.decimals;

	if (fg_value_kind(w->value) == FG_VALUE_TIME && unit->exponent > 6)
		count = fg_sum_mul(count, fg_pow10(unit->exponent - 6));
	else if (fg_value_kind(w->value) == FG_VALUE_TIME)
		decimals += 6 - unit->exponent;
	fg_json_decimal(&w->json, count, decimals);
}

void fg_firefox_add_weight(struct fg_firefox *w, const struct fg_firefox_sample *s)
{
	add_count(w, (struct fg_sum){ s->count, 0 });
}

/*
 * What comes before it, in other threads too where the order is known, took the time
 * that it counts; else there is none to tell.
 */
void fg_firefox_add_time(struct fg_firefox *w, const struct fg_firefox_sample *s)
{
	if (fg_value_kind(w->value) == FG_VALUE_TIME && w->value->tree.starts)
		add_count(w, (struct fg_sum){ s->stacks->start, 0 });
	else if (fg_value_kind(w->value) == FG_VALUE_TIME)
		add_count(w, s->sum);
	else
		fg_json_u64(&w->json, s->row);
}

size_t fg_firefox_samples(struct fg_firefox *w, const char *name, fg_firefox_add *add)
{
	struct fg_firefox_sample sample = { .row = 0 };
	struct fg_stacks stacks;

	fg_firefox_open_column(w, name);
	fg_stacks_init(&stacks, &w->value->tree, w->tops);
	sample.stacks = &stacks;
	while (fg_stacks_next(&stacks)) {
		sample.count = stacks.counts[w->column];
		if (!sample.count)
			continue;
		add(w, &sample);
		sample.row++;
		fg_sum_add(&sample.sum, sample.count);
	}
	fg_json_close(&w->json, ']');
	fg_stacks_release(&stacks);
	return sample.row;
}

/* ---- categories */

/* In the colours of flamegraph's palettes, by the annotations of folded(5). */
enum category { OTHER, KERNEL, NATIVE, JIT, INLINED };

static enum category category_of(struct fg_str name)
{
	if (fg_str_ends(name, FG_STR("_[k]")))
		return KERNEL;
	if (fg_str_ends(name, FG_STR("_[j]")) || fg_str_ends(name, FG_STR("_[1]")))
		return JIT;
	return fg_str_ends(name, FG_STR("_[i]")) ? INLINED : OTHER;
}

/* Where some functions are marked, those that are not, nor interpreted, are native. */
static void find_categories(struct fg_firefox *w)
{
	const struct fg_intern *names = &w->e->values.names;
	bool any = false;

	for (uint32_t i = 0; i < names->count; i++) {
		enum category c = category_of(fg_intern_name(names, i));

		w->category_of[i] = (unsigned char)c;
		any |= c == KERNEL || c == JIT;
	}
	for (uint32_t i = 0; any && i < names->count; i++)
		if (w->category_of[i] == OTHER &&
		    !fg_str_ends(fg_intern_name(names, i), FG_STR("_[0]")))
			w->category_of[i] = NATIVE;
}

void fg_firefox_categories(struct fg_firefox *w)
{
	static const struct {
		const char *name, *color;
	} categories[] = {
		[OTHER] = { "Other", "grey" },
		[KERNEL] = { "Kernel", "orange" },
		[NATIVE] = { "Native", "red" },
		[JIT] = { "JIT", "green" },
		[INLINED] = { "Inlined", "lightblue" },
	};
	struct fg_jsonwriter *j = &w->json;

	find_categories(w);
	fg_firefox_open_column(w, "categories");
	for (size_t i = 0; i < FG_COUNT_OF(categories); i++) {
		fg_json_open(j, '{');
		fg_json_key_string(j, "name", fg_str_from(categories[i].name));
		fg_json_key_string(j, "color", fg_str_from(categories[i].color));
		fg_json_key_raw(j, "subcategories", "[\"Other\"]");
		fg_json_close(j, '}');
	}
	fg_json_close(j, ']');
}
