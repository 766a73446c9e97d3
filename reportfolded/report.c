/* From folded stacks to a report, step by step. */
#include "reportfolded/report.h"

#include "reportfolded/names.h"

struct fg_proportion fg_report_samples(const struct fg_report *r, unsigned column,
				       uint64_t count)
{
	double weight = r->weight.of[column];

	return (struct fg_proportion){ (double)count / weight,
				       (double)r->profile.totals[column] / weight };
}

struct fg_report_noise fg_report_noise(const struct fg_report *r,
				       const uint64_t *counts)
{
	struct fg_report_noise noise = { false, 1, true };
	struct fg_proportion samples[2];

	if (r->weight.source == FG_SAMPLE_WEIGHT_UNKNOWN)
		return noise;
	for (unsigned i = 0; i < 2; i++)
		samples[i] = fg_report_samples(r, i, counts[i]);
	noise.known = true;
	noise.p =
		fg_two_sided(fg_two_proportions(samples[FG_BEFORE], samples[FG_AFTER]));
	noise.significant = noise.p < 1 - r->options->confidence / 100;
	return noise;
}

void fg_report_add_p(struct fg_buf *b, const struct fg_report_noise *noise)
{
	if (!noise->known)
		return;
	if (noise->p < FG_REPORT_P_MIN)
		fg_buf_addf(b, ", p <%g", FG_REPORT_P_MIN);
	else
		fg_buf_addf(b, ", p %.3f", noise->p);
}

static bool is_calls(const struct fg_report *r)
{
	return r->kind == FG_REPORT_CALLERS || r->kind == FG_REPORT_CALLEES;
}

uint64_t fg_report_levels(const struct fg_report *r)
{
	/* the functions that match are a level more */
	return r->options->depth + (is_calls(r) && r->options->depth < UINT64_MAX);
}

static bool is_for_people(const struct fg_report *r)
{
	return r->options->format == FG_REPORT_TEXT ||
	       r->options->format == FG_REPORT_MARKDOWN;
}

void fg_report_heading(const struct fg_report *r, const char *text)
{
	if (r->options->format == FG_REPORT_MARKDOWN)
		fg_out_addf(r->out, "\n### %s\n", text);
	else if (r->options->format == FG_REPORT_TEXT)
		fg_out_addf(r->out, "\n%s:\n", text);
}

static void add_word(struct fg_buf *b, const struct fg_report *r, const char *label,
		     struct fg_str word)
{
	if (!word.len)
		return;
	fg_buf_addf(b, ", %s ", label);
	fg_report_add_name(b, word, (enum fg_report_format)r->options->format);
}

static void add_column(struct fg_buf *b, const struct fg_report *r, unsigned column)
{
	const struct fg_report_profile *p = &r->profile;

	fg_report_add_count(p, b, p->totals[column]);
	if (p->columns == 2 && r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN)
		fg_buf_addf(b, " (%.0f samples)", fg_report_samples(r, column, 0).n);
}

/* One sentence: what one sample counts and why, or that noise tests are off. */
static void describe_weight(const struct fg_report *r, struct fg_buf *b)
{
	static const char *const sources[] = {
		[FG_SAMPLE_WEIGHT_OPTION] = "as --sample-weight says",
		[FG_SAMPLE_WEIGHT_HEADER] = "as the input says",
		[FG_SAMPLE_WEIGHT_DIVISOR] =
			"the greatest common divisor of the counts",
		[FG_SAMPLE_WEIGHT_SCALED] = "whose multiples the counts nearly are",
	};
	const struct fg_sample_weight *w = &r->weight;
	double unit = (double)fg_pow10(r->profile.tree.decimals);

	if (w->source == FG_SAMPLE_WEIGHT_UNKNOWN) {
		fg_buf_add_str(b, FG_STR("noise tests are off: what one sample counts "
					 "is not known (--sample-weight)"));
		return;
	}
	fg_buf_addf(b, "one sample counts %.8g", w->of[FG_BEFORE] / unit);
	if (w->of[FG_BEFORE] != w->of[FG_AFTER])
		fg_buf_addf(b, " before and %.8g after", w->of[FG_AFTER] / unit);
	fg_buf_addf(b, ", %s", sources[w->source]);
}

/* What the counts are; with two columns, what noise is measured by. */
static void write_preface(const struct fg_report *r)
{
	const struct fg_report_profile *p = &r->profile;
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_add_str(&line, FG_STR("Total "));
	if (p->columns == 2) {
		fg_buf_add_str(&line, FG_STR("before "));
		add_column(&line, r, FG_BEFORE);
		fg_buf_add_str(&line, FG_STR(", after "));
	}
	add_column(&line, r, FG_AFTER);
	add_word(&line, r, "unit", fg_buf_str(&p->unit.unit));
	add_word(&line, r, "event", fg_buf_str(&p->unit.event));
	if (p->columns == 2) {
		fg_buf_add_str(&line, FG_STR("; "));
		describe_weight(r, &line);
		if (r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN)
			fg_buf_addf(&line, "; * is no noise by %.15g %%",
				    r->options->confidence);
	}
	fg_buf_add_str(&line, FG_STR(".\n"));
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
	};

	fg_sample_weight_find(&r->weight, &r->profile.tree, &hints, r->diag);
}

static int prepare(struct fg_report *r)
{
	const struct fg_report_options *o = r->options;
	bool two = r->profile.columns == 2;

	r->kind = o->kind;
	if (o->kind == FG_REPORT_ANY)
		r->kind = two ? FG_REPORT_MOVERS : FG_REPORT_TOP;
	if (r->kind == FG_REPORT_MOVERS && !two)
		return fg_error(r->diag, NULL,
				"--movers needs two counts on each line: "
				"diff-folded BEFORE AFTER | report-folded");
	if (r->kind == FG_REPORT_MOVERS || r->kind == FG_REPORT_TOP || o->rule_count)
		fg_functions_init(&r->functions, &r->profile);
	if (two)
		find_weight(r);
	if (fg_report_gate_check(r))
		return -1;
	return is_calls(r) ? fg_report_calls(r, &r->calls) : 0;
}

/* What the preface says, where there is none. */
static void warn_of_noise(const struct fg_report *r)
{
	struct fg_buf line = FG_BUF_INIT;

	if (r->profile.columns == 1 || r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN)
		return;
	if (!r->options->rule_count && r->options->format == FG_REPORT_JSON)
		return; /* nothing in it depends on noise */
	describe_weight(r, &line);
	fg_warn(r->diag, NULL, "%s", fg_buf_cstr(&line));
	fg_buf_release(&line);
}

static enum fg_report_result write_all(struct fg_report *r)
{
	int exceeded;

	if (prepare(r))
		return FG_REPORT_FAILED;
	if (is_for_people(r))
		write_preface(r);
	else
		warn_of_noise(r);
	exceeded = fg_report_gate(r);
	if (exceeded < 0)
		return FG_REPORT_FAILED;
	write_kind(r);
	return exceeded ? FG_REPORT_EXCEEDED : FG_REPORT_WRITTEN;
}

enum fg_report_result fg_report_run(const struct fg_report_options *options,
				    struct fg_reader *reader, struct fg_out *out,
				    struct fg_diag *diag)
{
	struct fg_report r = { .options = options, .diag = diag, .out = out };
	enum fg_report_result result = FG_REPORT_FAILED;

	if (!fg_report_profile_read(&r.profile, reader, diag))
		result = write_all(&r);
	fg_functions_release(&r.functions);
	fg_report_profile_release(&r.calls);
	fg_report_profile_release(&r.profile);
	return result;
}
