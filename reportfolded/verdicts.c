/* Puts the results of the gate into words: lines of the report, or messages. */
#include <math.h>

#include "reportfolded/names.h"
#include "reportfolded/report.h"

/* Writes a line of the report, or a message if the report is for programs. */
static void say(const struct fg_report *r, struct fg_buf *line, bool is_hit)
{
	switch ((enum fg_report_format)r->options->format) {
	case FG_REPORT_TEXT:
		fg_out_addf(r->out, "%s\n", fg_buf_cstr(line));
		break;
	case FG_REPORT_MARKDOWN:
		fg_out_addf(r->out, "- %s\n", fg_buf_cstr(line));
		break;
	default:
		if (is_hit)
			fg_error(r->diag, NULL, "%s", fg_buf_cstr(line));
		else
			fg_warn(r->diag, NULL, "%s", fg_buf_cstr(line));
	}
	fg_buf_release(line);
}

static void add_name(const struct fg_report *r, struct fg_buf *b, struct fg_str name)
{
	bool markdown = r->options->format == FG_REPORT_MARKDOWN;

	if (fg_report_is_summary(r->options))
		fg_report_add_short_name(b, name, FG_REPORT_MARKDOWN);
	else
		fg_report_add_name(b, name,
				   markdown ? FG_REPORT_MARKDOWN : FG_REPORT_TEXT);
}

/* Appends ": NAME", or words for a subject that is not a function. */
static void add_subject(const struct fg_report *r, struct fg_buf *b,
			const struct fg_gate_subject *s)
{
	fg_buf_add_str(b, FG_STR(": "));
	if (s->function)
		add_name(r, b,
			 fg_intern_name(&r->profile.tree.names, s->function->name));
	else
		fg_buf_add_str(b, isinf(s->growth) ? FG_STR("a new function") :
						     FG_STR("all that was counted"));
}

static const char *counts_name(const struct fg_report *r)
{
	return r->options->self ? "self" : "total";
}

const char *fg_report_limit_unit(const struct fg_report *r)
{
	const struct fg_report_options *o = r->options;

	if (o->absolute)
		return o->relative ? "% of its cost" : "% of the former total";
	return o->relative ? "% of its share" : "points";
}

static const char *unit_of(const struct fg_report *r, double number)
{
	const struct fg_report_options *o = r->options;
	bool one = number == 1 && !o->absolute && !o->relative;

	return one ? "point" : fg_report_limit_unit(r);
}

/* Appends a limit with its unit, such as "3 points". */
static void add_limit(const struct fg_report *r, struct fg_buf *b, double limit)
{
	fg_buf_addf(b, "%.6g %s", limit, unit_of(r, limit));
}

static void say_hit(const struct fg_report *r, const struct fg_gate_result *result,
		    const struct fg_gate_subject *s)
{
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_addf(&line, "over the limit: %s %.2f %% -> %.2f %%",
		    r->options->absolute ? "cost" : counts_name(r), s->before,
		    s->after);
	if (isinf(s->growth))
		fg_buf_add_str(&line, FG_STR(", new"));
	else
		fg_buf_addf(&line, ", +%.2f %s", s->growth, fg_report_limit_unit(r));
	fg_buf_add_str(&line, FG_STR(" (limit "));
	add_limit(r, &line, result->rule->limit);
	if (r->gate.known)
		fg_report_add_p(&line,
				fg_two_sided(fg_comparison_z(&s->limited.counts)));
	fg_buf_add_char(&line, ')');
	add_subject(r, &line, s);
	say(r, &line, true);
}

/* Writes what was checked, if no function exceeds the limit. */
static void say_passed(const struct fg_report *r, const struct fg_gate_result *result)
{
	const struct fg_report_rule *rule = result->rule;
	struct fg_buf line = FG_BUF_INIT;

	if (rule->regex && !result->checked && !result->few)
		fg_warn(r->diag, NULL, "--fail-over '%s': no function matches",
			rule->text);
	fg_buf_addf(&line, "within the limit: %s of %zu function%s", counts_name(r),
		    result->checked, result->checked == 1 ? "" : "s");
	if (rule->regex) {
		fg_buf_add_str(&line, FG_STR(" matching "));
		add_name(r, &line, fg_buf_str(&rule->pattern));
	} else if (r->options->absolute) {
		fg_buf_add_str(&line, FG_STR(", and all that was counted,"));
	}
	fg_buf_add_str(&line, FG_STR(" checked, none grew by more than "));
	add_limit(r, &line, rule->limit);
	if (result->noise)
		fg_buf_addf(&line, " except by noise (%zu)", result->noise);
	if (result->few)
		fg_buf_addf(&line, "; %zu with fewer than %llu samples not checked",
			    result->few, (unsigned long long)r->options->min_samples);
	if (result->nameless)
		fg_buf_add_str(&line, FG_STR("; frames without a name are not judged"));
	say(r, &line, false);
}

/* Writes how small a growth the samples can show. */
static void say_visible(const struct fg_report *r, const struct fg_gate_result *result)
{
	struct fg_buf line = FG_BUF_INIT;

	if (!r->gate.known || !(result->visible > 0))
		return;
	fg_buf_addf(&line,
		    "with %.0f and %.0f samples, growth of less than %.2f %s "
		    "may be noise",
		    fg_report_samples(r, FG_BEFORE, 0).n,
		    fg_report_samples(r, FG_AFTER, 0).n, result->visible,
		    fg_report_limit_unit(r));
	add_subject(r, &line, &result->hardest);
	say(r, &line, false);
}

static void say_unsure(const struct fg_report *r, const struct fg_gate_result *result)
{
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_add_str(&line, FG_STR("cannot tell: "));
	if (!r->gate.known) {
		fg_buf_add_str(&line, FG_STR("the number of samples is unknown"));
	} else if (!result->checked && !(result->power > 0)) {
		fg_buf_add_str(&line, FG_STR("no function was checked"));
	} else {
		fg_buf_addf(&line,
			    "growth of twice the limit is noticed in %.0f %% of such "
			    "profiles, but --min-power asks for %.6g %%",
			    result->power, r->options->min_power);
		add_subject(r, &line, &result->weakest);
	}
	say(r, &line, true);
}

static void say_too_few(const struct fg_report *r)
{
	double after = fg_report_samples(r, FG_AFTER, 0).n;
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_addf(&line,
		    "cannot tell: %.0f sample%s fewer than %.6g %% of the %.0f "
		    "before: did the program end early? (--min-ratio)",
		    after, after < 1.5 ? " is" : "s are", r->options->min_ratio,
		    fg_report_samples(r, FG_BEFORE, 0).n);
	say(r, &line, true);
}

/* Appends "none of 12 functions has grown by more than 3 points". */
static void add_passed(const struct fg_report *r, struct fg_buf *line)
{
	size_t checked = 0;

	for (size_t i = 0; i < r->gate.count; i++)
		checked += r->gate.results[i].checked;
	if (r->gate.count > 1) {
		fg_buf_addf(line, "none of %zu limits is exceeded", r->gate.count);
		return;
	}
	fg_buf_addf(line, "none of %zu function%s has grown by more than ", checked,
		    checked == 1 ? "" : "s");
	add_limit(r, line, r->gate.results[0].rule->limit);
}

/* Appends "`parse` has grown by 8.40 points (limit 5 points), and 2 more". */
static void add_exceeded(const struct fg_report *r, struct fg_buf *line)
{
	const struct fg_gate_result *first = NULL;
	const struct fg_gate_subject *s;
	size_t hits = 0;

	for (size_t i = 0; i < r->gate.count; i++) {
		hits += r->gate.results[i].hit_count;
		if (!first && r->gate.results[i].hit_count)
			first = &r->gate.results[i];
	}
	if (!first)
		return;
	s = &first->hits[0];
	if (s->function)
		add_name(r, line,
			 fg_intern_name(&r->profile.tree.names, s->function->name));
	else
		fg_buf_add_str(line, FG_STR("all that was counted"));
	if (isinf(s->growth))
		fg_buf_add_str(line, FG_STR(" is new"));
	else
		fg_buf_addf(line, " has grown by %.2f %s", s->growth,
			    fg_report_limit_unit(r));
	fg_buf_add_str(line, FG_STR(" (limit "));
	add_limit(r, line, first->rule->limit);
	fg_buf_add_char(line, ')');
	if (hits > 1)
		fg_buf_addf(line, ", and %zu more", hits - 1);
}

void fg_report_verdict(const struct fg_report *r)
{
	struct fg_buf line = FG_BUF_INIT;

	switch (r->gate.verdict) {
	case FG_GATE_WITHIN:
		fg_buf_add_str(&line, FG_STR("PASS: "));
		add_passed(r, &line);
		break;
	case FG_GATE_EXCEEDED:
		fg_buf_add_str(&line, FG_STR("FAIL: "));
		add_exceeded(r, &line);
		break;
	case FG_GATE_UNSURE:
		fg_buf_add_str(&line,
			       FG_STR("FAIL: there are too few samples to judge"));
		break;
	}
	fg_out_addf(r->out, "%s\n\n", fg_buf_cstr(&line));
	fg_buf_release(&line);
}

int fg_report_gate_check(const struct fg_report *r)
{
	const struct fg_columns *p = &r->profile;
	const double *weights = r->weight.of;
	bool known = r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN;

	if (!r->options->rule_count)
		return 0;
	if (p->columns == 1)
		return fg_error(r->diag, NULL,
				"the gate needs two counts on each line: "
				"diff-folded BEFORE AFTER | report-folded ...");
	for (unsigned i = 0; i < 2; i++)
		if (!p->totals[i])
			return fg_error(r->diag, NULL,
					"all counts in the %s column are 0: there is "
					"nothing to compare with",
					i == FG_BEFORE ? "first" : "second");
	if (r->options->absolute && !r->totals.scaled &&
	    (!known || fabs(weights[0] - weights[1]) > 0) &&
	    fg_sample_weight_totals(&p->tree) != FG_TOTALS_DIFFERENT)
		return fg_error(
			r->diag, NULL,
			"the totals are equal, so the counts are probably scaled: "
			"--absolute needs the header line '# totals:' of diff-folded, "
			"or no --normalize");
	return 0;
}

void fg_report_gate(const struct fg_report *r)
{
	if (!r->options->rule_count)
		return;
	fg_report_heading(r, "Limits");
	if (r->options->format == FG_REPORT_MARKDOWN)
		fg_out_add_char(r->out, '\n');
	if (r->gate.too_few)
		say_too_few(r);
	for (size_t i = 0; i < r->gate.count && !r->gate.too_few; i++) {
		const struct fg_gate_result *result = &r->gate.results[i];

		for (size_t j = 0; j < result->hit_count; j++)
			say_hit(r, result, &result->hits[j]);
		if (!result->hit_count)
			say_passed(r, result);
		say_visible(r, result);
		if (result->verdict == FG_GATE_UNSURE)
			say_unsure(r, result);
	}
}
