/*
 * Writes folded stacks as JSON:
 * {"profiles":[{"event","unit","total","stacks":[{"frames": [...],"count"}]}]}, a
 * profile for each event, a stack on each line.
 */
#include <stdlib.h>

#include "reportfolded/writers.h"
#include "reportfolded/names.h"

/* All names as JSON strings. */
struct quoted {
	struct fg_buf text;
	size_t *ends; /* indexed by id of the name: the end of its string in `text` */
};

struct writer {
	struct fg_export *e;
	struct fg_jsonwriter json;
	struct quoted names;
	const struct fg_value *value;
};

static void quote_names(struct quoted *q, const struct fg_intern *names)
{
	q->ends = fg_xcalloc(names->count, sizeof(*q->ends));
	for (uint32_t i = 0; i < names->count; i++) {
		fg_buf_add_char(&q->text, '"');
		fg_report_add_name(&q->text, fg_intern_name(names, i),
				   FG_REPORT_COLLAPSED);
		fg_buf_add_char(&q->text, '"');
		q->ends[i] = q->text.len;
	}
}

static void add_frame(void *data, uint32_t node, struct fg_buf *text)
{
	const struct writer *w = data;
	uint32_t name = fg_value_name(w->value, node);
	size_t start = name ? w->names.ends[name - 1] : 0;

	fg_buf_add(text, w->names.text.ptr + start, w->names.ends[name] - start);
}

static void add_counts(struct writer *w, const struct fg_stacks *s)
{
	unsigned decimals = w->value->tree.decimals;

	if (w->e->values.columns == 2) {
		fg_json_key(&w->json, "before");
		fg_json_decimal(&w->json, (struct fg_sum){ s->counts[FG_BEFORE], 0 },
				decimals);
	}
	fg_json_key(&w->json, "count");
	fg_json_decimal(&w->json, (struct fg_sum){ s->counts[FG_AFTER], 0 }, decimals);
}

static void write_stacks(struct writer *w)
{
	struct fg_export_frames frames = { .add = add_frame, .data = w };
	struct fg_jsonwriter *j = &w->json;
	struct fg_stacks stacks;

	fg_stacks_init(&stacks, &w->value->tree, (struct fg_tops){ NULL, 0 });
	fg_json_key(j, "stacks");
	fg_json_open(j, '[');
	while (fg_stacks_next(&stacks)) {
		fg_json_line(j);
		fg_json_open(j, '{');
		fg_json_key(j, "frames");
		fg_json_open(j, '[');
		fg_json_raw(j, fg_export_frames(&frames, &stacks));
		fg_json_close(j, ']');
		add_counts(w, &stacks);
		fg_json_close(j, '}');
	}
	fg_json_close(j, ']');
	fg_stacks_release(&stacks);
	fg_export_frames_release(&frames);
}

static void add_word(struct fg_jsonwriter *j, const char *key, struct fg_str word)
{
	if (word.len)
		fg_json_key_string(j, key, word);
}

static void write_value(struct writer *w)
{
	const struct fg_value *v = w->value;
	const struct fg_report_options *o = w->e->options;
	struct fg_jsonwriter *j = &w->json;

	fg_json_open(j, '{');
	add_word(j, "event",
		 o->weight ? fg_str_from(o->weight) : fg_buf_str(&v->header.event));
	add_word(j, "unit",
		 o->unit ? fg_str_from(o->unit) : fg_buf_str(&v->header.unit));
	add_word(j, "sampleWeight", fg_buf_str(&v->header.sample_weight));
	if (w->e->values.columns == 2) {
		fg_json_key(j, "totalBefore");
		fg_json_decimal(j, (struct fg_sum){ v->totals[FG_BEFORE], 0 },
				v->tree.decimals);
	}
	fg_json_key(j, "total");
	fg_json_decimal(j, (struct fg_sum){ v->totals[FG_AFTER], 0 }, v->tree.decimals);
	write_stacks(w);
	fg_json_close(j, '}');
}

int fg_export_collapsed(struct fg_export *e)
{
	struct writer w = { .e = e, .json = { .out = e->out } };

	quote_names(&w.names, &e->values.names);
	fg_json_open(&w.json, '{');
	fg_json_key(&w.json, "profiles");
	fg_json_open(&w.json, '[');
	for (size_t i = 0; i < e->values.count; i++) {
		w.value = &e->values.items[i];
		write_value(&w);
	}
	fg_json_close(&w.json, ']');
	fg_json_close(&w.json, '}');
	fg_out_add_char(e->out, '\n');
	fg_buf_release(&w.names.text);
	free(w.names.ends);
	return 0;
}
