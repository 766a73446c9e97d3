/* A tree as the JSON that d3-flame-graph reads. */
#include "reportfolded/names.h"
#include "reportfolded/report.h"

struct json {
	const struct fg_report *report;
	const struct fg_report_profile *profile;
	struct fg_buf text; /* of a frame */
};

static void add_number(struct json *j, const char *name, uint64_t count)
{
	fg_buf_addf(&j->text, ",\"%s\":", name);
	fg_report_add_count(j->profile, &j->text, count);
}

static void add_delta(struct json *j, const uint64_t *counts)
{
	bool grew = counts[FG_AFTER] >= counts[FG_BEFORE];

	fg_buf_addf(&j->text, ",\"delta\":%s", grew ? "" : "-");
	fg_report_add_count(j->profile, &j->text,
			    grew ? counts[FG_AFTER] - counts[FG_BEFORE] :
				   counts[FG_BEFORE] - counts[FG_AFTER]);
}

/* All of a frame but its children and its end. */
static void add_frame(struct json *j, uint32_t node, struct fg_str name)
{
	uint64_t self[2], total[2];

	fg_tree_own(&j->profile->tree, node, self);
	fg_report_total(j->profile, node, total);
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

static void flush(struct json *j)
{
	fg_out_add_str(j->report->out, fg_buf_str(&j->text));
	fg_buf_clear(&j->text);
}

/* Goes from a frame that was written at depth `from` to one at depth `to`. */
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

void fg_report_json(const struct fg_report *r, const struct fg_report_profile *p,
		    const char *root)
{
	const struct fg_unit *unit = &r->profile.unit;
	struct json j = { .report = r, .profile = p };
	unsigned depth = 0, written = 0;
	uint32_t node;

	add_frame(&j, 0, fg_str_from(root));
	add_word(&j, "unit", fg_buf_str(&unit->unit));
	add_word(&j, "event", fg_buf_str(&unit->event));
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
