/* Lists functions by their counts, and by their changes. */
#include <stdlib.h>

#include "lib/profile/amount.h"
#include "reportfolded/names.h"
#include "reportfolded/report.h"
#include "reportfolded/table.h"

static void count_cell(struct fg_table *t, const struct fg_columns *p, uint64_t count)
{
	fg_columns_add_count(p, &t->text, count);
	fg_table_end_cell(t);
}

/* Adds a cell with a count in readable form: "48.5 ms". */
static void amount_cell(struct fg_table *t, const struct fg_columns *p, uint64_t count)
{
	fg_amount_add(&t->text, fg_buf_str(&p->unit.unit),
		      fg_tree_number(&p->tree, count));
	fg_table_end_cell(t);
}

static void share_cell(struct fg_table *t, const struct fg_columns *p, unsigned column,
		       uint64_t count)
{
	fg_table_cell(t, "%.2f", fg_columns_share(p, column, count));
}

static void add_top_row(const struct fg_report *r, struct fg_table *t,
			const struct fg_function *f)
{
	const struct fg_columns *p = &r->profile;

	count_cell(t, p, f->self[FG_AFTER]);
	share_cell(t, p, FG_AFTER, f->self[FG_AFTER]);
	if (p->columns == 2)
		share_cell(t, p, FG_BEFORE, f->self[FG_BEFORE]);
	count_cell(t, p, f->total[FG_AFTER]);
	share_cell(t, p, FG_AFTER, f->total[FG_AFTER]);
	if (p->columns == 2)
		share_cell(t, p, FG_BEFORE, f->total[FG_BEFORE]);
	fg_table_name(t, fg_intern_name(&p->tree.names, f->name));
}

void fg_report_top(const struct fg_report *r)
{
	static const char *const one[] = { "self", "self %", "total", "total %",
					   "name" };
	static const char *const two[] = { "self",    "self %",	  "before %", "total",
					   "total %", "before %", "name" };
	bool by_self = r->options->sort == FG_REPORT_BY_SELF;
	uint32_t *order = fg_functions_order(&r->functions, &r->profile,
					     by_self ? fg_function_by_self :
						       fg_function_by_total);
	struct fg_table t;

	if (r->profile.columns == 1)
		fg_table_init(&t, r->options->format, one, FG_COUNT_OF(one));
	else
		fg_table_init(&t, r->options->format, two, FG_COUNT_OF(two));
	for (size_t i = 0; i < r->functions.count && i < r->options->limit; i++)
		add_top_row(r, &t, &r->functions.items[order[i]]);
	fg_report_heading(r, by_self ? "Functions, by self" : "Functions, by total");
	fg_table_write(&t, r->out);
	fg_table_release(&t);
	free(order);
}

static void times_cell(struct fg_table *t, double before, double after)
{
	if (before > 0 && after > 0)
		fg_table_cell(t, "x%.2f", after / before);
	else
		fg_table_cell(t, "%s", after > 0 ? "new" : "gone");
}

static void p_cell(struct fg_table *t, const struct fg_report_noise *noise)
{
	const char *none = t->format == FG_REPORT_TEXT ? "  " : "";
	const char *mark = noise->significant ? " *" : none;

	if (!noise->known)
		fg_table_cell(t, "-");
	else if (noise->p < FG_REPORT_P_MIN)
		fg_table_cell(t, "<%g%s", FG_REPORT_P_MIN, mark);
	else
		fg_table_cell(t, "%.3f%s", noise->p, mark);
}

static void add_mover(const struct fg_report *r, struct fg_table *t,
		      const struct fg_function *f, const uint64_t *counts)
{
	const struct fg_columns *p = &r->profile;
	struct fg_str name = fg_intern_name(&p->tree.names, f->name);
	struct fg_report_noise noise = fg_report_noise(r, counts);
	bool summary = fg_report_is_summary(r->options);
	double shares[2];

	for (unsigned i = 0; i < 2; i++) {
		shares[i] = fg_columns_share(p, i, counts[i]);
		(summary ? amount_cell : count_cell)(t, p, counts[i]);
		fg_table_cell(t, "%.2f", shares[i]);
	}
	fg_table_cell(t, "%+.2f", fg_columns_change(p, counts));
	times_cell(t, shares[FG_BEFORE], shares[FG_AFTER]);
	p_cell(t, &noise);
	if (!summary) {
		fg_table_name(t, name);
		return;
	}
	fg_report_add_short_name(&t->text, name, t->format);
	fg_table_end_cell(t);
}

/* A list of functions that have changed. */
struct movers {
	const char *heading;
	fg_function_rank *rank;
	bool by_self;
};

enum chosen { ALL, SIGNIFICANT, NOISE };

/*
 * Adds rows for the functions that changed, at most `room`. `order` has all functions
 * by rank. Returns the number of rows.
 */
static uint64_t add_movers(const struct fg_report *r, struct fg_table *t,
			   const struct movers *m, const uint32_t *order,
			   enum chosen chosen, uint64_t room)
{
	uint64_t added = 0;

	for (size_t i = 0; i < r->functions.count && added < room; i++) {
		const struct fg_function *f = &r->functions.items[order[i]];
		const uint64_t *counts = m->by_self ? f->self : f->total;
		bool significant = fg_report_noise(r, counts).significant;

		if (!(m->rank(&r->profile, f) > 0))
			break;
		if (chosen != ALL && significant != (chosen == SIGNIFICANT))
			continue;
		add_mover(r, t, f, counts);
		added++;
	}
	return added;
}

static void write_movers(const struct fg_report *r, const struct movers *m)
{
	static const char *const headers[] = { "before", "%",	  "after", "%",
					       "points", "times", "p",	   "name" };
	uint32_t *order = fg_functions_order(&r->functions, &r->profile, m->rank);
	uint64_t room = r->options->limit;
	struct fg_table t;

	fg_table_init(&t, r->options->format, headers, FG_COUNT_OF(headers));
	if (fg_report_is_summary(r->options)) {
		room -= add_movers(r, &t, m, order, SIGNIFICANT, room);
		add_movers(r, &t, m, order, NOISE, room);
	} else {
		add_movers(r, &t, m, order, ALL, room);
	}
	fg_report_heading(r, m->heading);
	fg_table_write(&t, r->out);
	fg_table_release(&t);
	free(order);
}

void fg_report_movers(const struct fg_report *r)
{
	static const struct movers lists[] = {
		{ "What has changed most, by self", fg_function_by_self_change, true },
		{ "What has changed most, by total", fg_function_by_total_change,
		  false },
	};
	size_t first = r->options->sort == FG_REPORT_BY_TOTAL;

	if (fg_report_is_summary(r->options)) {
		/* a summary has only the list of the counts that the gate judges */
		write_movers(r, &lists[!r->options->self]);
		return;
	}
	write_movers(r, &lists[first]);
	write_movers(r, &lists[1 - first]);
}

static void add_tsv_counts(const struct fg_columns *p, struct fg_buf *b,
			   const struct fg_function *f, unsigned column)
{
	fg_buf_add_char(b, '\t');
	fg_columns_add_count(p, b, f->self[column]);
	fg_buf_add_char(b, '\t');
	fg_columns_add_count(p, b, f->total[column]);
	fg_buf_addf(b, "\t%.4f\t%.4f", fg_columns_share(p, column, f->self[column]),
		    fg_columns_share(p, column, f->total[column]));
}

static void add_tsv_p(const struct fg_report *r, struct fg_buf *b,
		      const uint64_t *counts)
{
	struct fg_report_noise noise = fg_report_noise(r, counts);

	fg_buf_add_char(b, '\t');
	if (noise.known)
		fg_buf_addf(b, "%.3g", noise.p);
}

static fg_function_rank *tsv_rank(const struct fg_report *r)
{
	bool by_self = r->options->sort == FG_REPORT_BY_SELF;

	if (r->kind == FG_REPORT_MOVERS)
		return by_self ? fg_function_by_self_change :
				 fg_function_by_total_change;
	return by_self ? fg_function_by_self : fg_function_by_total;
}

void fg_report_tsv(const struct fg_report *r)
{
	const struct fg_columns *p = &r->profile;
	uint32_t *order = fg_functions_order(&r->functions, p, tsv_rank(r));
	struct fg_buf line = FG_BUF_INIT;

	fg_out_add_str(r->out, FG_STR("name\tself\ttotal\tself %\ttotal %"));
	if (p->columns == 2)
		fg_out_add_str(r->out, FG_STR("\tself before\ttotal before"
					      "\tself % before\ttotal % before"
					      "\tself p\ttotal p"));
	fg_out_add_char(r->out, '\n');
	for (size_t i = 0; i < r->functions.count && i < r->options->limit; i++) {
		const struct fg_function *f = &r->functions.items[order[i]];

		fg_buf_clear(&line);
		fg_report_add_name(&line, fg_intern_name(&p->tree.names, f->name),
				   FG_REPORT_TSV);
		add_tsv_counts(p, &line, f, FG_AFTER);
		if (p->columns == 2) {
			add_tsv_counts(p, &line, f, FG_BEFORE);
			add_tsv_p(r, &line, f->self);
			add_tsv_p(r, &line, f->total);
		}
		fg_buf_add_char(&line, '\n');
		fg_out_add_str(r->out, fg_buf_str(&line));
	}
	fg_buf_release(&line);
	free(order);
}
