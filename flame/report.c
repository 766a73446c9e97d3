/* Reports the result of a run. */
#include "flame/report.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "flame/own.h"
#include "lib/base/child.h"
#include "lib/base/cli.h"
#include "lib/base/io.h"

/* With fewer samples, the picture says little. */
#define FEW_SAMPLES 20

/* The exit status of shells for a program that is not there. */
#define NOT_FOUND 127

/* ---- messages of the collapser */

/* Returns true for "collapse-perf: 7 samples kept, 0 ignored, 0 dropped". */
static bool says_nothing(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("collapse-")) &&
	       (fg_str_ends(line, FG_STR(" samples kept, 0 ignored, 0 dropped")) ||
		fg_str_ends(line, FG_STR(" sample kept, 0 ignored, 0 dropped")));
}

void fg_report_lost(const struct fg_flame *f, const struct fg_run *r)
{
	struct fg_str rest = fg_buf_str(&r->said);
	struct fg_buf text = FG_BUF_INIT;

	if (f->o.quiet && !r->failed.len)
		return;
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		if (says_nothing(line))
			continue;
		fg_buf_add_str(&text, line);
		fg_buf_add_char(&text, '\n');
	}
	fg_io_write_all(STDERR_FILENO, text.ptr, text.len);
	fg_buf_release(&text);
}

/*
 * Returns true if the recorder failed in the middle, according to the collapser. Then
 * its exit status is not that of the command, which we do not know.
 */
static bool was_cut(const struct fg_run *r, const struct fg_plan *plan)
{
	return plan->record.count && r->recorded && !r->signal &&
	       fg_str_has(fg_buf_str(&r->said), FG_STR(": cut short"));
}

/* Says why the recording was cut short. */
static void say_cut(const struct fg_flame *f, const struct fg_run *r,
		    const struct fg_plan *plan)
{
	if (r->recorded > 128 && r->recorded < 160)
		fg_error(f->diag, NULL,
			 "%s failed while it recorded, so only what came before is "
			 "known: signal %d ended it",
			 plan->recorder, r->recorded - 128);
	else
		fg_error(f->diag, NULL,
			 "%s failed while it recorded, so only what came before is "
			 "known: is the disk full?",
			 plan->recorder);
}

int fg_report_failure(const struct fg_flame *f, const struct fg_run *r,
		      const struct fg_plan *plan)
{
	struct fg_buf failed = FG_BUF_INIT;

	if (!r->failed.len)
		return 0;
	fg_report_lost(f, r);
	if (was_cut(r, plan))
		say_cut(f, r, plan);
	else if (f->o.mode == FG_FLAME_COMMAND && r->recorded)
		fg_warn(f->diag, NULL, "the command's exit status is %d", r->recorded);
	if (!f->o.off_cpu &&
	    fg_str_has(fg_buf_str(&r->said), FG_STR("the recording has no samples")))
		return fg_flame_fail(f, FG_EXIT_FAILED,
				     "there is no picture: nothing ran while it was "
				     "recorded (--off-cpu shows where threads wait)");
	fg_buf_add_str(&failed, fg_buf_str(&r->failed));
	fg_flame_fail(f, FG_EXIT_FAILED, "there is no picture: '%s' failed",
		      fg_buf_cstr(&failed));
	fg_buf_release(&failed);
	return FG_EXIT_FAILED;
}

/* ---- the picture */

void fg_report_summary(const struct fg_flame *f, const char *file)
{
	const char *const args[] = {
		f->report_folded, "--digest", "--max-lines", "11",
		"--limit",	  "5",	      file,	     NULL
	};
	const struct fg_ask ask = { .args = args, .shows_errors = true };
	struct fg_buf answer = FG_BUF_INIT;
	struct fg_str rest;

	if (f->o.quiet)
		return;
	fg_ask(&ask, &answer);
	rest = fg_buf_str(&answer);
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		if (line.len)
			fg_warn(f->diag, NULL, "%.*s", (int)line.len, line.ptr);
	}
	fg_buf_release(&answer);
}

/*
 * Says what to do about few samples. If a process lived all the time, few samples mean
 * that it waited.
 */
static void explain_few(const struct fg_flame *f)
{
	if (f->o.mode == FG_FLAME_PIDS && !f->o.off_cpu && !f->o.wall)
		fg_warn(f->diag, NULL,
			"so few samples tell little: the process hardly ran; --wall "
			"shows where it waits, too, and --off-cpu only where it waits");
	else
		fg_warn(f->diag, NULL,
			"so few samples tell little: let it run for longer, or sample "
			"more often, as with -F 9999");
}

void fg_report_picture(const struct fg_flame *f, const struct fg_run *r)
{
	uint64_t samples = 0;
	bool counted = fg_run_samples(fg_buf_str(&r->said), &samples);

	fg_warn(f->diag, NULL, "%s", f->o.output);
	fg_report_summary(f, r->folded);
	if (counted && samples <= FEW_SAMPLES && f->o.mode != FG_FLAME_PERFDATA)
		explain_few(f);
	fg_report_lost(f, r);
}

/* ---- the exit status */

/* Returns the status of the recorder, unless the end of --duration caused it. */
static int recorded_status(const struct fg_flame *f, const struct fg_run *r)
{
	/* that of timeout(1), or of a command that was told to end */
	bool is_over = r->recorded == 124 || r->recorded == 128 + SIGTERM;

	return f->o.duration && is_over ? 0 : r->recorded;
}

static void say_status(const struct fg_flame *f, int status)
{
	if (status >= 128 && status < 160)
		fg_warn(f->diag, NULL, "the command was ended by signal %d",
			status - 128);
	else if (status)
		fg_warn(f->diag, NULL, "the command's exit status is %d", status);
}

int fg_report_status(const struct fg_flame *f, const struct fg_run *r,
		     const struct fg_plan *plan)
{
	int status = recorded_status(f, r);

	if (was_cut(r, plan)) {
		say_cut(f, r, plan);
		status = FG_EXIT_FAILED;
	} else if (f->o.mode == FG_FLAME_COMMAND) {
		if (r->signal)
			status = 128 + r->signal;
		else
			say_status(f, status);
	} else if (r->signal) {
		status = r->signal == SIGINT ? 0 : 128 + r->signal;
	} else if (status) {
		if (!f->o.ignore_status)
			fg_error(f->diag, NULL,
				 "the recording ended with exit status %d", status);
		status = FG_EXIT_FAILED;
	}
	return f->o.ignore_status ? 0 : status;
}

/* ---- --open */

void fg_report_open(struct fg_flame *f)
{
	const char *const openers[] = { getenv("BROWSER"), "xdg-open", "open" };
	const char *args[] = { NULL, fg_flame_file(f, f->o.output), NULL };

	if (!f->o.open)
		return;
	for (size_t i = 0; i < FG_COUNT_OF(openers); i++) {
		args[0] = openers[i];
		if (args[0] && fg_run_program(args) != NOT_FOUND)
			return;
	}
	fg_warn(f->diag, NULL, "there is no xdg-open, so open %s yourself",
		f->o.output);
}
