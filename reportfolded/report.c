/* Helpers that the parts of a report share. */
#include "reportfolded/report.h"

#include "lib/findings/findings.h"
#include "reportfolded/names.h"

struct fg_proportion fg_report_samples(const struct fg_report *r, unsigned column,
				       uint64_t count)
{
	return fg_findings_samples(&r->profile, &r->weight, column, count);
}

struct fg_report_noise fg_report_noise(const struct fg_report *r,
				       const uint64_t *counts)
{
	struct fg_report_noise noise = { false, 1, true };
	struct fg_comparison c = { .costs = false };

	if (r->weight.source == FG_SAMPLE_WEIGHT_UNKNOWN)
		return noise;
	c.before = fg_report_samples(r, FG_BEFORE, counts[FG_BEFORE]);
	c.after = fg_report_samples(r, FG_AFTER, counts[FG_AFTER]);
	noise.known = true;
	noise.p = fg_two_sided(fg_comparison_z(&c));
	noise.significant = noise.p < 1 - r->options->confidence / 100;
	return noise;
}

void fg_report_add_totals(const struct fg_report *r, struct fg_buf *b)
{
	enum fg_report_format format = (enum fg_report_format)r->options->format;
	struct fg_buf event = FG_BUF_INIT, word = FG_BUF_INIT;
	const struct fg_unit *unit = &r->profile.unit;
	struct fg_totals_words words = { .unit = fg_buf_str(&unit->unit), .factor = 1 };

	/* an empty name would be an empty code span in Markdown */
	if (unit->event.len)
		fg_report_add_name(&event, fg_buf_str(&unit->event), format);
	if (unit->unit.len)
		fg_report_add_name(&word, fg_buf_str(&unit->unit), format);
	words.event = fg_buf_str(&event);
	words.word = fg_buf_str(&word);
	fg_totals_add(&r->totals, &words, b);
	fg_buf_release(&event);
	fg_buf_release(&word);
}

void fg_report_add_p(struct fg_buf *b, double p)
{
	if (p < FG_REPORT_P_MIN)
		fg_buf_addf(b, ", p <%g", FG_REPORT_P_MIN);
	else
		fg_buf_addf(b, ", p %.3f", p);
}

bool fg_report_is_calls(const struct fg_report *r)
{
	return r->kind == FG_REPORT_CALLERS || r->kind == FG_REPORT_CALLEES;
}

uint64_t fg_report_levels(const struct fg_report *r)
{
	/* the matching functions themselves are one more level */
	return r->options->depth +
	       (fg_report_is_calls(r) && r->options->depth < UINT64_MAX);
}

void fg_report_heading(const struct fg_report *r, const char *text)
{
	if (r->options->format == FG_REPORT_MARKDOWN)
		fg_out_addf(r->out, "\n### %s\n", text);
	else if (r->options->format == FG_REPORT_TEXT)
		fg_out_addf(r->out, "\n%s:\n", text);
}
