/* Writes a digest as JSON; docs/report-folded-digest.schema.json describes it. */
#include <math.h>

#include "reportfolded/digest.h"
#include "reportfolded/jsonwriter.h"

struct writer {
	const struct fg_digest *d;
	const struct fg_columns *profile;
	struct fg_jsonwriter json;
};

/* Writes a key and a number, unless it is infinite, which JSON does not have. */
static void key_number(struct writer *w, const char *key, double number, int digits)
{
	struct fg_buf text = FG_BUF_INIT;

	if (isfinite(number)) {
		fg_buf_addf(&text, "%.*g", digits, number);
		fg_json_key_raw(&w->json, key, fg_buf_cstr(&text));
	}
	fg_buf_release(&text);
}

/* Writes a key and a percentage with two decimals. */
static void key_percent(struct writer *w, const char *key, double percent)
{
	key_number(w, key, round(percent * 100) / 100, 6);
}

static void key_count(struct writer *w, const char *key, uint64_t count)
{
	fg_json_key(&w->json, key);
	fg_json_decimal(&w->json, (struct fg_sum){ count, 0 },
			w->profile->tree.decimals);
}

static void key_name(struct writer *w, const char *key, uint32_t id)
{
	fg_json_key_string(&w->json, key, fg_intern_name(&w->profile->tree.names, id));
}

static void key_word(struct writer *w, const char *key, const struct fg_buf *word)
{
	if (word->len)
		fg_json_key_string(&w->json, key, fg_buf_str(word));
}

/* Writes the names of a path, the outermost frame first, at most the last 64. */
static void key_frames(struct writer *w, const char *key, const struct fg_path *path)
{
	const struct fg_tree_node *nodes = w->profile->tree.nodes;
	size_t count =
		path->frames < FG_DIGEST_FRAMES ? path->frames : FG_DIGEST_FRAMES;
	uint32_t frames[FG_DIGEST_FRAMES], node = path->last;

	for (size_t i = count; i-- > 0; node = nodes[node].parent)
		frames[i] = node;
	fg_json_key(&w->json, key);
	fg_json_open(&w->json, '[');
	for (size_t i = 0; i < count; i++)
		fg_json_string(&w->json, fg_intern_name(&w->profile->tree.names,
							nodes[frames[i]].name));
	fg_json_close(&w->json, ']');
	if (path->frames > count)
		fg_json_key_u64(&w->json, "framesLeftOut", path->frames - count);
}

static void key_path_to(struct writer *w, uint32_t node)
{
	struct fg_path path = fg_path_to(w->profile, node);

	if (node != FG_TREE_NONE)
		key_frames(w, "path", &path);
}

static unsigned first_column(const struct writer *w)
{
	return w->profile->columns == 2 ? FG_BEFORE : FG_AFTER;
}

/* Writes counts and shares of a function or group. */
static void write_counts(struct writer *w, const struct fg_function *f)
{
	const struct fg_columns *p = w->profile;

	key_count(w, "self", f->self[FG_AFTER]);
	key_percent(w, "selfPercent", fg_columns_share(p, FG_AFTER, f->self[FG_AFTER]));
	key_count(w, "total", f->total[FG_AFTER]);
	key_percent(w, "totalPercent",
		    fg_columns_share(p, FG_AFTER, f->total[FG_AFTER]));
	if (p->columns == 1)
		return;
	key_count(w, "selfBefore", f->self[FG_BEFORE]);
	key_count(w, "totalBefore", f->total[FG_BEFORE]);
}

/* Writes how long a side was recorded. */
static void key_seconds(struct writer *w, const char *key, unsigned column)
{
	const struct fg_quality *q = &w->profile->unit.quality;

	key_number(w, key, (double)q->of[column][FG_QUALITY_NS] / 1e9, 9);
}

static void write_recorded(struct writer *w)
{
	const struct fg_unit *unit = &w->profile->unit;
	const double *samples = w->d->samples;

	fg_json_key(&w->json, "recorded");
	fg_json_open(&w->json, '{');
	key_word(w, "command", &unit->command);
	key_word(w, "event", &unit->event);
	key_word(w, "unit", &unit->unit);
	key_count(w, "total", w->profile->totals[FG_AFTER]);
	if (samples[FG_AFTER] > 0)
		key_number(w, "samples", round(samples[FG_AFTER]), 17);
	if (unit->quality.of[FG_AFTER][FG_QUALITY_NS])
		key_seconds(w, "seconds", FG_AFTER);
	if (w->profile->columns == 2) {
		key_count(w, "totalBefore", w->profile->totals[FG_BEFORE]);
		if (samples[FG_BEFORE] > 0)
			key_number(w, "samplesBefore", round(samples[FG_BEFORE]), 17);
		if (unit->quality.of[FG_BEFORE][FG_QUALITY_NS])
			key_seconds(w, "secondsBefore", FG_BEFORE);
	}
	fg_json_close(&w->json, '}');
}

static void write_quality(struct writer *w)
{
	/* the length is in `recorded` */
	static const char *const keys[FG_QUALITY_KINDS] = {
		[FG_QUALITY_SAMPLES] = "samples",
		[FG_QUALITY_STACKS] = "stacks",
		[FG_QUALITY_LOST] = "lost",
		[FG_QUALITY_DROPPED] = "dropped",
		[FG_QUALITY_TRUNCATED] = "truncated",
		[FG_QUALITY_FRAMELESS] = "frameless",
		[FG_QUALITY_MALFORMED] = "malformed",
		[FG_QUALITY_CUT] = "cut",
	};
	const struct fg_quality *q = &w->profile->unit.quality;
	const struct fg_digest_data *data = &w->d->data;

	fg_json_key(&w->json, "quality");
	fg_json_open(&w->json, '{');
	fg_json_key_raw(&w->json, "known", q->known[FG_AFTER] ? "true" : "false");
	for (size_t i = 0; q->known[FG_AFTER] && i < FG_QUALITY_KINDS; i++)
		if (keys[i])
			fg_json_key_u64(&w->json, keys[i], q->of[FG_AFTER][i]);
	for (size_t i = 0; q->known[FG_BEFORE] && i < FG_QUALITY_KINDS; i++) {
		struct fg_buf key = FG_BUF_INIT;

		if (!keys[i])
			continue;
		fg_buf_addf(&key, "%sBefore", keys[i]);
		fg_json_key_u64(&w->json, fg_buf_cstr(&key), q->of[FG_BEFORE][i]);
		fg_buf_release(&key);
	}
	key_percent(w, "unknownPercent", data->unknown);
	key_percent(w, "withUnknownPercent", data->in_unknown);
	key_percent(w, "withoutCallersPercent", data->lone);
	key_percent(w, "deepPercent", data->deep);
	if (data->starts)
		fg_json_key_u64(&w->json, "starts", data->starts);
	fg_json_close(&w->json, '}');
}

static void write_finding(struct writer *w, const struct fg_finding *finding)
{
	fg_json_line(&w->json);
	fg_json_open(&w->json, '{');
	key_name(w, "name", finding->function->name);
	key_percent(w, "points", finding->points);
	key_number(w, "costBefore", finding->cost[FG_BEFORE], 10);
	key_number(w, "cost", finding->cost[FG_AFTER], 10);
	write_counts(w, finding->function);
	key_path_to(w, finding->node);
	fg_json_close(&w->json, '}');
}

static void write_change(struct writer *w)
{
	static const char *const verdicts[] = {
		[FG_VERDICT_UNKNOWN] = "noise unknown",
		[FG_VERDICT_SAME] = "same",
		[FG_VERDICT_SHIFTED] = "shifted",
		[FG_VERDICT_MORE] = "more",
		[FG_VERDICT_LESS] = "less",
		[FG_VERDICT_SCALED] = "scaled",
		[FG_VERDICT_SPREAD] = "spread",
	};
	const struct fg_findings *f = &w->d->findings;

	fg_json_key(&w->json, "difference");
	fg_json_open(&w->json, '{');
	fg_json_key_string(&w->json, "verdict", fg_str_from(verdicts[f->verdict]));
	key_number(w, "ratio", f->ratio, 6);
	fg_json_key_string(&w->json, "compared",
			   f->costs ? FG_STR("costs") : FG_STR("shares"));
	fg_json_key(&w->json, "functions");
	fg_json_open(&w->json, '[');
	for (size_t i = 0; i < f->count && i < FG_DIGEST_FINDINGS; i++)
		write_finding(w, &f->items[i]);
	fg_json_close(&w->json, ']');
	if (f->verdict != FG_VERDICT_UNKNOWN && f->below != FG_TREE_NONE) {
		fg_json_key(&w->json, "below");
		fg_json_open(&w->json, '{');
		key_percent(w, "points", f->below_points);
		key_path_to(w, f->below);
		fg_json_close(&w->json, '}');
	}
	fg_json_close(&w->json, '}');
}

static void write_functions(struct writer *w)
{
	fg_json_key(&w->json, "functions");
	fg_json_open(&w->json, '[');
	for (size_t i = 0; i < w->d->hot_count; i++) {
		const struct fg_hot *hot = &w->d->hot[i];

		fg_json_line(&w->json);
		fg_json_open(&w->json, '{');
		key_name(w, "name", hot->function->name);
		if (hot->file.len) {
			fg_json_key_string(&w->json, "file", hot->file);
			fg_json_key_u64(&w->json, "line", hot->number);
		}
		write_counts(w, hot->function);
		key_path_to(w, hot->node);
		key_percent(w, "pathPercent", hot->through);
		fg_json_close(&w->json, '}');
	}
	fg_json_close(&w->json, ']');
}

static void write_paths(struct writer *w)
{
	fg_json_key(&w->json, "paths");
	fg_json_open(&w->json, '[');
	for (size_t i = 0; i < w->d->path_count; i++) {
		const struct fg_hot_path *path = &w->d->paths[i];

		fg_json_line(&w->json);
		fg_json_open(&w->json, '{');
		fg_json_key_u64(&w->json, "indent", path->indent);
		for (unsigned c = first_column(w); c <= FG_AFTER; c++) {
			key_percent(w,
				    c == FG_AFTER ? "totalPercent" :
						    "totalPercentBefore",
				    fg_columns_share(w->profile, c, path->total[c]));
			key_percent(w,
				    c == FG_AFTER ? "selfPercent" : "selfPercentBefore",
				    fg_columns_share(w->profile, c, path->self[c]));
		}
		key_frames(w, "frames", &path->path);
		fg_json_close(&w->json, '}');
	}
	fg_json_close(&w->json, ']');
}

static void write_modules(struct writer *w)
{
	const struct fg_digest *d = w->d;

	fg_json_key(&w->json, "modules");
	fg_json_open(&w->json, '[');
	for (size_t i = 0; i < d->groups.count && i < FG_DIGEST_MODULES; i++) {
		const struct fg_function *f = &d->groups.items[d->group_order[i]];

		fg_json_line(&w->json);
		fg_json_open(&w->json, '{');
		fg_json_key_string(&w->json, "name",
				   fg_intern_name(&d->group_names, f->name));
		write_counts(w, f);
		fg_json_close(&w->json, '}');
	}
	fg_json_close(&w->json, ']');
	key_count(w, "selfWithoutModule", d->ungrouped);
}

static void write_next(struct writer *w)
{
	fg_json_key(&w->json, "next");
	fg_json_open(&w->json, '[');
	for (size_t i = 0; i < FG_DIGEST_NEXT; i++) {
		if (!w->d->next[i].len)
			continue;
		fg_json_line(&w->json);
		fg_json_open(&w->json, '{');
		fg_json_key_string(&w->json, "command", fg_buf_str(&w->d->next[i]));
		fg_json_key_string(&w->json, "shows", fg_str_from(w->d->why[i]));
		fg_json_close(&w->json, '}');
	}
	fg_json_close(&w->json, ']');
}

void fg_digest_json(const struct fg_digest *d)
{
	struct writer w = { d, &d->report->profile, { d->report->out, false } };

	fg_json_open(&w.json, '{');
	fg_json_key_u64(&w.json, "digest", 1);
	write_recorded(&w);
	write_quality(&w);
	if (w.profile->columns == 2)
		write_change(&w);
	write_functions(&w);
	write_paths(&w);
	write_modules(&w);
	write_next(&w);
	fg_json_close(&w.json, '}');
	fg_out_add_char(d->report->out, '\n');
}
