/* Compares two commands. */
#include "flame/compare.h"

#include "flame/pipeline.h"
#include "flame/recording.h"
#include "flame/report.h"
#include "flame/run.h"
#include "lib/base/cli.h"
#include "lib/base/reader.h"
#include "lib/profile/folded.h"

/* One of the two commands. */
struct side {
	const char *command; /* as the user wrote it */
	struct fg_args words;
	const char *file; /* the stacks of all its runs */
	struct fg_plan plan;
	double sum; /* the total of all its runs */
	struct fg_runs runs;
};

void fg_runs_add(struct fg_runs *runs, double total, bool is_first)
{
	if (is_first || total < runs->least)
		runs->least = total;
	if (is_first || total > runs->most)
		runs->most = total;
}

double fg_runs_spread(const struct fg_runs *runs)
{
	return runs->least > 0 ? 100 * (runs->most / runs->least - 1) : 0;
}

/* ---- the plan */

static void split_command(struct side *side)
{
	if (fg_args_parse(&side->words, side->command) && side->words.count)
		return;
	fg_args_add(&side->words, "sh");
	fg_args_add(&side->words, "-c");
	fg_args_add(&side->words, side->command);
}

/*
 * Leaves the root frames out if the programs have different names, which would make all
 * of the stacks different.
 */
static void choose_root(struct fg_flame *f, const struct side *sides)
{
	struct fg_str names[2];

	for (size_t i = 0; i < 2; i++) {
		names[i] = fg_str_from(sides[i].command);
		names[i] = fg_str_basename(
			fg_str_before(names[i], fg_str_find_char(names[i], ' ')));
	}
	if (fg_str_eq(names[0], names[1]))
		return;
	for (size_t i = 0; i < f->collapse.count; i++)
		if (!strcmp(f->collapse.items[i], "--root"))
			return;
	fg_args_add(&f->collapse, "--root");
	fg_args_add(&f->collapse, "none");
}

static int plan_side(struct fg_flame *f, struct side *side)
{
	return fg_pipeline_record(f, &side->plan,
				  (const char *const *)side->words.items,
				  side->words.count, side->file);
}

/* Plans the pipeline from the stacks of both commands to the picture. */
static void plan_difference(struct fg_flame *f, const struct side *sides,
			    struct fg_plan *plan)
{
	struct fg_args *to = &fg_plan_add(plan)->args;

	plan->way = FG_WAY_FILE;
	fg_args_add(to, f->diff_folded);
	fg_args_add(to, "-n");
	fg_args_add(to, sides[0].file);
	fg_args_add(to, sides[1].file);
	fg_pipeline_draw(f, &plan->draw);
}

/* Appends the plan as a script. */
static void add_script(struct fg_flame *f, const struct side *sides,
		       const struct fg_plan *difference, struct fg_buf *text)
{
	const char *tmp = fg_buf_cstr(&f->tmp);

	fg_buf_add_str(text, FG_STR("for run in"));
	for (uint64_t i = 1; i <= f->o.runs; i++)
		fg_buf_addf(text, " %llu", (unsigned long long)i);
	fg_buf_add_str(text, FG_STR("; do\n"));
	for (size_t i = 0; i < 2; i++)
		fg_plan_add_text(text, &sides[i].plan, tmp);
	fg_buf_add_str(text, FG_STR("done\n"));
	fg_plan_add_text(text, difference, tmp);
}

/* ---- the runs */

/* Adds the stacks of the last run to the totals. */
static int add_total(struct fg_flame *f, struct side *side, bool is_first)
{
	struct fg_reader *reader = fg_reader_open(&side->file, 1, f->diag);
	double sum = 0;
	struct fg_folded folded;
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &at)) > 0)
		if (fg_folded_parse(line, &folded) == FG_FOLDED_STACK)
			sum += (double)folded.count[0].digits /
			       (double)fg_pow10(folded.count[0].decimals);
	fg_reader_close(reader);
	fg_runs_add(&side->runs, sum - side->sum, is_first);
	side->sum = sum;
	return status ? FG_EXIT_FAILED : 0;
}

/*
 * Records one run of a command. The first exit status other than 0 stays in *status.
 * Returns 0, or the exit status if the run of flame has to end.
 */
static int run_side(struct fg_flame *f, struct side *side, bool is_first, int *status)
{
	struct fg_run r = { .recorded = 0 };
	int end = fg_run_record(&r, f, &side->plan);

	if (!end && r.signal)
		end = 128 + r.signal;
	if (!end)
		end = fg_report_failure(f, &r, &side->plan);
	if (!end) {
		fg_report_lost(f, &r);
		if (r.recorded)
			fg_warn(f->diag, NULL, "%s: exit status %d", side->command,
				r.recorded);
		*status = *status ? *status : r.recorded;
		end = add_total(f, side, is_first);
	}
	fg_run_release(&r);
	return end;
}

static int run_all(struct fg_flame *f, struct side *sides, int *status)
{
	int end = 0;

	for (uint64_t run = 1; run <= f->o.runs && !end; run++) {
		fg_warn(f->diag, NULL, "run %llu of %llu", (unsigned long long)run,
			(unsigned long long)f->o.runs);
		for (size_t i = 0; i < 2 && !end; i++)
			end = run_side(f, &sides[i], run == 1, status);
	}
	return end;
}

/* Draws the difference, and says what has changed. */
static int show_difference(struct fg_flame *f, const struct side *sides,
			   const struct fg_plan *difference)
{
	struct fg_run r = { .recorded = 0 };
	int end = fg_run_record(&r, f, difference);

	if (!end && !r.failed.len)
		end = fg_run_draw(&r, f, difference);
	if (!end)
		end = fg_report_failure(f, &r, difference);
	if (!end) {
		fg_warn(f->diag, NULL, "%s: %s and %s", f->o.output, sides[0].command,
			sides[1].command);
		fg_report_summary(f, r.folded);
		fg_warn(f->diag, NULL,
			"that is all of %llu runs; those of the first differ by %.1f "
			"%%, of the second by %.1f %%",
			(unsigned long long)f->o.runs, fg_runs_spread(&sides[0].runs),
			fg_runs_spread(&sides[1].runs));
	}
	fg_run_release(&r);
	return end;
}

static int run_compare(struct fg_flame *f, struct side *sides,
		       const struct fg_plan *difference)
{
	int status = 0, end = fg_run_start(f);

	if (!end)
		end = run_all(f, sides, &status);
	if (!end)
		end = show_difference(f, sides, difference);
	if (!end)
		end = f->o.ignore_status ? 0 : status;
	return fg_run_end(end);
}

int fg_compare(struct fg_flame *f)
{
	struct side sides[2] = {
		{ .command = f->o.command.items[0],
		  .file = fg_flame_temporary(f, "first") },
		{ .command = f->o.command.items[1],
		  .file = fg_flame_temporary(f, "second") },
	};
	struct fg_plan difference = { .record = FG_ARGS_INIT };
	struct fg_buf text = FG_BUF_INIT;
	int status = 0;

	choose_root(f, sides);
	fg_pipeline_title(f, NULL, 0);
	/* both commands are recorded in the same way */
	if (f->recorder <= FG_RECORDER_PERF)
		status = fg_recording_choose(f);
	for (size_t i = 0; i < 2 && !status; i++) {
		split_command(&sides[i]);
		status = plan_side(f, &sides[i]);
	}
	plan_difference(f, sides, &difference);
	if (!status)
		status = fg_pipeline_check(f, &sides[0].plan);
	if (!status) {
		add_script(f, sides, &difference, &text);
		fg_pipeline_show(f, &text);
		if (!f->o.dry_run)
			status = run_compare(f, sides, &difference);
	}
	for (size_t i = 0; i < 2; i++) {
		fg_plan_release(&sides[i].plan);
		fg_args_release(&sides[i].words);
	}
	fg_plan_release(&difference);
	fg_buf_release(&text);
	return status;
}
