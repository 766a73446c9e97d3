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
	size_t leaf;

	if (!s->stacks) {
		fg_json_raw(&w->json, FG_STR("null"));
		return;
	}
	leaf = fg_stacks_depth(s->stacks) - 1;
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

/* Where counts are no times a sample has one unit of time. */
void fg_firefox_add_time(struct fg_firefox *w, const struct fg_firefox_sample *s)
{
	if (fg_value_kind(w->value) == FG_VALUE_TIME)
		add_count(w, s->start);
	else
		fg_json_u64(&w->json, s->samples);
}

/* All that is counted, in the viewer's cycles: each event has as many. */
#define CYCLES 1000000000

/*
 * What the thread did since the row before: by that, not by their weights, the viewer
 * knows which threads are to be seen at first.
 */
void fg_firefox_add_cpu(struct fg_firefox *w, const struct fg_firefox_sample *s)
{
	struct fg_sum cycles = fg_sum_share(
		(struct fg_sum){ CYCLES, 0 }, (struct fg_sum){ s->before, 0 },
		(struct fg_sum){ w->value->totals[w->column], 0 });

	fg_json_u64(&w->json, cycles.low);
}

/* A row that is no sample: the one before it is over. */
static void add_end(struct fg_firefox *w, struct fg_firefox_sample *s,
		    struct fg_sum end, fg_firefox_add *add)
{
	struct fg_firefox_sample row = {
		.before = s->before,
		.samples = s->samples,
		.start = end,
	};

	add(w, &row);
	s->before = 0;
}

/*
 * What comes before a sample, in other threads too where the order is known, took the
 * time that it counts.
 */
size_t fg_firefox_samples(struct fg_firefox *w, const char *name, fg_firefox_add *add)
{
	struct fg_firefox_sample s = { .before = 0 };
	bool in_order = w->value->tree.starts != NULL;
	struct fg_sum end = { 0, 0 };
	struct fg_stacks stacks;
	size_t rows = 0;

	fg_firefox_open_column(w, name);
	fg_stacks_init(&stacks, &w->value->tree, w->tops);
	s.stacks = &stacks;
	while (fg_stacks_next(&stacks)) {
		s.count = stacks.counts[w->column];
		if (!s.count)
			continue;
		s.start = in_order ? (struct fg_sum){ stacks.start, 0 } : end;
		if (s.samples && (s.start.low != end.low || s.start.high != end.high)) {
			add_end(w, &s, end, add);
			rows++;
		}
		add(w, &s);
		rows++;
		s.samples++;
		s.before = s.count;
		end = s.start;
		fg_sum_add(&end, s.count);
	}
	if (s.samples) {
		add_end(w, &s, end, add);
		rows++;
	}
	fg_json_close(&w->json, ']');
	fg_stacks_release(&stacks);
	return rows;
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
