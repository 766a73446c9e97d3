/* Writes a tree as the JSON that d3-flame-graph reads, with the results of the gate. */
#include <math.h>

#include "reportfolded/names.h"
#include "reportfolded/report.h"

struct json {
	const struct fg_report *report;
	const struct fg_columns *profile;
	struct fg_buf text; /* the current frame */
};

static void add_number(struct json *j, const char *name, uint64_t count)
{
	fg_buf_addf(&j->text, ",\"%s\":", name);
	fg_columns_add_count(j->profile, &j->text, count);
}

static void add_delta(struct json *j, const uint64_t *counts)
{
	bool grew = counts[FG_AFTER] >= counts[FG_BEFORE];

	fg_buf_addf(&j->text, ",\"delta\":%s", grew ? "" : "-");
	fg_columns_add_count(j->profile, &j->text,
			     grew ? counts[FG_AFTER] - counts[FG_BEFORE] :
				    counts[FG_BEFORE] - counts[FG_AFTER]);
}

/* Appends a frame without its children and its end. */
static void add_frame(struct json *j, uint32_t node, struct fg_str name)
{
	uint64_t self[2], total[2];

	fg_tree_own(&j->profile->tree, node, self);
	fg_columns_total(j->profile, node, total);
	fg_buf_add_str(&j->text, FG_STR("{\"name\":\""));
	fg_report_add_name(&j->text, name, FG_REPORT_JSON);
	fg_buf_add_char(&j->text, '"');
	add_number(j, "value", total[FG_AFTER]);
	add_number(j, "self", self[FG_AFTER]);
	if (j->profile->columns == 2) {
		add_number(j, "before", total[FG_BEFORE]);
		add_number(j, "selfBefore", self[FG_BEFORE]);
		add_delta(j, total);
	}
}

static void add_word(struct json *j, const char *name, struct fg_str word)
{
	if (!word.len)
		return;
	fg_buf_addf(&j->text, ",\"%s\":\"", name);
	fg_report_add_name(&j->text, word, FG_REPORT_JSON);
	fg_buf_add_char(&j->text, '"');
}

/* ---- the gate */

/*
 * Appends a key and a number. Leaves out an infinite number, which JSON does not have.
 */
static void add_real(struct json *j, const char *name, double number)
{
	if (isfinite(number))
		fg_buf_addf(&j->text, ",\"%s\":%.6g", name, number);
}

/* Appends the name of a subject, if it is a function. */
static void add_subject(struct json *j, const char *key,
			const struct fg_gate_subject *s)
{
	const struct fg_report *r = j->report;

	if (s->function)
		add_word(j, key,
			 fg_intern_name(&r->profile.tree.names, s->function->name));
}

static void add_hit(struct json *j, const struct fg_gate_subject *s)
{
	fg_buf_addf(&j->text, "{\"before\":%.10g,\"after\":%.10g", s->before, s->after);
	add_subject(j, "name", s);
	add_real(j, "growth", s->growth);
	if (j->report->gate.known)
		add_real(j, "p", fg_two_sided(fg_comparison_z(&s->limited.counts)));
	fg_buf_add_char(&j->text, '}');
}

static void add_limit(struct json *j, const struct fg_gate_result *result)
{
	static const char *const verdicts[] = {
		[FG_GATE_WITHIN] = "within",
		[FG_GATE_EXCEEDED] = "exceeded",
		[FG_GATE_UNSURE] = "cannot tell",
	};
	const struct fg_report *r = j->report;

	fg_buf_addf(&j->text, "{\"limit\":%.10g", result->rule->limit);
	add_word(j, "unit", fg_str_from(fg_report_limit_unit(r)));
	add_word(j, "of", fg_str_from(r->options->self ? "self" : "total"));
	add_word(j, "pattern", fg_buf_str(&result->rule->pattern));
	add_word(j, "verdict", fg_str_from(verdicts[result->verdict]));
	fg_buf_addf(&j->text, ",\"checked\":%zu,\"few\":%zu,\"noise\":%zu",
		    result->checked, result->few, result->noise);
	if (r->gate.known && result->visible > 0) {
		add_real(j, "visible", result->visible);
		add_subject(j, "visibleOf", &result->hardest);
	}
	if (r->gate.known) {
		add_real(j, "power", result->power);
		add_subject(j, "powerOf", &result->weakest);
	}
	fg_buf_add_str(&j->text, FG_STR(",\"exceeded\":["));
	for (size_t i = 0; i < result->hit_count; i++) {
		fg_buf_add_str(&j->text, i ? FG_STR(",\n") : FG_STR("\n"));
		add_hit(j, &result->hits[i]);
	}
	fg_buf_add_str(&j->text, FG_STR("]}"));
}

/* Appends the results of the gate to the root frame. */
static void add_gate(struct json *j)
{
	const struct fg_report *r = j->report;

	if (r->profile.columns == 2 && r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN)
		fg_buf_addf(&j->text, ",\"samples\":[%.0f,%.0f]",
			    fg_report_samples(r, FG_BEFORE, 0).n,
			    fg_report_samples(r, FG_AFTER, 0).n);
	for (size_t i = 0; i < r->gate.count; i++) {
		fg_buf_add_str(&j->text, i ? FG_STR(",\n") : FG_STR(",\"limits\":[\n"));
		add_limit(j, &r->gate.results[i]);
	}
	if (r->gate.count)
		fg_buf_add_char(&j->text, ']');
}

/* Appends the recorded totals to the root frame, if counts are scaled. */
static void add_recorded(struct json *j)
{
	const double *of = j->report->totals.of;

	if (j->report->totals.scaled)
		fg_buf_addf(&j->text, ",\"recorded\":[%.15g,%.15g]", of[FG_BEFORE],
			    of[FG_AFTER]);
}

static void flush(struct json *j)
{
	fg_out_add_str(j->report->out, fg_buf_str(&j->text));
	fg_buf_clear(&j->text);
}

/*
 * Appends the brackets between a frame at depth `from` and the next one, at depth `to`.
 */
static void add_step(struct json *j, unsigned from, unsigned to)
{
	if (to > from) {
		fg_buf_add_str(&j->text, FG_STR(",\"children\":[\n"));
		return;
	}
	fg_buf_add_char(&j->text, '}');
	for (; from > to; from--)
		fg_buf_add_str(&j->text, FG_STR("]}"));
	fg_buf_add_str(&j->text, FG_STR(",\n"));
}

void fg_report_json(const struct fg_report *r, const struct fg_columns *p,
		    const char *root)
{
	const struct fg_unit *unit = &r->profile.unit;
	struct json j = { .report = r, .profile = p };
	unsigned depth = 0, written = 0;
	uint32_t node;

	add_frame(&j, 0, fg_str_from(root));
	add_word(&j, "unit", fg_buf_str(&unit->unit));
	add_word(&j, "event", fg_buf_str(&unit->event));
	add_recorded(&j);
	add_gate(&j);
	node = fg_tree_walk(&p->tree, 0, true, &depth);
	while (node != FG_TREE_NONE) {
		bool small = fg_report_is_small(r, p, node);

		if (!small) {
			add_step(&j, written, depth);
			add_frame(&j, node,
				  fg_intern_name(&p->tree.names,
						 p->tree.nodes[node].name));
			flush(&j);
			written = depth;
		}
		node = fg_tree_walk(&p->tree, node,
				    !small && depth < fg_report_levels(r), &depth);
	}
	for (; written; written--)
		fg_buf_add_str(&j.text, FG_STR("}]"));
	fg_buf_add_str(&j.text, FG_STR("}\n"));
	flush(&j);
	fg_buf_release(&j.text);
}
