/* Chooses between frame pointers and copies of the stack. */
#include "flame/callers.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "collapse/symbols/code.h"
#include "flame/libraries.h"
#include "flame/own.h"
#include "flame/plan.h"
#include "flame/run.h"

/*
 * Percentage of the functions that have to keep frame pointers, and of the samples that
 * may be in functions without them. With fewer, copies are not worth their cost: a
 * function in assembly, like memcpy, hides just one caller.
 */
enum { KEEPING = 80, BUSY = 25 };

/*
 * The rate and the length, in seconds, of a short recording that shows which code is
 * busy.
 */
#define LOOK_RATE "199"
#define LOOK_SECONDS "0.3"

/* A short recording with fewer samples does not tell which code is busy. */
#define LOOK_SAMPLES 10

/* ---- copies */

struct fg_copies fg_copies_choose(const struct fg_copies_for *what)
{
	struct fg_copies c = { 16384, 997 };

	if (what->is_python)
		c = (struct fg_copies){ 65528, 199 };
	if (what->to_file && c.rate > 499)
		c.rate = 499;
	if (what->seconds >= 60)
		c.rate = 199;
	if (what->all_cpus)
		c = (struct fg_copies){ 8192, 99 };
	else if (what->off_cpu)
		c = (struct fg_copies){ 8192, 997 };
	else if (what->wall)
		c.size = 8192;
	return c;
}

static bool is_python(const struct fg_flame *f)
{
	return fg_str_starts(fg_buf_str(&f->target.runtime), FG_STR("python"));
}

/* Sets the call graph and the rate. Returns true if samples are taken less often. */
static bool size_copies(struct fg_flame *f)
{
	const struct fg_flame_options *o = &f->o;
	const struct fg_copies_for what = {
		.is_python = is_python(f),
		.to_file = fg_flame_needs_file(f),
		.all_cpus = o->mode == FG_FLAME_ALL,
		.off_cpu = o->off_cpu,
		.wall = o->wall,
		.seconds = o->duration ? strtod(o->duration, NULL) : 0,
	};
	struct fg_copies copies = fg_copies_choose(&what);
	bool seldom = !o->freq && copies.rate < f->rate;

	fg_args_addf(&f->names, "dwarf,%u", copies.size);
	f->call_graph = f->names.items[f->names.count - 1];
	f->rate = copies.rate;
	return seldom;
}

static void use_copies(struct fg_flame *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Chooses copies of the stack, and says why. */
static void use_copies(struct fg_flame *f, const char *format, ...)
{
	bool seldom = size_copies(f);
	struct fg_buf why = FG_BUF_INIT;
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(&why, format, args);
	va_end(args);
	if (seldom)
		fg_warn(f->diag, NULL,
			"callers are found in copies of the stack (--call-graph %s, %u "
			"times a second): %s",
			f->call_graph, f->rate, fg_buf_cstr(&why));
	else
		fg_warn(f->diag, NULL,
			"callers are found in copies of the stack (--call-graph %s): "
			"%s",
			f->call_graph, fg_buf_cstr(&why));
	fg_buf_release(&why);
}

/* Chooses frame pointers, and says why. */
static void use_frame_pointers(struct fg_flame *f, const char *why)
{
	f->call_graph = "fp";
	fg_warn(f->diag, NULL,
		"callers are found by frame pointers (--call-graph fp): %s", why);
}

/* ---- the code that runs */

static bool lacks(const char *file)
{
	struct fg_code code;

	return fg_code_read(file, &code) && !fg_code_keeps_frames(&code, KEEPING);
}

/*
 * Chooses copies if one of the files lacks frame pointers. Returns false if none does.
 */
static bool any_lacks(struct fg_flame *f, const struct fg_args *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (lacks(files->items[i])) {
			use_copies(f, "%s has no frame pointers",
				   fg_str_basename(fg_str_from(files->items[i])).ptr);
			return true;
		}
	return false;
}

/*
 * Chooses copies if the program runs other programs, like a shell, or loads libraries
 * later, like Python: we cannot judge their code before. Returns false if it does not.
 */
static bool may_run_anything(struct fg_flame *f, const char *program)
{
	struct fg_code code;

	if (!is_python(f) && !(fg_code_read(program, &code) && code.runs_others))
		return false;
	use_copies(f, "it is not known what %s will run",
		   fg_str_basename(fg_str_from(program)).ptr);
	return true;
}

/* Judges a command by its program and the libraries that it is linked with. */
static bool command_lacks(struct fg_flame *f)
{
	struct fg_args files = FG_ARGS_INIT;
	struct fg_buf program = FG_BUF_INIT;
	bool lacking = false;

	/* a script without an interpreter that we know is run by sh */
	fg_buf_add_str(&program, fg_buf_str(&f->target.file));
	if (program.len || fg_find_program("sh", &program)) {
		lacking = may_run_anything(f, fg_buf_cstr(&program));
		if (!lacking) {
			fg_libraries_of_program(fg_buf_cstr(&program), &files);
			fg_args_add(&files, fg_buf_cstr(&program));
			lacking = any_lacks(f, &files);
		}
	}
	fg_args_release(&files);
	fg_buf_release(&program);
	return lacking;
}

static int add_program_of(void *files, long pid)
{
	struct fg_buf path = FG_BUF_INIT;

	if (fg_program_of_process(pid, &path))
		fg_args_add(files, fg_buf_cstr(&path));
	fg_buf_release(&path);
	return 0;
}

static int add_code_of(void *files, long pid)
{
	fg_code_of_process(pid, files);
	return 0;
}

/* Judges processes by their programs or, if `all` is true, by all of their code. */
static bool processes_lack(struct fg_flame *f, bool all)
{
	struct fg_args files = FG_ARGS_INIT;
	bool lacking;

	fg_each_pid(f->o.pids, all ? add_code_of : add_program_of, &files);
	lacking = any_lacks(f, &files);
	fg_args_release(&files);
	return lacking;
}

static int find_closed(void *found, long pid)
{
	*(long *)found = pid;
	return !fg_may_look_into(pid);
}

unsigned fg_callers_lacking(struct fg_str messages)
{
	static const struct fg_str mark = FG_STR_INIT(" % of the samples ");

	while (messages.len) {
		struct fg_str line = fg_str_cut(&messages, '\n');
		size_t at = fg_str_find(line, mark);
		struct fg_str number = fg_str_before(line, at);
		size_t digits = fg_str_end_span(number, fg_is_digit);
		uint64_t percent;

		number = fg_str_from_pos(number, number.len - digits);
		if (at < line.len && !fg_str_u64(number, &percent) && percent <= 100 &&
		    fg_str_has(line, FG_STR(" without frame pointers")))
			return (unsigned)percent;
	}
	return 0;
}

/* Plans a short recording of processes or the machine by frame pointers. */
static void plan_look(const struct fg_flame *f, struct fg_plan *plan)
{
	struct fg_args *to = &plan->record;
	struct fg_stage *stage = fg_plan_add(plan);

	plan->way = FG_WAY_PIPE;
	fg_args_join(to, &f->sudo);
	fg_args_add(to, f->record_perf ? f->record_perf : "record-perf");
	fg_args_split(to, "-q -F " LOOK_RATE " --call-graph fp");
	fg_args_join(to, &f->events);
	fg_args_split(to, "-d " LOOK_SECONDS);
	fg_args_add(to, f->o.pids ? "-p" : "-a");
	if (f->o.pids)
		fg_args_add(to, f->o.pids);

	stage->is_collapser = true;
	fg_args_join(&stage->args, &f->sudo);
	fg_args_add(&stage->args, f->collapse_perf);
	fg_args_add(&stage->args, "-v");
}

/*
 * Makes a short recording, because files do not say which of their code is busy.
 * Chooses copies, and returns true, if the busy code lacks frame pointers. Sets *idle
 * if hardly anything ran.
 */
static bool look_shows_lack(struct fg_flame *f, bool *idle)
{
	struct fg_plan plan = { .way = FG_WAY_PIPE };
	struct fg_buf messages = FG_BUF_INIT;
	uint64_t samples = 0;
	bool lacking;

	plan_look(f, &plan);
	fg_run_quietly(f, &plan, &messages);
	*idle = !fg_run_samples(fg_buf_str(&messages), &samples) ||
		samples < LOOK_SAMPLES;
	lacking = fg_callers_lacking(fg_buf_str(&messages)) >= BUSY;
	if (lacking)
		use_copies(f, "much of what runs has no frame pointers");
	fg_plan_release(&plan);
	fg_buf_release(&messages);
	return lacking;
}

/*
 * Chooses by the code that runs. For a command, looks at its program and libraries. For
 * processes, looks at their programs and makes a short recording, because they have
 * many libraries that they hardly use.
 */
static void choose_by_code(struct fg_flame *f)
{
	bool idle = false;
	long closed;

	if (f->o.pids && fg_each_pid(f->o.pids, find_closed, &closed)) {
		use_copies(f, "only root knows what code process %ld has", closed);
		return;
	}
	if (f->o.mode == FG_FLAME_COMMAND) {
		if (command_lacks(f))
			return;
	} else if ((f->o.pids && processes_lack(f, false)) ||
		   look_shows_lack(f, &idle) ||
		   (f->o.pids && idle && processes_lack(f, true))) {
		return;
	}
	use_frame_pointers(f, f->o.mode == FG_FLAME_ALL ?
				      "what runs keeps them" :
				      "the program and its libraries keep them");
}

static bool is_x86_64(void)
{
	struct utsname system;

	return !uname(&system) && !strcmp(system.machine, "x86_64");
}

static bool is_go(struct fg_buf *file)
{
	struct fg_code code;

	return file->len && fg_code_read(fg_buf_cstr(file), &code) && code.is_go;
}

void fg_callers_choose(struct fg_flame *f)
{
	if (f->call_graph && !strcmp(f->call_graph, "dwarf") && size_copies(f))
		fg_warn(f->diag, NULL,
			"samples are taken %u times a second because copies of the "
			"stack are large",
			f->rate);
	if (f->call_graph || f->o.custom)
		return;
	if (!is_x86_64())
		use_frame_pointers(f, "compilers keep them for this processor");
	else if (!fg_code_unwinds())
		use_frame_pointers(f, "collapse-perf is built without libdw");
	else if (f->o.mode == FG_FLAME_COMPARE)
		use_copies(f, "that is right with and without frame pointers");
	else if (is_go(&f->target.file))
		use_frame_pointers(f, "Go keeps them, except in assembly, whose direct "
				      "callers --call-graph dwarf shows");
	else
		choose_by_code(f);
}
