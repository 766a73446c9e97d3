/* Writes profiles as folded stacks, pictures, reports and files for other programs. */
#include "flamegraph/options.h"
#include "flamegraph/draw.h"
#include "library/profile.h"
#include "reportfolded/export.h"
#include "reportfolded/report.h"

/* ---- folded stacks */

static int write_folded(struct fg_task *task)
{
	struct fg_str text;

	if (fg_task_settle(task, &text))
		return FLAMEPIPE_FAILED;
	fg_buf_add_str(&task->out, text);
	return FLAMEPIPE_OK;
}

int flamepipe_write_folded(struct flamepipe_profile *p, flamepipe_write *write,
			   void *data)
{
	struct fg_task task = { .work = write_folded };
	int status = fg_task_run(&task, p, "flamepipe");

	return status ? status : fg_task_write(&task, write, data);
}

/* ---- a picture */

static int check_svg(struct fg_task *task, struct fg_graph_args *a)
{
	const struct fg_opt_table tables[] = {
		{ fg_graph_rows, a },
		{ fg_filter_rows, &a->filter },
		{ fg_filter_line_rows, &a->filter },
	};

	if (fg_task_options(task, tables, FG_COUNT_OF(tables), task->data))
		return -1;
	if (a->options.cp || a->csp || a->extract)
		return fg_error(&task->diag, NULL,
				"--cp, --csp and --extract are for the command line "
				"only");
	task->diag.verbosity = a->verbosity;
	return fg_graph_args_check(a, &task->diag);
}

static int draw(struct fg_task *task, const struct fg_graph_options *o)
{
	enum fg_graph_result result;
	struct fg_reader *reader;
	struct fg_str text;
	struct fg_out out;

	if (fg_task_settle(task, &text))
		return FLAMEPIPE_FAILED;
	fg_out_init_memory(&out);
	reader = fg_task_reader(task, text);
	result = fg_graph_draw(o, reader, &out, &task->diag);
	fg_reader_close(reader);
	task->out = out.buf;
	return result == FG_GRAPH_DRAWN ? FLAMEPIPE_OK : FLAMEPIPE_FAILED;
}

static int write_svg(struct fg_task *task)
{
	struct fg_graph_args args;
	int status = FLAMEPIPE_INVALID;

	fg_graph_args_init(&args);
	if (!check_svg(task, &args))
		status = draw(task, &args.options);
	fg_graph_args_release(&args);
	return status;
}

int flamepipe_write_svg(struct flamepipe_profile *p, const char *const *options,
			flamepipe_write *write, void *data)
{
	struct fg_task task = { .work = write_svg, .data = options };
	int status = fg_task_run(&task, p, "flamegraph");

	return status ? status : fg_task_write(&task, write, data);
}

/* ---- a report */

static int report_to(struct fg_task *task, const struct fg_report_options *o,
		     struct fg_reader *reader, struct fg_out *out)
{
	static const int statuses[] = {
		[FG_REPORT_WRITTEN] = FLAMEPIPE_OK,
		[FG_REPORT_FAILED] = FLAMEPIPE_FAILED,
		[FG_REPORT_EXCEEDED] = FLAMEPIPE_EXCEEDED,
		[FG_REPORT_UNSURE] = FLAMEPIPE_UNSURE,
	};

	if (!fg_report_is_export(o))
		return statuses[fg_report_run(o, reader, out, &task->diag)];
	return fg_export_run(o, reader, out, &task->diag) ? FLAMEPIPE_FAILED :
							    FLAMEPIPE_OK;
}

static int report(struct fg_task *task, const struct fg_report_options *o)
{
	struct fg_reader *reader;
	struct fg_str text;
	struct fg_out out;
	int status;

	if (fg_task_settle(task, &text))
		return FLAMEPIPE_FAILED;
	fg_out_init_memory(&out);
	reader = fg_task_reader(task, text);
	status = report_to(task, o, reader, &out);
	fg_reader_close(reader);
	task->out = out.buf;
	return status;
}

static int write_report(struct fg_task *task)
{
	struct fg_report_options o;
	const struct fg_opt_table table = { fg_report_option_rows, &o };
	int status = FLAMEPIPE_INVALID;

	fg_report_options_init(&o);
	if (!fg_task_options(task, &table, 1, task->data)) {
		task->diag.verbosity = o.verbosity;
		if (!fg_report_options_check(&o, &task->diag))
			status = report(task, &o);
	}
	fg_report_options_release(&o);
	return status;
}

int flamepipe_write_report(struct flamepipe_profile *p, const char *const *options,
			   flamepipe_write *write, void *data)
{
	struct fg_task task = { .work = write_report, .data = options };
	int status = fg_task_run(&task, p, "report-folded"), stopped;

	if (status < 0)
		return status;
	stopped = fg_task_write(&task, write, data);
	return stopped ? stopped : status;
}
