/* Plans recordings by xctrace and DTrace. */
#include "flame/elsewhere.h"

#include <stdlib.h>

#include "flame/own.h"
#include "lib/base/cli.h"

/* Ends the run if options are given that the recorder does not have. */
static int check_options(const struct fg_flame *f, const char *recorder)
{
	const struct fg_flame_options *o = &f->o;

	if (!o->events.count && !o->call_graph && !o->off_cpu && !o->wall &&
	    !o->compress && !o->perf)
		return 0;
	fg_flame_misuse(f->diag,
			"%s records here, which has no --event, --call-graph, "
			"--off-cpu, --wall, --perf and --compression-level",
			recorder);
	return FG_EXIT_USAGE;
}

/* Ends the run if the recorder is missing. */
static int find_recorder(struct fg_flame *f, struct fg_plan *plan, const char *variable,
			 const char *name, const char *cure)
{
	const char *chosen = getenv(variable);
	struct fg_buf path = FG_BUF_INIT;
	bool found;

	plan->recorder = chosen && *chosen ? chosen : name;
	found = fg_find_program(plan->recorder, &path);
	fg_buf_release(&path);
	return found ? 0 :
		       fg_flame_fail(f, FG_EXIT_FAILED, "%s is not here: %s",
				     plan->recorder, cure);
}

static void plan_data(struct fg_flame *f, struct fg_plan *plan, const char *name)
{
	plan->way = FG_WAY_FILE;
	plan->data = f->keep_data ? fg_flame_file(f, f->keep_data) :
				    fg_flame_temporary(f, name);
}

/* Adds our collapser of this name as the next stage. */
static struct fg_stage *add_collapser(struct fg_flame *f, struct fg_plan *plan,
				      const char *name)
{
	struct fg_stage *stage = fg_plan_add(plan);
	struct fg_buf path = FG_BUF_INIT;

	stage->is_collapser = true;
	if (!fg_find_own(name, &path, f->diag))
		fg_args_add(&stage->args, fg_is_on_path(fg_buf_cstr(&path)) ?
						  name :
						  fg_buf_cstr(&path));
	fg_args_join(&stage->args, &f->collapse);
	fg_buf_release(&path);
	return stage;
}

static void add_sudo(const struct fg_flame *f, struct fg_args *to)
{
	fg_args_join(to, &f->sudo);
}

/* ---- xctrace */

static int xctrace_target(struct fg_flame *f, struct fg_args *to,
			  const char *const *words, size_t count)
{
	if (f->o.pids && strchr(f->o.pids, ',')) {
		fg_flame_misuse(f->diag, "xctrace records one process, not %s",
				f->o.pids);
		return FG_EXIT_USAGE;
	}
	if (f->o.pids) {
		fg_args_add(to, "--attach");
		fg_args_add(to, f->o.pids);
	} else if (f->o.all_cpus) {
		fg_args_add(to, "--all-processes");
	} else {
		fg_args_split(to, "--target-stdout - --launch --");
		fg_args_add_all(to, words, count);
	}
	return 0;
}

int fg_xctrace_plan(struct fg_flame *f, struct fg_plan *plan, const char *const *words,
		    size_t count)
{
	struct fg_args *to = &plan->record;
	struct fg_stage *stage;
	int status = check_options(f, "xctrace");

	if (!status && (f->o.freq || f->o.custom)) {
		fg_flame_misuse(f->diag,
				"xctrace records here, which has no --freq and --cmd");
		status = FG_EXIT_USAGE;
	}
	if (!status)
		status = find_recorder(f, plan, "XCTRACE", "xctrace",
				       "xcode-select --install, or install Xcode");
	if (status)
		return status;
	plan_data(f, plan, "run.trace");
	add_sudo(f, to);
	fg_args_add(to, plan->recorder);
	fg_args_split(to, "record --template");
	fg_args_add(to, "Time Profiler");
	fg_args_add(to, "--output");
	fg_args_add(to, plan->data);
	if (f->o.duration) {
		fg_args_add(to, "--time-limit");
		fg_args_addf(to, "%ss", f->o.duration);
	}
	stage = fg_plan_add(plan);
	stage->is_collapser = true;
	fg_args_add(&stage->args, plan->recorder);
	fg_args_split(&stage->args, "export --input");
	fg_args_add(&stage->args, plan->data);
	fg_args_add(&stage->args, "--xpath");
	fg_args_add(&stage->args, "/trace-toc/*/data/table[@schema=\"time-profile\"]");
	add_collapser(f, plan, "collapse-xctrace");
	return xctrace_target(f, to, words, count);
}

/* ---- DTrace */

static void add_script(struct fg_flame *f, struct fg_args *to)
{
	const char *which = f->o.all_cpus ? "/arg1/" : "/pid == $target/";
	struct fg_buf script = FG_BUF_INIT;

	if (f->o.custom)
		fg_buf_addf(&script, "%s", f->o.custom);
	else
		fg_buf_addf(&script, "profile-%s %s { @[ustack(100)] = count(); }",
			    f->o.freq ? f->o.freq : "997", which);
	if (f->o.duration)
		fg_buf_addf(&script, " tick-%ss { exit(0); }", f->o.duration);
	fg_args_add(to, fg_buf_cstr(&script));
	fg_buf_release(&script);
}

static void add_pids(const struct fg_flame *f, struct fg_args *to)
{
	struct fg_str rest = fg_str_from(f->o.pids);

	while (rest.len) {
		struct fg_str pid = fg_str_cut(&rest, ',');

		fg_args_add(to, "-p");
		fg_args_addf(to, "%.*s", (int)pid.len, pid.ptr);
	}
}

/* DTrace takes a command as one argument, which it splits at spaces. */
static int add_command(struct fg_flame *f, struct fg_args *to, const char *const *words,
		       size_t count)
{
	struct fg_buf command = FG_BUF_INIT;
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		if (strpbrk(words[i], " \t\n\v\f\r"))
			status = fg_flame_fail(f, FG_EXIT_FAILED,
					       "dtrace cannot run a command with "
					       "blanks in '%s': put it into a script",
					       words[i]);
		fg_buf_addf(&command, "%s%s", i ? " " : "", words[i]);
	}
	if (count) {
		fg_args_add(to, "-c");
		fg_args_add(to, fg_buf_cstr(&command));
	}
	fg_buf_release(&command);
	return status;
}

int fg_dtrace_plan(struct fg_flame *f, struct fg_plan *plan, const char *const *words,
		   size_t count)
{
	struct fg_args *to = &plan->record;
	struct fg_stage *stage;
	int status = check_options(f, "dtrace");

	if (!status)
		status = find_recorder(f, plan, "DTRACE", "dtrace",
				       "install your system's package of dtrace");
	if (!status && !f->as_root)
		status = fg_flame_fail(f, FG_EXIT_FAILED,
				       "dtrace records for root only: flame --root");
	if (status)
		return status;
	plan_data(f, plan, "stacks");
	add_sudo(f, to);
	fg_args_add(to, plan->recorder);
	fg_args_split(to, "-x ustackframes=100 -n");
	add_script(f, to);
	fg_args_add(to, "-o");
	fg_args_add(to, plan->data);
	add_pids(f, to);
	stage = add_collapser(f, plan, "collapse-dtrace");
	fg_args_add(&stage->args, plan->data);
	return add_command(f, to, words, count);
}
