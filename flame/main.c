/* flame: records what a program does and draws a flame graph of it. */
#include <fcntl.h>
#include <unistd.h>

#include "flame/compare.h"
#include "flame/flame.h"
#include "flame/pipeline.h"
#include "flame/report.h"
#include "flame/run.h"
#include "lib/base/cli.h"
#include "lib/base/xalloc.h"

/*
 * Opens closed standard streams as /dev/null. Programs that start jobs may leave them
 * closed; then the next file that we open would get that number, and the command would
 * read it or write to it.
 */
static void open_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* Runs the plan, and reports the result. Returns the exit status. */
static int run_plan(struct fg_flame *f, const struct fg_plan *plan)
{
	struct fg_run r = { .recorded = 0 };
	int status = fg_run_start(f);

	if (!status)
		status = fg_run_record(&r, f, plan);
	if (!status && !r.failed.len)
		status = fg_run_draw(&r, f, plan);
	if (!status)
		status = fg_report_failure(f, &r, plan);
	if (!status) {
		fg_report_picture(f, &r);
		status = fg_report_status(f, &r, plan);
		fg_report_open(f);
	}
	fg_run_release(&r);
	return fg_run_end(status);
}

/* Plans, shows the plan, and runs it. Returns the exit status. */
static int plan_and_run(struct fg_flame *f)
{
	struct fg_plan plan = { .record = FG_ARGS_INIT };
	struct fg_buf text = FG_BUF_INIT;
	int status;

	if (f->o.mode == FG_FLAME_PERFDATA)
		status = fg_pipeline_read(f, &plan);
	else
		status = fg_pipeline_record(f, &plan, f->o.command.items,
					    f->o.command.count, NULL);
	if (!status)
		status = fg_pipeline_check(f, &plan);
	if (!status) {
		fg_plan_add_text(&text, &plan, fg_buf_cstr(&f->tmp));
		fg_pipeline_show(f, &text);
		if (!f->o.dry_run)
			status = run_plan(f, &plan);
	}
	fg_plan_release(&plan);
	fg_buf_release(&text);
	return status;
}

static int run(struct fg_flame *f)
{
	int status = fg_flame_prepare(f);

	if (status)
		return status;
	return f->o.mode == FG_FLAME_COMPARE ? fg_compare(f) : plan_and_run(f);
}

int main(int argc, char **argv)
{
	struct fg_flame f = { .recorder = FG_RECORDER_OURS };
	struct fg_diag diag;
	struct fg_out out;
	int status = FG_EXIT_OK;

	open_streams();
	fg_xalloc_start();
	fg_diag_init(&diag, "flame");
	fg_out_init(&out, STDOUT_FILENO, "(standard output)", &diag);
	f.diag = &diag;
	f.out = &out;
	switch (fg_flame_options_read(&f.o, argc, argv, &out, &diag)) {
	case FG_CLI_USAGE:
		status = FG_EXIT_USAGE;
		break;
	case FG_CLI_DONE:
		break;
	case FG_CLI_RUN:
		status = run(&f);
		break;
	}
	if (fg_out_close(&out) && status == FG_EXIT_OK)
		status = FG_EXIT_FAILED;
	fg_flame_release(&f);
	return status;
}
