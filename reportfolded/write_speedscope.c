/*
 * Writes the file format of speedscope,
 * https://www.speedscope.app/file-format-schema.json: a sampled profile for each event
 * and column, or with --split for each first frame.
 */
#include <stdlib.h>

#include "reportfolded/writers.h"

struct writer {
	struct fg_export *e;
	struct fg_jsonwriter json;
	const struct fg_value *value;
	unsigned column;
};

/* The stacks of one profile. */
struct part {
	struct fg_tops tops;
	/* name of the first frame, or "" if the profile has all stacks */
	struct fg_str name;
	uint64_t total;
};

static void add_frame(void *data, uint32_t node, struct fg_buf *text)
{
	const struct writer *w = data;

	fg_buf_add_u64(text, fg_value_name(w->value, node));
}

static void write_samples(struct writer *w, struct fg_tops tops)
{
	struct fg_export_frames frames = { .add = add_frame, .data = w };
	struct fg_jsonwriter *j = &w->json;
	struct fg_stacks stacks;

	fg_stacks_init(&stacks, &w->value->tree, tops);
	fg_json_key(j, "samples");
	fg_json_open(j, '[');
	while (fg_stacks_next(&stacks)) {
		struct fg_str list = fg_export_frames(&frames, &stacks);

		if (!stacks.counts[w->column])
			continue;
		fg_json_line(j);
		fg_json_open(j, '[');
		fg_json_raw(j, list);
		fg_json_close(j, ']');
	}
	fg_json_close(j, ']');
	fg_stacks_release(&stacks);
	fg_export_frames_release(&frames);
}

/* Writes the weights of the stacks that write_samples() has written. */
static void write_weights(struct writer *w, struct fg_tops tops)
{
	struct fg_stacks stacks;

	fg_stacks_init(&stacks, &w->value->tree, tops);
	fg_json_line(&w->json);
	fg_json_key(&w->json, "weights");
	fg_json_open(&w->json, '[');
	while (fg_stacks_next(&stacks))
		if (stacks.counts[w->column])
			fg_json_decimal(&w->json,
					(struct fg_sum){ stacks.counts[w->column], 0 },
					w->value->tree.decimals);
	fg_json_close(&w->json, ']');
	fg_stacks_release(&stacks);
}

static void write_name(struct writer *w, const struct part *part)
{
	const struct fg_values *v = &w->e->values;
	bool several = v->count * v->columns > 1;
	struct fg_buf title = FG_BUF_INIT;

	fg_buf_add_str(&title, part->name);
	if (part->name.len && several)
		fg_buf_add_str(&title, FG_STR(", "));
	if (!part->name.len || several)
		fg_export_add_title(w->e, w->value, w->column, &title);
	fg_json_key_string(&w->json, "name", fg_buf_str(&title));
	fg_buf_release(&title);
}

static void write_profile(struct writer *w, const struct part *part)
{
	struct fg_jsonwriter *j = &w->json;
	struct fg_str unit = w->value->known ? w->value->known->word : FG_STR("none");

	if (!part->total) /* no viewer opens an empty profile */
		return;
	fg_json_line(j);
	fg_json_open(j, '{');
	fg_json_key_raw(j, "type", "\"sampled\"");
	write_name(w, part);
	fg_json_key_string(j, "unit", unit);
	fg_json_key_u64(j, "startValue", 0);
	fg_json_key(j, "endValue");
	fg_json_decimal(j, (struct fg_sum){ part->total, 0 }, w->value->tree.decimals);
	write_samples(w, part->tops);
	write_weights(w, part->tops);
	fg_json_close(j, '}');
}

static void write_column(struct writer *w)
{
	const struct fg_tree *t = &w->value->tree;
	struct part part = { .total = w->value->totals[w->column] };
	uint64_t *totals;
	struct fg_roots roots;

	if (!w->e->options->split) {
		write_profile(w, &part);
		return;
	}
	totals = fg_value_totals(w->value, w->column);
	fg_roots_init(&roots, t);
	for (size_t i = 0; i < roots.count; i++) {
		part.tops = fg_roots_tops(&roots, i);
		part.name = fg_values_shown(
			&w->e->values, fg_value_name(w->value, part.tops.nodes[0]));
		part.total = 0;
		for (size_t k = 0; k < part.tops.count; k++)
			part.total += totals[part.tops.nodes[k]];
		write_profile(w, &part);
	}
	fg_roots_release(&roots);
	free(totals);
}

static void write_frames(struct writer *w)
{
	const struct fg_values *v = &w->e->values;
	struct fg_jsonwriter *j = &w->json;

	fg_json_key(j, "shared");
	fg_json_open(j, '{');
	fg_json_key(j, "frames");
	fg_json_open(j, '[');
	for (uint32_t i = 0; i < v->names.count; i++) {
		fg_json_line(j);
		fg_json_open(j, '{');
		fg_json_key_string(j, "name", fg_values_function(v, i));
		if (fg_values_line(v, i)) {
			fg_json_key_string(j, "file", fg_values_file(v, i));
			fg_json_key_u64(j, "line", fg_values_line(v, i));
		}
		fg_json_close(j, '}');
	}
	fg_json_close(j, ']');
	fg_json_close(j, '}');
}

int fg_export_speedscope(struct fg_export *e)
{
	struct writer w = { .e = e, .json = { .out = e->out } };
	struct fg_jsonwriter *j = &w.json;

	fg_json_open(j, '{');
	fg_json_key_raw(j, "$schema",
			"\"https://www.speedscope.app/file-format-schema.json\"");
	fg_json_key_raw(j, "exporter", "\"flamepipe\"");
	fg_json_key_u64(j, "activeProfileIndex", 0);
	write_frames(&w);
	fg_json_line(j);
	fg_json_key(j, "profiles");
	fg_json_open(j, '[');
	for (size_t i = 0; i < e->values.count; i++)
		for (unsigned c = fg_export_first_column(e); c <= FG_AFTER; c++) {
			w.value = &e->values.items[i];
			w.column = c;
			write_column(&w);
		}
	fg_json_close(j, ']');
	fg_json_close(j, '}');
	fg_out_add_char(e->out, '\n');
	return 0;
}
