/* Makes a report from folded stacks, step by step. */
#include "reportfolded/names.h"
#include "reportfolded/report.h"

static bool is_for_people(const struct fg_report *r)
{
	return r->options->format == FG_REPORT_TEXT ||
	       r->options->format == FG_REPORT_MARKDOWN;
}

static void add_word(struct fg_buf *b, const struct fg_report *r, const char *label,
		     struct fg_str word)
{
	if (!word.len)
		return;
	fg_buf_addf(b, ", %s ", label);
	fg_report_add_name(b, word, (enum fg_report_format)r->options->format);
}

/* Appends the numbers of samples and where they come from, or that they are unknown. */
static void describe_samples(const struct fg_report *r, struct fg_buf *b)
{
	static const char *const sources[] = {
		[FG_SAMPLE_WEIGHT_OPTION] = "as --sample-weight says",
		[FG_SAMPLE_WEIGHT_HEADER] = "as the input says",
		[FG_SAMPLE_WEIGHT_DIVISOR] = "as the counts show",
		[FG_SAMPLE_WEIGHT_SCALED] = "as the counts show",
	};

	if (r->weight.source == FG_SAMPLE_WEIGHT_UNKNOWN)
		fg_buf_add_str(b,
			       FG_STR("noise tests are off: it is not known how many "
				      "samples these are (--sample-weight, or "
				      "collapse-perf --header)"));
	else
		fg_buf_addf(b, "%.0f and %.0f samples, %s",
			    fg_report_samples(r, FG_BEFORE, 0).n,
			    fg_report_samples(r, FG_AFTER, 0).n,
			    sources[r->weight.source]);
}

/* Appends "before 12, after 34, unit ns, event cpu-clock". */
static void add_sums(const struct fg_report *r, struct fg_buf *b)
{
	const struct fg_report_profile *p = &r->profile;

	if (p->columns == 2) {
		fg_buf_add_str(b, FG_STR("before "));
		fg_report_add_count(p, b, p->totals[FG_BEFORE]);
		fg_buf_add_str(b, FG_STR(", after "));
	}
	fg_report_add_count(p, b, p->totals[FG_AFTER]);
	add_word(b, r, "unit", fg_buf_str(&p->unit.unit));
	add_word(b, r, "event", fg_buf_str(&p->unit.event));
}

/* Writes what the counts are and, with two columns, how noise is measured. */
static void write_preface(struct fg_report *r)
{
	const struct fg_report_profile *p = &r->profile;
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_add_str(&line, FG_STR("Total "));
	if (r->totals.scaled || fg_report_is_summary(r->options))
		fg_report_add_totals(r, &line);
	else
		add_sums(r, &line);
	if (p->columns == 2) {
		fg_buf_add_str(&line, FG_STR("; "));
		describe_samples(r, &line);
		if (r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN)
			fg_buf_addf(&line, "; * is significant at %.15g %%",
				    r->options->confidence);
	}
	fg_buf_add_str(&line, FG_STR(".\n"));
	fg_out_add_str(r->out, fg_buf_str(&line));
	fg_buf_release(&line);
}

static void write_totals(const struct fg_report *r)
{
	struct fg_buf line = FG_BUF_INIT;

	fg_report_add_totals(r, &line);
	fg_buf_add_char(&line, '\n');
	fg_out_add_str(r->out, fg_buf_str(&line));
	fg_buf_release(&line);
}

static void write_tree(const struct fg_report *r, struct fg_report_profile *p,
		       const char *root)
{
	if (r->options->format == FG_REPORT_JSON) {
		fg_report_json(r, p, root);
		return;
	}
	fg_report_heading(r, r->kind == FG_REPORT_CALLERS ? "Callers" :
			     r->kind == FG_REPORT_CALLEES ? "Callees" :
							    "Stacks");
	fg_report_tree(r, p);
}

static void write_kind(struct fg_report *r)
{
	bool tsv = r->options->format == FG_REPORT_TSV;

	switch (r->kind) {
	case FG_REPORT_CALLERS:
		write_tree(r, &r->calls, "callers");
		break;
	case FG_REPORT_CALLEES:
		write_tree(r, &r->calls, "callees");
		break;
	case FG_REPORT_TREE:
		write_tree(r, &r->profile, "all");
		break;
	case FG_REPORT_BRIEF:
		fg_report_brief(r);
		break;
	case FG_REPORT_TOP:
		tsv ? fg_report_tsv(r) : fg_report_top(r);
		break;
	default:
		tsv ? fg_report_tsv(r) : fg_report_movers(r);
	}
}

static void find_weight(struct fg_report *r)
{
	const double *given = r->options->sample_weight;
	const struct fg_sample_weight_hints hints = {
		.given = { given[FG_BEFORE], given[FG_AFTER] },
		.header = fg_buf_str(&r->profile.unit.sample_weight),
		.differ = r->profile.unit.mixed_weights,
	};

	fg_sample_weight_find(&r->weight, &r->profile.tree, &hints, r->diag);
	fg_totals_find(&r->totals, &r->profile.tree, &r->profile.unit, &r->weight,
		       r->diag);
}

static int judge(struct fg_report *r)
{
	const struct fg_gate_input in = { r->options, &r->profile, &r->functions,
					  &r->weight, &r->totals };

	if (fg_report_gate_check(r))
		return -1;
	return r->options->rule_count ? fg_gate_judge(&r->gate, &in) : 0;
}

static int prepare(struct fg_report *r)
{
	const struct fg_report_options *o = r->options;
	bool two = r->profile.columns == 2;

	r->kind = o->kind;
	if (o->kind == FG_REPORT_ANY)
		r->kind = two ? FG_REPORT_MOVERS : FG_REPORT_TOP;
	if ((r->kind == FG_REPORT_MOVERS || r->kind == FG_REPORT_BRIEF) && !two)
		return fg_error(r->diag, NULL,
				"--%s needs two counts on each line: "
				"diff-folded BEFORE AFTER | report-folded",
				o->given.brief ? "brief" : "movers");
	if (r->kind == FG_REPORT_MOVERS || r->kind == FG_REPORT_BRIEF ||
	    r->kind == FG_REPORT_TOP || o->rule_count)
		fg_functions_init(&r->functions, &r->profile);
	if (two)
		find_weight(r);
	if (judge(r))
		return -1;
	return fg_report_is_calls(r) ? fg_report_calls(r, &r->calls) : 0;
}

/* Warns that noise is unknown, for reports without a preface that says so. */
static void warn_of_noise(const struct fg_report *r)
{
	struct fg_buf line = FG_BUF_INIT;

	if (r->profile.columns == 1 || r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN)
		return;
	if (!r->options->rule_count && r->options->format == FG_REPORT_JSON)
		/* JSON depends on noise only if it has the results of the gate */
		return;
	describe_samples(r, &line);
	fg_warn(r->diag, NULL, "%s", fg_buf_cstr(&line));
	fg_buf_release(&line);
}

static enum fg_report_result write_all(struct fg_report *r)
{
	static const enum fg_report_result results[] = {
		[FG_GATE_WITHIN] = FG_REPORT_WRITTEN,
		[FG_GATE_EXCEEDED] = FG_REPORT_EXCEEDED,
		[FG_GATE_UNSURE] = FG_REPORT_UNSURE,
	};

	if (prepare(r))
		return FG_REPORT_FAILED;
	if (fg_report_is_summary(r->options))
		fg_report_verdict(r);
	if (r->kind == FG_REPORT_BRIEF)
		write_totals(r);
	else if (is_for_people(r))
		write_preface(r);
	else
		warn_of_noise(r);
	fg_report_gate(r);
	write_kind(r);
	return results[r->gate.verdict];
}

enum fg_report_result fg_report_run(const struct fg_report_options *options,
				    struct fg_reader *reader, struct fg_out *out,
				    struct fg_diag *diag)
{
	struct fg_report r = { .options = options, .diag = diag, .out = out };
	enum fg_report_result result = FG_REPORT_FAILED;

	if (!fg_report_profile_read(&r.profile, reader, diag))
		result = write_all(&r);
	fg_gate_release(&r.gate);
	fg_functions_release(&r.functions);
	fg_report_profile_release(&r.calls);
	fg_report_profile_release(&r.profile);
	return result;
}
