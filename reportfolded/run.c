/* Makes a report from folded stacks, step by step. */
#include "reportfolded/digest.h"
#include "reportfolded/listing.h"
#include "reportfolded/names.h"
#include "reportfolded/read.h"
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
			       FG_STR("noise tests are off: the number of samples is "
				      "unknown (give --sample-weight, or fold with "
				      "--header)"));
	else
		fg_buf_addf(b, "%.0f and %.0f samples, %s",
			    fg_report_samples(r, FG_BEFORE, 0).n,
			    fg_report_samples(r, FG_AFTER, 0).n,
			    sources[r->weight.source]);
}

/* Appends "before 12, after 34, unit ns, event cpu-clock". */
static void add_sums(const struct fg_report *r, struct fg_buf *b)
{
	const struct fg_columns *p = &r->profile;

	if (p->columns == 2) {
		fg_buf_add_str(b, FG_STR("before "));
		fg_columns_add_count(p, b, p->totals[FG_BEFORE]);
		fg_buf_add_str(b, FG_STR(", after "));
	}
	fg_columns_add_count(p, b, p->totals[FG_AFTER]);
	add_word(b, r, "unit", fg_buf_str(&p->unit.unit));
	add_word(b, r, "event", fg_buf_str(&p->unit.event));
}

void fg_report_preface(const struct fg_report *r)
{
	const struct fg_columns *p = &r->profile;
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

static void write_tree(const struct fg_report *r, struct fg_columns *p,
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

static int write_kind(struct fg_report *r)
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
	case FG_REPORT_LIST:
		return fg_report_listing(r);
	case FG_REPORT_DIGEST:
		fg_report_digest(r);
		break;
	case FG_REPORT_TOP:
		tsv ? fg_report_tsv(r) : fg_report_top(r);
		break;
	default:
		tsv ? fg_report_tsv(r) : fg_report_movers(r);
	}
	return 0;
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

/* Like find_weight(), for a profile with one column. */
static void find_only_weight(struct fg_report *r)
{
	const struct fg_unit *unit = &r->profile.unit;
	struct fg_sample_weight *w = &r->weight;
	double one = (double)fg_pow10(r->profile.tree.decimals);

	if (r->options->sample_weight[FG_AFTER] > 0) {
		w->of[FG_AFTER] = r->options->sample_weight[FG_AFTER] * one;
		w->source = FG_SAMPLE_WEIGHT_OPTION;
	} else if (unit->sample_weight.len &&
		   !fg_sample_weight_parse(fg_buf_str(&unit->sample_weight), w->of)) {
		w->of[FG_AFTER] *= one;
		w->source = FG_SAMPLE_WEIGHT_HEADER;
	} else if (!unit->mixed_weights) {
		w->of[FG_AFTER] = fg_sample_weight_of_one(&r->profile.tree, 0);
		if (w->of[FG_AFTER] > 0)
			w->source = FG_SAMPLE_WEIGHT_DIVISOR;
	}
}

/*
 * Takes the lines off the frames, and merges direct recursion, for a digest. Returns 0,
 * or -1 after reporting.
 */
static int simplify(struct fg_report *r)
{
	struct fg_columns made;

	fg_lines_init(&r->lines, &r->profile.tree.names);
	if (fg_lines_merge(&r->lines, &r->profile, &made, r->diag)) {
		fg_columns_release(&made);
		return -1;
	}
	made.unit = r->profile.unit;
	r->profile.unit = (struct fg_unit){ .mixed_units = false };
	r->recorded = r->profile;
	r->profile = made;
	fg_report_sort_by_total(&r->profile);
	if (r->lines.any)
		fg_functions_init(&r->by_line, &r->recorded);
	return 0;
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
	if (r->kind == FG_REPORT_MOVERS && !two)
		return fg_error(r->diag, NULL,
				"--movers needs two counts on each line: "
				"diff-folded BEFORE AFTER | report-folded");
	if (two)
		find_weight(r);
	else if (r->kind == FG_REPORT_DIGEST)
		find_only_weight(r);
	if (r->kind == FG_REPORT_DIGEST && simplify(r))
		return -1;
	if (r->kind == FG_REPORT_MOVERS || r->kind == FG_REPORT_TOP ||
	    r->kind == FG_REPORT_DIGEST || o->rule_count)
		fg_functions_init(&r->functions, &r->profile);
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
	/* a digest and a list have a start of their own */
	if (is_for_people(r) && r->kind < FG_REPORT_LIST)
		fg_report_preface(r);
	else if (r->kind < FG_REPORT_LIST)
		warn_of_noise(r);
	fg_report_gate(r);
	if (write_kind(r))
		return FG_REPORT_FAILED;
	return results[r->gate.verdict];
}

enum fg_report_result fg_report_run(const struct fg_report_options *options,
				    struct fg_reader *reader, struct fg_out *out,
				    struct fg_diag *diag)
{
	struct fg_report r = { .options = options, .diag = diag, .out = out };
	enum fg_report_result result = FG_REPORT_FAILED;

	if (!fg_report_read(&r.profile, options->no_lines, reader, diag))
		result = write_all(&r);
	fg_gate_release(&r.gate);
	fg_functions_release(&r.functions);
	fg_functions_release(&r.by_line);
	fg_lines_release(&r.lines);
	fg_columns_release(&r.recorded);
	fg_columns_release(&r.calls);
	fg_columns_release(&r.profile);
	return result;
}
