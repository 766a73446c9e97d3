/* The gate: which functions have grown by more than a limit, noise apart. */
#include <math.h>
#include <stdlib.h>

#include "lib/xalloc.h"
#include "reportfolded/names.h"
#include "reportfolded/report.h"

/* Shares are quotients: what is equal to a limit is not beyond it. */
#define ROUNDING 1e-9

/* One run over the functions with one rule. */
struct pass {
	const struct fg_report *report;
	const struct fg_report_rule *rule;
	size_t checked, few, noise, hits;
};

static const uint64_t *counts_of(const struct fg_report *r, const struct fg_function *f)
{
	return r->options->self ? f->self : f->total;
}

/* In points of the profile, or in percent of the function's share before. */
static double growth(const struct fg_report *r, const uint64_t *counts)
{
	double change = fg_report_change(&r->profile, counts);
	double before = fg_report_share(&r->profile, FG_BEFORE, counts[FG_BEFORE]);

	if (!r->options->relative)
		return change;
	return before > 0 ? 100 * change / before : change > 0 ? HUGE_VAL : 0;
}

static bool has_few_samples(const struct fg_report *r, const uint64_t *counts)
{
	double most = 0;

	if (r->weight.source == FG_SAMPLE_WEIGHT_UNKNOWN)
		return false;
	for (unsigned i = 0; i < 2; i++)
		most = fmax(most, fg_report_samples(r, i, counts[i]).x);
	return most < (double)r->options->min_samples;
}

/* A line of the report, or where that is for programs a message. */
static void say(const struct fg_report *r, struct fg_buf *line, bool is_hit)
{
	switch ((enum fg_report_format)r->options->format) {
	case FG_REPORT_TEXT:
		fg_out_addf(r->out, "%s\n", fg_buf_cstr(line));
		return;
	case FG_REPORT_MARKDOWN:
		fg_out_addf(r->out, "- %s\n", fg_buf_cstr(line));
		return;
	default:
		if (is_hit)
			fg_error(r->diag, NULL, "%s", fg_buf_cstr(line));
		else
			fg_warn(r->diag, NULL, "%s", fg_buf_cstr(line));
	}
}

static enum fg_report_format name_format(const struct fg_report *r)
{
	return r->options->format == FG_REPORT_MARKDOWN ? FG_REPORT_MARKDOWN :
							  FG_REPORT_TEXT;
}

/* The limit, as it was given. */
static void add_limit(const struct fg_report *r, struct fg_buf *b,
		      const struct fg_report_rule *rule)
{
	fg_buf_addf(b, "%.6g %s", rule->limit,
		    r->options->relative ? "% of its share" :
		    rule->limit == 1	 ? "point" :
					   "points");
}

static void say_hit(struct pass *pass, const struct fg_function *f)
{
	const struct fg_report *r = pass->report;
	const uint64_t *counts = counts_of(r, f);
	struct fg_report_noise noise = fg_report_noise(r, counts);
	double by = growth(r, counts);
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_addf(&line, "over the limit: %s %.2f %% -> %.2f %%",
		    r->options->self ? "self" : "total",
		    fg_report_share(&r->profile, FG_BEFORE, counts[FG_BEFORE]),
		    fg_report_share(&r->profile, FG_AFTER, counts[FG_AFTER]));
	if (!r->options->relative)
		fg_buf_addf(&line, ", +%.2f points", by);
	else if (isinf(by))
		fg_buf_add_str(&line, FG_STR(", new"));
	else
		fg_buf_addf(&line, ", +%.2f %% of its share", by);
	fg_buf_add_str(&line, FG_STR(" (limit "));
	add_limit(r, &line, pass->rule);
	fg_report_add_p(&line, &noise);
	fg_buf_add_str(&line, FG_STR("): "));
	fg_report_add_name(&line, fg_intern_name(&r->profile.tree.names, f->name),
			   name_format(r));
	say(r, &line, true);
	fg_buf_release(&line);
	pass->hits++;
}

/* What was checked, as nothing was found. */
static void say_passed(const struct pass *pass)
{
	const struct fg_report *r = pass->report;
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_addf(&line, "within the limit: %s of %zu function%s",
		    r->options->self ? "self" : "total", pass->checked,
		    pass->checked == 1 ? "" : "s");
	if (pass->rule->regex) {
		fg_buf_add_str(&line, FG_STR(" matching "));
		fg_report_add_name(&line, fg_buf_str(&pass->rule->pattern),
				   name_format(r));
	}
	fg_buf_add_str(&line, FG_STR(" checked, none grew by more than "));
	add_limit(r, &line, pass->rule);
	if (pass->rule->regex && !pass->checked && !pass->few)
		fg_warn(r->diag, NULL, "--fail-over '%s': no function matches",
			pass->rule->text);
	if (pass->noise)
		fg_buf_addf(&line, " but for noise (%zu)", pass->noise);
	if (pass->few)
		fg_buf_addf(&line, "; %zu with fewer than %llu samples not checked",
			    pass->few, (unsigned long long)r->options->min_samples);
	say(r, &line, false);
	fg_buf_release(&line);
}

static int check_function(struct pass *pass, const struct fg_function *f)
{
	const struct fg_report *r = pass->report;
	const uint64_t *counts = counts_of(r, f);
	int match = 1;

	if (pass->rule->regex)
		match = fg_regex_match(pass->rule->regex,
				       fg_intern_name(&r->profile.tree.names, f->name));
	if (match <= 0)
		return match;
	if (has_few_samples(r, counts)) {
		pass->few++;
		return 0;
	}
	pass->checked++;
	if (!(growth(r, counts) > pass->rule->limit + ROUNDING))
		return 0;
	if (fg_report_noise(r, counts).significant)
		say_hit(pass, f);
	else
		pass->noise++;
	return 0;
}

int fg_report_gate_check(const struct fg_report *r)
{
	const struct fg_report_profile *p = &r->profile;

	if (!r->options->rule_count)
		return 0;
	if (p->columns == 1)
		return fg_error(r->diag, NULL,
				"the gate needs two counts on each line: "
				"diff-folded BEFORE AFTER | report-folded ...");
	for (unsigned i = 0; i < 2; i++)
		if (!p->totals[i])
			return fg_error(r->diag, NULL,
					"all counts %s are 0: there is nothing to "
					"compare with",
					i == FG_BEFORE ? "before" : "after");
	return 0;
}

int fg_report_gate(const struct fg_report *r)
{
	const struct fg_report_options *o = r->options;
	uint32_t *order;
	bool exceeded = false;
	int status = 0;

	if (!o->rule_count)
		return 0;
	fg_report_heading(r, "Limits");
	order = fg_functions_order(&r->functions, &r->profile,
				   o->self ? fg_function_by_self_change :
					     fg_function_by_total_change);
	if (o->format == FG_REPORT_MARKDOWN)
		fg_out_add_char(r->out, '\n');
	for (size_t i = 0; i < o->rule_count && !status; i++) {
		struct pass pass = { .report = r, .rule = &o->rules[i] };

		for (size_t j = 0; j < r->functions.count && !status; j++)
			status = check_function(&pass, &r->functions.items[order[j]]);
		if (!status && !pass.hits)
			say_passed(&pass);
		exceeded |= pass.hits > 0;
	}
	free(order);
	return status ? status : exceeded;
}
