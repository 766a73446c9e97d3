/* Prepares a run of flame: programs, rights, options of the filters. */
#include "flame/flame.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "flame/own.h"
#include "lib/base/child.h"
#include "lib/base/cli.h"
#include "lib/base/io.h"

/*
 * The default rate, in samples a second. It is prime, so samples do not keep step with
 * timers of the program.
 */
#define RATE 997

int fg_flame_fail(const struct fg_flame *f, int status, const char *format, ...)
{
	struct fg_buf text = FG_BUF_INIT;
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(&text, format, args);
	va_end(args);
	fg_error(f->diag, NULL, "%s", fg_buf_cstr(&text));
	fg_buf_release(&text);
	return status;
}

/* Returns a copy of a word that lives as long as f. */
static const char *keep(struct fg_flame *f, const char *word)
{
	fg_args_add(&f->names, word);
	return f->names.items[f->names.count - 1];
}

const char *fg_flame_file(struct fg_flame *f, const char *name)
{
	if (name[0] != '-' || !name[1])
		return name;
	fg_args_addf(&f->names, "./%s", name);
	return f->names.items[f->names.count - 1];
}

const char *fg_flame_temporary(struct fg_flame *f, const char *name)
{
	fg_args_addf(&f->names, "%s/%s", fg_buf_cstr(&f->tmp), name);
	return f->names.items[f->names.count - 1];
}

bool fg_flame_has_command(const struct fg_flame *f)
{
	return f->o.mode == FG_FLAME_COMMAND || f->o.mode == FG_FLAME_COMPARE;
}

bool fg_flame_needs_file(const struct fg_flame *f)
{
	return f->keep_data || f->target.runtime.len ||
	       f->recorder == FG_RECORDER_PERF ||
	       (f->sudo.count && fg_flame_has_command(f));
}

void fg_flame_reset(struct fg_flame *f)
{
	fg_target_release(&f->target);
	f->target = (struct fg_target){ .file = FG_BUF_INIT };
}

/* ---- our programs */

/*
 * Sets *word to the word that runs one of our programs in a shell: its name if the
 * shell finds the same file by it, else its path. It is always the path if sudo runs
 * the program, because sudo has its own PATH.
 */
static int find(struct fg_flame *f, const char *name, bool with_sudo, const char **word)
{
	struct fg_buf path = FG_BUF_INIT;
	int status = fg_find_own(name, &path, f->diag);

	if (!status)
		*word = keep(f, !with_sudo && fg_is_on_path(fg_buf_cstr(&path)) ?
					name :
					fg_buf_cstr(&path));
	fg_buf_release(&path);
	return status ? FG_EXIT_FAILED : 0;
}

static int find_programs(struct fg_flame *f)
{
	bool with_sudo = f->sudo.count;
	int status = find(f, "flamegraph", false, &f->flamegraph);

	if (!status)
		status = find(f, "diff-folded", false, &f->diff_folded);
	if (!status)
		status = find(f, "report-folded", false, &f->report_folded);
	if (!status)
		status = find(f, "collapse-perf", with_sudo, &f->collapse_perf);
	if (!status && f->recorder == FG_RECORDER_OURS &&
	    f->o.mode != FG_FLAME_PERFDATA)
		status = find(f, "record-perf", with_sudo, &f->record_perf);
	return status;
}

/* ---- the recorder, and its rights */

/*
 * Returns the recorder of this system. On Linux, $DTRACE or $XCTRACE choose one of
 * another system, to see what would run there.
 */
static enum fg_recorder choose_recorder(const struct fg_flame_options *o)
{
	const char *call_graph = o->call_graph ? o->call_graph : "";
	struct utsname system = { .sysname = "" };

	if (!uname(&system) && !strcmp(system.sysname, "Darwin"))
		return FG_RECORDER_XCTRACE;
	if (strcmp(system.sysname, "Linux") != 0 || getenv("DTRACE"))
		return FG_RECORDER_DTRACE;
	if (getenv("XCTRACE"))
		return FG_RECORDER_XCTRACE;
	return o->perf || o->custom || !strcmp(call_graph, "lbr") ? FG_RECORDER_PERF :
								    FG_RECORDER_OURS;
}

static bool is_here(const char *program)
{
	struct fg_buf path = FG_BUF_INIT;
	bool found = fg_find_program(program, &path);

	fg_buf_release(&path);
	return found;
}

/* Ends the run if --root is given, and sudo is missing or refuses. */
static int become_root(struct fg_flame *f)
{
	const char *root = f->o.root;
	struct fg_args attempt = FG_ARGS_INIT;
	int status;

	f->as_root = root || !geteuid();
	if (!root || (!*root && !geteuid() && !is_here("sudo")))
		return 0;
	if (!*root || *root == '-')
		fg_args_add(&f->sudo, "sudo");
	fg_args_split(&f->sudo, root);
	if (f->o.mode == FG_FLAME_PERFDATA || !f->sudo.count)
		return 0;
	if (!is_here(f->sudo.items[0]))
		return fg_flame_fail(f, FG_EXIT_FAILED,
				     "%s is not here: be root, or see --root=COMMAND",
				     f->sudo.items[0]);
	fg_args_join(&attempt, &f->sudo);
	fg_args_add(&attempt, "true");
	/* with our streams, so that it can ask for a password */
	status = fg_run_program((const char *const *)attempt.items);
	fg_args_release(&attempt);
	return status ? fg_flame_fail(f, FG_EXIT_FAILED, "%s does not let you be root",
				      f->sudo.items[0]) :
			0;
}

/* ---- options of the filters */

static void add_option(struct fg_args *args, const char *name, const char *value)
{
	if (!value)
		return;
	fg_args_add(args, name);
	fg_args_add(args, value);
}

static void add_flag(struct fg_args *args, const char *name, bool is_set)
{
	if (is_set)
		fg_args_add(args, name);
}

static void add_list(struct fg_args *args, const struct fg_opt_list *list)
{
	fg_args_add_all(args, list->items, list->count);
}

/*
 * Adds the options of the collapser. --header tells flamegraph the unit, such as "ns".
 * --recursion unknown makes one frame of a hundred frames without names in a row, which
 * would only hide the others.
 */
static void add_collapse_options(struct fg_flame *f)
{
	const struct fg_flame_options *o = &f->o;

	add_flag(&f->given, "--inline", o->inlines);
	add_flag(&f->given, "--ignore-idle", o->ignore_idle);
	add_flag(&f->given, "--time-order", o->flamechart);
	for (size_t i = 0; i < o->skip_after.count; i++)
		add_option(&f->given, "--skip-after", o->skip_after.items[i]);
	add_list(&f->given, &o->collapse);

	add_flag(&f->collapse, "-v", !o->quiet);
	if (f->recorder <= FG_RECORDER_PERF || o->mode == FG_FLAME_PERFDATA) {
		fg_args_add(&f->collapse, "--header");
		add_option(&f->collapse, "--recursion", "unknown");
	}
	fg_args_join(&f->collapse, &f->given);
}

static void add_draw_options(struct fg_flame *f)
{
	const struct fg_flame_options *o = &f->o;

	add_option(&f->draw, "--title", o->title);
	add_option(&f->draw, "--subtitle", o->subtitle);
	add_option(&f->draw, "--notes", o->notes);
	add_option(&f->draw, "--colors", o->colors);
	if (o->min_width) {
		size_t len = strlen(o->min_width);

		len -= len && o->min_width[len - 1] == '%';
		fg_args_add(&f->draw, "--minwidth");
		fg_args_addf(&f->draw, "%.*s%%", (int)len, o->min_width);
	}
	add_option(&f->draw, "--width", o->image_width);
	add_flag(&f->draw, "--hash", o->hash);
	add_flag(&f->draw, "--deterministic", o->deterministic);
	add_flag(&f->draw, "--inverted", o->inverted);
	add_flag(&f->draw, "--reverse", o->reverse);
	add_flag(&f->draw, "--flamechart", o->flamechart);
	add_list(&f->draw, &o->draw);
}

/* ---- temporary files */

/*
 * Chooses a name for the folder of temporary files that nobody can guess. The folder is
 * made when it is needed.
 */
static void name_temporary_folder(struct fg_flame *f)
{
	const char *folder = getenv("TMPDIR");
	unsigned char random[8] = { 0 };
	int fd = fg_io_open("/dev/urandom");

	if (fd < 0 || fg_io_read(fd, random, sizeof(random)) < 0)
		memcpy(random, &(pid_t){ getpid() }, sizeof(pid_t));
	if (fd >= 0)
		close(fd);
	fg_buf_addf(&f->tmp, "%s/flame.", folder && *folder ? folder : "/tmp");
	for (size_t i = 0; i < sizeof(random); i++)
		fg_buf_addf(&f->tmp, "%02x", random[i]);
}

int fg_flame_prepare(struct fg_flame *f)
{
	int status;

	f->recorder = choose_recorder(&f->o);
	name_temporary_folder(f);
	status = become_root(f);
	if (!status)
		status = find_programs(f);
	f->call_graph = f->o.call_graph;
	f->rate = RATE;
	f->keep_data = f->o.keep_data;
	for (size_t i = 0; i < f->o.events.count; i++)
		add_option(&f->events, "-e", f->o.events.items[i]);
	add_collapse_options(f);
	add_draw_options(f);
	return status;
}

void fg_flame_release(struct fg_flame *f)
{
	fg_args_release(&f->sudo);
	fg_args_release(&f->names);
	fg_args_release(&f->given);
	fg_args_release(&f->collapse);
	fg_args_release(&f->waits);
	fg_args_release(&f->draw);
	fg_buf_release(&f->title);
	fg_args_release(&f->events);
	fg_target_release(&f->target);
	fg_buf_release(&f->tmp);
	fg_flame_options_release(&f->o);
}
