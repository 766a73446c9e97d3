/* Reads and checks the command line of flame. */
#include "flame/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flame/files.h"
#include "flame/own.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct fg_flame_options
#include "lib/base/optrows.h"

const struct fg_opt fg_flame_rows[] = {
	SECTION("What is recorded"),
	TEXT("pid", pids, "PID", "running processes (several: 41,42)", .letter = 'p'),
	FLAG("all-cpus", all_cpus, "the whole machine", .letter = 'a'),
	TEXT("duration", duration, "SECONDS",
	     "stop after this many seconds (default: when the command ends, or at "
	     "Ctrl-C)",
	     .letter = 'd'),
	TEXT("perfdata", perfdata, "FILE",
	     "draw an existing recording or profile, and record nothing"),
	UINT("runs", runs, "compare: how often each command runs (default 2)"),

	SECTION("How"),
	TEXT("freq", freq, "N", "samples a second (default 997)", .letter = 'F'),
	LIST("event", events, "EVENT",
	     "event to sample by (repeatable; default cycles, or cpu-clock where there "
	     "are no hardware counters)",
	     .letter = 'e'),
	TEXT("call-graph", call_graph, "HOW",
	     "how callers are found: fp, dwarf, lbr (default fp if all code has frame "
	     "pointers, else dwarf)"),
	FLAG("off-cpu", off_cpu, "show where threads wait, not where they run"),
	FLAG("wall", wall, "show all time of threads, running and waiting"),
	FLAG("ignore-idle", ignore_idle,
	     "with --wall: leave out threads that never ran"),
	FLAG("perf", perf,
	     "record with perf, which can do --call-graph lbr (default record-perf)"),
	TEXT("cmd", custom, "ARGUMENTS",
	     "your own arguments for perf, like 'record -e faults -g'", .letter = 'c'),
	MAYBE("root", root, "COMMAND",
	      "record as root, with sudo or COMMAND (default as yourself)"),
	MAYBE("compression-level", compress, "N",
	      "compress the recording (default not; without N, level 1)",
	      .letter = 'z'),
	SET("inline", inlines, 1,
	    "show inlined functions, too (needs debug information; default "
	    "--no-inline)"),
	SET("no-inline", inlines, 0, NULL),
	TEXT("keep-data", keep_data, "FILE", "keep the recording (default not)"),

	SECTION("Output"),
	TEXT("output", output, "FILE",
	     "the picture (default flamegraph.svg; diff.svg for a comparison)",
	     .letter = 'o'),
	TEXT("folded", folded, "FILE", "keep the folded stacks (default not)"),
	TEXT("diff", diff, "OLD", "compare with a picture, folded stacks or recording"),
	TEXT("ignore-root", ignore_root, "N[,M]",
	     "with --diff: leave out the first N frames, such as the command's name; M "
	     "of the new profile, if that differs"),
	TEXT("post-process", post_process, "COMMAND",
	     "filter the folded stacks through COMMAND"),
	LIST("skip-after", skip_after, "FUNCTION",
	     "leave out the callers of FUNCTION (repeatable)"),
	FLAG("open", open, "open the picture in a browser"),

	SECTION("The picture (see flamegraph)"),
	TEXT("title", title, "TEXT", "heading (default the command or process)"),
	TEXT("subtitle", subtitle, "TEXT", "second heading"),
	TEXT("notes", notes, "TEXT", "a comment in the file"),
	TEXT("colors", colors, "PALETTE", "colours"),
	TEXT("palette", colors, "PALETTE", "the same"),
	FLAG("hash", hash, "similar names get similar colours"),
	FLAG("deterministic", deterministic, "colours by name alone (the default)"),
	FLAG("inverted", inverted, "icicle graph: the root is on top", .letter = 'i'),
	FLAG("reverse", reverse, "merge from the leaves"),
	FLAG("flamechart", flamechart, "stacks in the order of time"),
	TEXT("min-width", min_width, "PERCENT", "leave out narrower frames"),
	TEXT("image-width", image_width, "PIXELS", "width of the picture"),
	REST("collapse", collapse, "OPTION...",
	     "pass all words up to -- to the collapser"),
	REST("draw", draw, "OPTION...", "pass all words up to -- to flamegraph"),

	SECTION("The run"),
	FLAG("verbose", verbose, "print the pipeline before it runs", .letter = 'v'),
	FLAG("dry-run", dry_run, "print it and do not run it"),
	FLAG("ignore-status", ignore_status, "exit with 0 even if the command failed"),
	FLAG("quiet", quiet, "print errors only", .letter = 'q'),
	FG_OPT_END,
};

static const char usage[] = "[OPTION]... [--] COMMAND [ARGUMENT]...\n"
			    "       flame [OPTION]... -p PID | -a [-d SECONDS]\n"
			    "       flame [OPTION]... --perfdata FILE\n"
			    "       flame [OPTION]... --diff OLD NEW\n"
			    "       flame compare [OPTION]... COMMAND COMMAND";

static const char footer[] =
	"`flame -- ./program` is short for\n"
	"  record-perf -F 997 --call-graph dwarf,16384 -- ./program |\n"
	"    collapse-perf | flamegraph > flamegraph.svg";

int fg_flame_misuse(struct fg_diag *diag, const char *format, ...)
{
	struct fg_buf text = FG_BUF_INIT;
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(&text, format, args);
	va_end(args);
	fg_error(diag, NULL, "%s (see flame --help)", fg_buf_cstr(&text));
	fg_buf_release(&text);
	return -1;
}

/* ---- the values of options */

/* Returns true for digits, and characters of `more`, with a digit other than 0. */
static bool is_number(const char *value, const char *more)
{
	bool positive = false;

	for (; *value; value++) {
		if (!fg_is_digit(*value) && !strchr(more, *value))
			return false;
		positive |= *value >= '1' && *value <= '9';
	}
	return positive;
}

/*
 * Checks that the argument of an option is a whole number from 1 on. Characters of
 * `more` are allowed, too. Accepts NULL.
 */
static int check_number(const char *name, const char *value, const char *more,
			struct fg_diag *diag)
{
	if (!value || is_number(value, more))
		return 0;
	return fg_flame_misuse(diag, "--%s takes a number from 1 on, not '%s'", name,
			       value);
}

/* Checks that a number has at most one point. */
static int check_seconds(const char *value, struct fg_diag *diag)
{
	if (!value)
		return 0;
	if (check_number("duration", value, ".", diag))
		return -1;
	if (strchr(value, '.') != strrchr(value, '.'))
		return fg_flame_misuse(diag, "--duration takes a number, not '%s'",
				       value);
	return 0;
}

static int check_pids(const char *value, struct fg_diag *diag)
{
	size_t len = value ? strlen(value) : 0;

	if (!value)
		return 0;
	if (check_number("pid", value, ",", diag))
		return -1;
	if (value[0] == ',' || value[len - 1] == ',' || strstr(value, ",,"))
		return fg_flame_misuse(diag,
				       "--pid takes a number, or several with a comma "
				       "between them, not '%s'",
				       value);
	return 0;
}

static int check_call_graph(const char *value, struct fg_diag *diag)
{
	if (!value || !strcmp(value, "fp") || !strcmp(value, "dwarf") ||
	    !strcmp(value, "lbr"))
		return 0;
	if (strncmp(value, "dwarf,", 6) != 0)
		return fg_flame_misuse(
			diag, "--call-graph takes fp, dwarf or lbr, not '%s'", value);
	if (!is_number(value + 6, "") || value[6] == '0')
		return fg_flame_misuse(diag, "--call-graph takes dwarf,BYTES, not '%s'",
				       value);
	return 0;
}

/*
 * Checks that a file name is not empty, like "$OLD" is if the variable is not set.
 * Accepts NULL.
 */
static int check_file(const char *name, const char *value, struct fg_diag *diag)
{
	if (!value || *value)
		return 0;
	return fg_flame_misuse(diag, "--%s takes a file, not ''", name);
}

static int check_values(const struct fg_flame_options *o, struct fg_diag *diag)
{
	if (check_pids(o->pids, diag) || check_seconds(o->duration, diag) ||
	    check_call_graph(o->call_graph, diag) ||
	    check_number("ignore-root", o->ignore_root, ",", diag) ||
	    check_file("perfdata", o->perfdata, diag) ||
	    check_file("keep-data", o->keep_data, diag) ||
	    check_file("output", o->output, diag) ||
	    check_file("folded", o->folded, diag) || check_file("diff", o->diff, diag))
		return -1;
	if (o->freq && strcmp(o->freq, "max") != 0 &&
	    check_number("freq", o->freq, "", diag))
		return -1;
	if (o->compress && *o->compress &&
	    check_number("compression-level", o->compress, "", diag))
		return -1;
	if (!o->runs)
		return fg_flame_misuse(diag,
				       "--runs takes a number from 1 on, not '0'");
	if (o->custom && !*o->custom)
		return fg_flame_misuse(diag, "--cmd takes arguments of perf, not ''");
	return 0;
}

/* ---- how options fit together */

static int settle_compare(const struct fg_flame_options *o, struct fg_diag *diag)
{
	if (o->command.count > 2)
		return fg_flame_misuse(
			diag,
			"compare takes two commands; quote one that has arguments: "
			"'%s'",
			o->command.items[2]);
	if (o->command.count < 2 || !*o->command.items[0] || !*o->command.items[1])
		return fg_flame_misuse(diag, "compare takes two commands");
	if (o->pids || o->all_cpus || o->perfdata || o->diff || o->keep_data ||
	    o->folded || o->flamechart)
		return fg_flame_misuse(
			diag,
			"compare runs two commands: it goes without -p, -a, "
			"--perfdata, --diff, --keep-data, --folded and --flamechart");
	if (o->runs < 2)
		return fg_flame_misuse(diag,
				       "--runs takes a number from 2 on, not '%llu'",
				       (unsigned long long)o->runs);
	return 0;
}

static int settle_perfdata(const struct fg_flame_options *o, struct fg_diag *diag)
{
	if (o->command.count || o->pids || o->all_cpus || o->duration || o->keep_data)
		return fg_flame_misuse(
			diag, "--perfdata records nothing: it goes without a command, "
			      "-p, -a, -d and --keep-data");
	if (o->freq || o->events.count || o->custom || o->compress)
		return fg_flame_misuse(diag, "--perfdata records nothing: it goes "
					     "without -F, -e, -c and -z");
	if (o->call_graph && strcmp(o->call_graph, "lbr") != 0)
		return fg_flame_misuse(
			diag,
			"--perfdata records nothing: it goes without --call-graph %s",
			o->call_graph);
	return 0;
}

/* Sets o->mode for a recording. */
static int settle_recording(struct fg_flame_options *o, struct fg_diag *diag)
{
	if (o->pids && (o->command.count || o->all_cpus))
		return fg_flame_misuse(diag, "-p records what runs already: it goes "
					     "without a command and -a");
	if (o->pids)
		o->mode = FG_FLAME_PIDS;
	else if (o->all_cpus)
		o->mode = FG_FLAME_ALL;
	else if (o->command.count)
		o->mode = FG_FLAME_COMMAND;
	else if (o->custom)
		o->mode = FG_FLAME_CUSTOM;
	else
		return fg_flame_misuse(
			diag,
			"there is nothing to record: give a command, -p PID or -a, or "
			"draw a profile that is there with --perfdata FILE");
	return 0;
}

/* Checks that the options fit together. Sets the mode and the default output. */
static int settle(struct fg_flame_options *o, struct fg_diag *diag)
{
	int status;

	if (o->mode == FG_FLAME_COMPARE)
		status = settle_compare(o, diag);
	else if (o->mode == FG_FLAME_PERFDATA)
		status = settle_perfdata(o, diag);
	else
		status = settle_recording(o, diag);
	if (status)
		return -1;
	if (o->custom && (o->freq || o->events.count || o->compress))
		return fg_flame_misuse(diag, "-c has all arguments of perf, so -F, -e "
					     "and -z do not go with it");
	if (o->wall && o->off_cpu)
		return fg_flame_misuse(diag, "--wall has what --off-cpu shows, so they "
					     "do not go together");
	if (o->ignore_idle && !o->wall)
		return fg_flame_misuse(diag, "--ignore-idle is for --wall");
	if (o->ignore_root && !o->diff)
		return fg_flame_misuse(diag, "--ignore-root is for --diff");
	if (o->flamechart && (o->reverse || o->diff))
		return fg_flame_misuse(
			diag, "--flamechart goes without --reverse and --diff");
	if (!o->output)
		o->output = o->diff || o->mode == FG_FLAME_COMPARE ? "diff.svg" :
								     "flamegraph.svg";
	return 0;
}

/* ---- the command line */

/*
 * Returns true for a file after `--diff OLD` that is not a program: it is the new
 * profile.
 */
static bool is_new_profile(const struct fg_flame_options *o, const char *word)
{
	struct fg_buf found = FG_BUF_INIT;
	struct stat st;
	bool is_command;

	if (!o->diff || o->perfdata || stat(word, &st) || !S_ISREG(st.st_mode) ||
	    !access(word, X_OK))
		return false;
	is_command = !strchr(word, '/') && fg_find_program(word, &found);
	fg_buf_release(&found);
	return !is_command && !fg_file_starts(word, FG_STR("#!"));
}

static void add_command(struct fg_flame_options *o, const char *word)
{
	FG_GROW(o->command.items, o->command.alloc, o->command.count + 1);
	o->command.items[o->command.count++] = word;
}

/*
 * Takes the first of the arguments that are not options, or all of them if they are a
 * command. `ended` is true if a `--` is before them. Returns true if options may follow
 * the first argument.
 */
static bool take_arguments(struct fg_flame_options *o, const struct fg_opt_list *words,
			   bool ended)
{
	const char *first = words->count ? words->items[0] : NULL;

	if (first && !ended) {
		if (o->mode == FG_FLAME_COMPARE) {
			add_command(o, first);
			return true;
		}
		if (!strcmp(first, "compare")) {
			o->mode = FG_FLAME_COMPARE;
			return true;
		}
		if (is_new_profile(o, first)) {
			o->perfdata = first;
			return true;
		}
	}
	for (size_t i = 0; i < words->count; i++)
		add_command(o, words->items[i]);
	return false;
}

/*
 * Reads the options, and reads on after an argument that is not the start of a command.
 */
static enum fg_cli_result read_all(struct fg_cli *cli, int argc, char **argv,
				   struct fg_out *out, struct fg_diag *diag)
{
	struct fg_flame_options *o = cli->tables->base;
	enum fg_cli_result result;
	bool more;

	do {
		size_t count;
		char **first;

		result = fg_cli_parse(cli, argc, argv, out, diag);
		count = result == FG_CLI_RUN ? cli->files.count : 0;
		first = argv + argc - count;
		more = count && take_arguments(o, &cli->files, cli->has_dashes);
		/* the argument now stands where the program's name did */
		argv = first;
		argc = (int)count;
		fg_opt_list_release(&cli->files);
	} while (more);
	return result;
}

enum fg_cli_result fg_flame_options_read(struct fg_flame_options *o, int argc,
					 char **argv, struct fg_out *out,
					 struct fg_diag *diag)
{
	const struct fg_opt_table table = { fg_flame_rows, o };
	struct fg_cli cli = {
		.program = "flame",
		.usage = usage,
		.summary = "Records what a program does and draws a flame graph of it.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = &table,
		.table_count = 1,
		.takes_command = true,
	};
	enum fg_cli_result result;

	memset(o, 0, sizeof(*o));
	o->runs = 2;
	result = read_all(&cli, argc, argv, out, diag);
	if (result != FG_CLI_RUN)
		return result;
	diag->verbosity = o->quiet ? FG_QUIET : FG_NORMAL;
	if (o->perfdata && o->mode != FG_FLAME_COMPARE)
		o->mode = FG_FLAME_PERFDATA;
	return check_values(o, diag) || settle(o, diag) ? FG_CLI_USAGE : FG_CLI_RUN;
}

void fg_flame_options_release(struct fg_flame_options *o)
{
	fg_opts_release(fg_flame_rows, o);
	fg_opt_list_release(&o->command);
}
