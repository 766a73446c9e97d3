/* Plans and checks whole pipelines. */
#include "flame/pipeline.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flame/elsewhere.h"
#include "flame/files.h"
#include "flame/libraries.h"
#include "flame/own.h"
#include "flame/recording.h"
#include "lib/base/child.h"
#include "lib/base/cli.h"
#include "lib/base/io.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"

/* The longest heading that we make, in bytes. */
#define TITLE_MAX 1000

/* ---- the heading */

/* Cuts a heading that is too long, but not within a character. */
static void cut_title(struct fg_buf *title)
{
	if (title->len <= TITLE_MAX)
		return;
	title->len = fg_utf8_within(fg_buf_str(title), TITLE_MAX - 2).len;
	fg_buf_add_str(title, FG_STR(".."));
}

void fg_pipeline_title(struct fg_flame *f, const char *const *words, size_t count)
{
	const struct fg_flame_options *o = &f->o;
	struct fg_buf text = FG_BUF_INIT;

	if (o->title || f->title.len)
		return;
	if (o->mode == FG_FLAME_COMMAND) {
		for (size_t i = 0; i < count; i++)
			fg_buf_addf(&text, "%s%s", i ? " " : "", words[i]);
	} else if (o->mode == FG_FLAME_PIDS) {
		struct fg_str process = fg_buf_str(&f->target.process);

		fg_buf_add_str(&text, process);
		fg_buf_addf(&text, "%sprocess %s", process.len ? ", " : "", o->pids);
	} else if (o->mode == FG_FLAME_COMPARE) {
		fg_buf_addf(&text, "%s and %s", o->command.items[0],
			    o->command.items[1]);
	} else if (o->mode == FG_FLAME_PERFDATA && o->diff) {
		fg_buf_addf(&text, "%s", o->perfdata);
	}
	if (text.len && o->diff)
		fg_buf_addf(&text, ", compared with %s", o->diff);
	fg_add_visible(&f->title, fg_buf_str(&text));
	cut_title(&f->title);
	fg_buf_release(&text);
}

/* ---- from the collapser to the picture */

void fg_pipeline_draw(struct fg_flame *f, struct fg_args *draw)
{
	fg_args_add(draw, f->flamegraph);
	if (f->title.len) {
		fg_args_add(draw, "--title");
		fg_args_add(draw, fg_buf_cstr(&f->title));
	}
	if (f->palette) {
		fg_args_add(draw, "--colors");
		fg_args_add(draw, f->palette);
	}
	fg_args_join(draw, &f->draw);
	fg_args_add(draw, "-o");
	fg_args_add(draw, f->o.output);
}

/*
 * Adds the stage for --diff. diff-folded itself reads folded stacks and pictures; a
 * recording is collapsed first.
 */
static int add_difference(struct fg_flame *f, struct fg_plan *plan)
{
	const struct fg_place at = { f->o.diff, 0 };
	const char *old = f->o.diff;
	struct fg_args *to;

	if (fg_check_input(old, f->diag))
		return FG_EXIT_FAILED;
	if (fg_file_reads_once(old)) {
		fg_error(f->diag, &at,
			 "cannot be read: it is a pipe or an open file, so copy it to "
			 "a file first");
		return FG_EXIT_FAILED;
	}
	old = fg_flame_file(f, old);
	if (fg_file_starts(old, FG_STR("PERFILE2"))) {
		fg_args_add(&plan->before, f->collapse_perf);
		fg_args_join(&plan->before, &f->waits);
		fg_args_join(&plan->before, &f->collapse);
		fg_args_add(&plan->before, old);
		old = plan->before_to = fg_flame_temporary(f, "old.folded");
	}
	to = &fg_plan_add(plan)->args;
	fg_args_add(to, f->diff_folded);
	fg_args_add(to, "-n");
	if (f->o.ignore_root) {
		fg_args_add(to, "--ignore-root");
		fg_args_add(to, f->o.ignore_root);
	}
	fg_args_add(to, old);
	fg_args_add(to, "-");
	return 0;
}

/* Adds the stages after the collapser, and the program that draws. */
static int finish(struct fg_flame *f, struct fg_plan *plan)
{
	int status = 0;

	if (f->o.post_process && *f->o.post_process)
		fg_plan_add(plan)->script = f->o.post_process;
	if (plan->append_to)
		return 0;
	if (f->o.folded) {
		struct fg_args *to = &fg_plan_add(plan)->args;

		fg_args_add(to, "tee");
		fg_args_add(to, "--");
		fg_args_add(to, f->o.folded);
	}
	if (f->o.diff)
		status = add_difference(f, plan);
	fg_pipeline_draw(f, &plan->draw);
	return status;
}

/* ---- a recording */

static struct fg_check_how how_to_check(const struct fg_flame *f)
{
	return (struct fg_check_how){
		.as_root = f->as_root,
		.dry_run = f->o.dry_run,
		.frame_pointers = f->o.call_graph && !f->o.custom &&
				  !strcmp(f->o.call_graph, "fp"),
	};
}

/* For fg_each_pid(). */
static int check_pid(void *data, long pid)
{
	struct fg_flame *f = data;
	const struct fg_check_how how = how_to_check(f);

	return fg_check_pid(&f->target, pid, &how, f->diag);
}

static int check_target(struct fg_flame *f, const char *const *words, size_t count)
{
	const struct fg_check_how how = how_to_check(f);
	int status = 0;

	if (count)
		status = fg_check_command(&f->target, words, count, &how, f->diag);
	if (!status && f->o.pids && f->recorder <= FG_RECORDER_PERF)
		status = fg_each_pid(f->o.pids, check_pid, f);
	return status;
}

int fg_pipeline_record(struct fg_flame *f, struct fg_plan *plan,
		       const char *const *words, size_t count, const char *append_to)
{
	int status;

	fg_flame_reset(f);
	plan->append_to = append_to;
	status = check_target(f, words, count);
	if (!status && f->recorder <= FG_RECORDER_PERF && f->o.mode != FG_FLAME_COMPARE)
		status = fg_recording_choose(f);
	if (status)
		return status;
	fg_pipeline_title(f, words, count);
	if (f->recorder == FG_RECORDER_XCTRACE)
		status = fg_xctrace_plan(f, plan, words, count);
	else if (f->recorder == FG_RECORDER_DTRACE)
		status = fg_dtrace_plan(f, plan, words, count);
	else
		status = fg_recording_plan(f, plan, words, count);
	return status ? status : finish(f, plan);
}

/* ---- a profile that is there */

/*
 * Plans reading a profile of another profiler, or one of perf that is compressed, text
 * or in a pipe.
 */
static int plan_profile(struct fg_flame *f, struct fg_plan *plan)
{
	struct fg_stage *stage = fg_plan_add(plan);
	struct fg_buf path = FG_BUF_INIT;

	if (fg_find_own("collapse-guess", &path, f->diag)) {
		fg_buf_release(&path);
		return FG_EXIT_FAILED;
	}
	stage->is_collapser = true;
	fg_args_add(&stage->args, fg_is_on_path(fg_buf_cstr(&path)) ?
					  "collapse-guess" :
					  fg_buf_cstr(&path));
	if (!f->o.quiet)
		fg_args_add(&stage->args, "-v");
	fg_args_split(&stage->args, "--header --recursion unknown");
	fg_args_add(&stage->args, fg_flame_file(f, f->o.perfdata));
	if (f->given.count) {
		fg_args_add(&stage->args, "--");
		fg_args_join(&stage->args, &f->given);
	}
	fg_buf_release(&path);
	return 0;
}

/*
 * Plans reading the stacks in a picture. No collapser is run for that, so options for a
 * collapser are refused.
 */
static int plan_picture(struct fg_flame *f, struct fg_plan *plan)
{
	struct fg_stage *stage;

	if (f->given.count) {
		fg_flame_misuse(f->diag,
				"%s is a picture, which no collapser reads: it goes "
				"without --collapse, --skip-after, --flamechart and "
				"--inline",
				f->o.perfdata);
		return FG_EXIT_USAGE;
	}
	stage = fg_plan_add(plan);
	stage->is_collapser = true;
	fg_args_add(&stage->args, f->flamegraph);
	fg_args_add(&stage->args, "--extract");
	fg_args_add(&stage->args, fg_flame_file(f, f->o.perfdata));
	return 0;
}

int fg_pipeline_read(struct fg_flame *f, struct fg_plan *plan)
{
	const char *file = f->o.perfdata;
	int status = 0;

	fg_pipeline_title(f, NULL, 0);
	if (fg_check_input(file, f->diag))
		return FG_EXIT_FAILED;
	fg_recording_show_waits(f);
	plan->way = fg_file_reads_once(file) ? FG_WAY_INPUT : FG_WAY_FILE;
	if (f->o.wall || f->o.off_cpu || f->o.call_graph || fg_file_is_recording(file))
		/* if --call-graph is given, it is lbr; options.c refuses the others */
		fg_recording_plan_collapser(f, plan, fg_flame_file(f, file),
					    f->o.call_graph);
	else if (fg_file_is_picture(file))
		status = plan_picture(f, plan);
	else
		status = plan_profile(f, plan);
	return status ? status : finish(f, plan);
}

/* ---- checks before anything runs */

/* Returns true if an option names a pipe, which the filter would read. */
static bool names_pipe(const struct fg_args *args)
{
	for (size_t i = 0; i < args->count; i++) {
		const char *equals = strchr(args->items[i], '=');
		struct stat st;

		if (!stat(equals ? equals + 1 : args->items[i], &st) &&
		    S_ISFIFO(st.st_mode))
			return true;
	}
	return false;
}

/*
 * Runs a filter without input, to see if it accepts its options. Returns 0 if it does,
 * or else its exit status after showing its message.
 */
static int check_options(const struct fg_args *args)
{
	const struct fg_ask ask = { .args = (const char *const *)args->items,
				    .stream = FG_ASK_ERRORS };
	struct fg_buf answer = FG_BUF_INIT;
	int status = 0;

	if (!names_pipe(args)) {
		status = fg_ask(&ask, &answer);
		if (status > FG_EXIT_USAGE || !answer.len ||
		    fg_str_has(fg_buf_str(&answer), FG_STR("the input is empty")))
			status = 0;
	}
	if (status)
		fg_io_write_all(STDERR_FILENO, answer.ptr, answer.len);
	fg_buf_release(&answer);
	return status;
}

static int check_filters(struct fg_flame *f, const struct fg_plan *plan)
{
	struct fg_args args = FG_ARGS_INIT;
	int status = 0;

	/* the last collapser without the recording, which is not there yet */
	for (size_t i = 0; plan && plan->record.count && i < plan->stage_count; i++)
		if (plan->stages[i].is_collapser) {
			fg_args_release(&args);
			fg_args_join(&args, &plan->stages[i].args);
		}
	if (args.count) {
		if (plan->data && !strcmp(args.items[args.count - 1], plan->data))
			args.items[--args.count] = NULL;
		status = check_options(&args);
		fg_args_release(&args);
	}
	if (status)
		return status;
	fg_args_add(&args, f->flamegraph);
	fg_args_join(&args, &f->draw);
	fg_args_add(&args, "-o");
	fg_args_add(&args, "/dev/null");
	status = check_options(&args);
	fg_args_release(&args);
	return status;
}

int fg_pipeline_check(struct fg_flame *f, const struct fg_plan *plan)
{
	const char *const others[] = { f->o.folded, f->keep_data, f->o.perfdata,
				       f->o.diff };
	struct fg_diag *diag = f->diag;

	if (fg_check_output(f->o.output, FG_OUTPUT_PICTURE, diag) ||
	    fg_check_output(f->o.folded, FG_OUTPUT_COPY, diag) ||
	    fg_check_output(f->keep_data, FG_OUTPUT_RECORDING, diag) ||
	    fg_check_apart(f->o.output, others, 4, diag) ||
	    fg_check_apart(f->o.folded, others + 1, 3, diag) ||
	    fg_check_apart(f->keep_data, others + 3, 1, diag))
		return FG_EXIT_FAILED;
	return check_filters(f, plan);
}

void fg_pipeline_show(struct fg_flame *f, const struct fg_buf *text)
{
	struct fg_buf script = FG_BUF_INIT;

	fg_plan_add_script(&script, text);
	if (f->o.dry_run)
		fg_out_add_str(f->out, fg_buf_str(&script));
	else if (f->o.verbose)
		fg_io_write_all(STDERR_FILENO, script.ptr, script.len);
	fg_buf_release(&script);
}
