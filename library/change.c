/* Makes profiles from profiles: filters one, compares two. */
#include "difffolded/options.h"
#include "filterfolded/options.h"
#include "library/profile.h"

/* ---- filtering */

static int choose(struct fg_task *task, const struct fg_choosing_options *o)
{
	struct fg_choosing choosing;
	struct fg_reader *reader;
	struct fg_str text;
	struct fg_out out;
	int status = FLAMEPIPE_INVALID, columns;

	fg_out_init_memory(&out);
	if (fg_choosing_init(&choosing, o, &task->diag))
		goto out;
	status = task->p->columns ? FLAMEPIPE_FAILED : FLAMEPIPE_OK;
	if (!task->p->columns || fg_task_settle(task, &text))
		goto out;
	reader = fg_task_reader(task, text);
	if (!fg_choosing_run(&choosing, reader, &out)) {
		columns = fg_profile_columns(&choosing.profile);
		if (columns >= 0) {
			fg_task_replace(task, &out.buf, (unsigned)columns);
			status = FLAMEPIPE_OK;
		}
	}
	fg_reader_close(reader);
out:
	fg_choosing_release(&choosing);
	fg_buf_release(&out.buf);
	return status;
}

static int filter(struct fg_task *task)
{
	struct fg_choosing_options o = { .verbosity = FG_NORMAL };
	const struct fg_opt_table tables[] = {
		{ fg_filter_rows, &o.filter },
		{ fg_filter_line_rows, &o.filter },
		{ fg_choosing_rows, &o },
	};
	int status = FLAMEPIPE_INVALID;

	if (!fg_task_options(task, tables, FG_COUNT_OF(tables), task->data))
		status = choose(task, &o);
	fg_opts_release(fg_filter_rows, &o.filter);
	return status;
}

int flamepipe_filter(struct flamepipe_profile *p, const char *const *options)
{
	struct fg_task task = { .work = filter, .data = options };

	return fg_task_run(&task, p, "filter-folded");
}

/* ---- comparing */

struct difference {
	const struct flamepipe_profile *before;
	const char *const *options;
};

/* Reads a profile into a column of the difference. Returns 0, or -1 after reporting. */
static int read_column(struct fg_task *task, struct fg_diff *diff,
		       const struct flamepipe_profile *p, unsigned column)
{
	static const char *const names[] = { "(before)", "(after)" };
	struct fg_buf scratch = FG_BUF_INIT;
	struct fg_reader *reader;
	struct fg_str text;
	int status;

	if (fg_task_text(task, p, &text, &scratch))
		return -1;
	reader = fg_task_reader(task, text);
	status = fg_diff_read(diff, reader, names[column], column);
	fg_reader_close(reader);
	fg_buf_release(&scratch);
	return status;
}

static int compare(struct fg_task *task, const struct fg_diff_line *line)
{
	struct fg_diff_options what;
	const struct difference *d = task->data;
	struct fg_diff diff;
	struct fg_out out;
	int status;

	if (fg_diff_options_read(line, &what, &task->diag))
		return FLAMEPIPE_INVALID;
	fg_out_init_memory(&out);
	task->diag.verbosity = line->verbosity;
	fg_diff_init(&diff, what, &task->diag);
	status = read_column(task, &diff, d->before, 0);
	if (!status)
		status = read_column(task, &diff, task->p, 1);
	if (!status)
		status = fg_diff_write(&diff, &out);
	if (!status)
		fg_task_replace(task, &out.buf, 2);
	fg_diff_release(&diff);
	fg_buf_release(&out.buf);
	return status ? FLAMEPIPE_FAILED : FLAMEPIPE_OK;
}

static int diff(struct fg_task *task)
{
	const struct difference *d = task->data;
	struct fg_diff_line line = { .verbosity = FG_NORMAL };
	const struct fg_opt_table table = { fg_diff_rows, &line };
	int status = FLAMEPIPE_INVALID;

	if (fg_task_options(task, &table, 1, d->options))
		;
	else if (line.before.count || line.after.count)
		fg_error(&task->diag, NULL,
			 "--before and --after are for the command line only");
	else
		status = compare(task, &line);
	fg_opts_release(fg_diff_rows, &line);
	return status;
}

int flamepipe_diff(struct flamepipe_profile *after,
		   const struct flamepipe_profile *before, const char *const *options)
{
	const struct difference d = { before, options };
	struct fg_task task = { .work = diff, .data = &d };

	return fg_task_run(&task, after, "diff-folded");
}
