/* Defines and checks the options that collapsers share. */
#include "collapse/options.h"

#include <string.h>

#include "lib/base/optrows.h"
#include "lib/profile/slice.h"

/*
 * The arguments of --root. The event is not among them, because it has an option of its
 * own.
 */
static const char *const root_choices[] = {
	[FG_ROOT_NONE] = "none",
	[FG_ROOT_COMM] = "comm",
	[FG_ROOT_PID] = "pid",
	[FG_ROOT_TID] = "tid",
	[FG_ROOT_CPU] = "cpu",
	[FG_ROOT_STATE] = "state",
	[FG_ROOT_PARALLELISM] = "parallelism",
	NULL,
};

#define OPTIONS struct fg_samples_options

#define SLICE(shown) TEXT("slice", slice, "WIDTH", shown)
#define HEADER                 \
	FLAG("header", header, \
	     "first write lines that say what is counted, and what is missing")

const struct fg_opt fg_samples_rows[] = {
	SECTION("Which samples"),
	LIST("event-filter", event_filter, "EVENT",
	     "keep this event (repeatable; * and ? match; default: the first)",
	     .older = true),
	LIST("comm", comm, "LIST", "keep these comms (A,B; * and ? match)"),
	LIST("pid-filter", pid_filter, "LIST", "keep these processes (1,5-7)"),
	LIST("tid-filter", tid_filter, "LIST", "keep these threads"),
	LIST("cpu", cpu, "LIST", "keep samples of these cpus"),
	TEXT("time", time, "A,B",
	     "keep samples from A to B: 4242.5, +2s after the first, 10%"),

	SECTION("Root frame"),
	FLAG("pid", pid, "comm-PID instead of comm", .older = true),
	FLAG("tid", tid, "comm-PID/TID instead of comm", .older = true),
	LIST("root", root, "WHAT",
	     "none, comm (default), pid, tid, cpu, state, parallelism; repeatable"),
	FLAG("event-frame", event_frame,
	     "add the event as first frame; keeps all events unless filtered"),
	FLAG("merge-threads", merge_threads,
	     "comms without trailing numbers: worker-12 becomes worker"),

	SECTION("Weight"),
	TEXT("weight", weight, "WHAT",
	     "period (default), samples, latency, or a tracepoint's field"),
	FLAG("time-order", time_order,
	     "one line for each run of equal stacks, in time order"),
	SLICE("add the slice of time as first frame: 20ms, 1s"),
	TEXT("every", every, "WIDTH",
	     "like --slice, but write each slice as soon as it ends"),
	HEADER,
	FG_OPT_END,
};

const struct fg_opt fg_values_rows[] = {
	SECTION("What is counted"),
	TEXT("weight", weight, "NAME",
	     "the value to count; 'list' prints all names, 'all' counts each value"),
	LIST("thread", thread, "NAME",
	     "keep these threads (repeatable; * and ? match)"),
	TEXT("split", split, "DIR",
	     "write each value to a file of its own, DIR/VALUE.folded"),
	TEXT("max-size", max_size, "SIZE",
	     "stop if an input unpacks to more (default 8G)"),

	SECTION("Frames"),
	LIST("root", root, "WHAT", "none, process, thread or label:KEY; repeatable"),
	FLAG("lines", lines, "functions with path and line: NAME:FILE:LINE"),
	FLAG("srcline", srcline, "like --lines, but FILE without its folder"),
	FG_OPT_END,
};

const struct fg_opt fg_order_rows[] = {
	FLAG("time-order", time_order,
	     "one line for each run of equal stacks, in time order"),
	FG_OPT_END,
};

const struct fg_opt fg_slice_rows[] = {
	HEADER,
	SLICE("add the slice of time as first frame: 20ms, 1s"),
	FG_OPT_END,
};

const struct fg_opt fg_no_slice_rows[] = {
	HEADER,
	SLICE(NULL),
	FG_OPT_END,
};

#undef OPTIONS
#define OPTIONS struct fg_common_options

const struct fg_opt fg_common_rows[] = {
	SECTION("Behaviour"),
	FLAG("strict", strict, "fail if a line is malformed or a sample incomplete"),
	UINT("nthreads", threads, "accepted for older scripts; has no effect",
	     .letter = 'n'),
	VERBOSITY(verbosity, "show lines that are not understood"),
	FG_OPT_END,
};

static int add_root(struct fg_samples_options *o, const char *text,
		    struct fg_diag *diag)
{
	int root = fg_opt_choose(root_choices, text, "root", diag);

	if (root < 0)
		return -1;
	if (root != FG_ROOT_NONE)
		o->roots[o->root_count++].kind = (enum fg_root)root;
	return 0;
}

static int read_roots(struct fg_samples_options *o, struct fg_diag *diag)
{
	/* Leave one root frame for --event-frame. */
	if (o->root.count > FG_ROOTS_MAX - 1)
		return fg_error(diag, NULL, "--root can be given at most %d times",
				FG_ROOTS_MAX - 1);
	o->root_count = 0;
	if (o->event_frame)
		o->roots[o->root_count++].kind = FG_ROOT_EVENT;
	if (!o->root.count)
		o->roots[o->root_count++].kind = FG_ROOT_COMM;
	for (size_t i = 0; i < o->root.count; i++)
		if (add_root(o, o->root.items[i], diag))
			return -1;
	return 0;
}

static int read_slice(struct fg_samples_options *o, struct fg_diag *diag)
{
	const char *option = o->every ? "every" : "slice";
	const char *width = o->every ? o->every : o->slice;

	o->slice_width = 0;
	if (!width)
		return 0;
	if (o->every && o->slice)
		return fg_error(diag, NULL,
				"--every and --slice cannot be combined: --every makes "
				"slices, too");
	if (fg_slice_read_width(fg_str_from(width), &o->slice_width))
		return fg_error(diag, NULL,
				"--%s takes a time such as 500us, 20ms or 1s, not '%s'",
				option, width);
	if (o->time_order)
		return fg_error(diag, NULL, "--%s and --time-order cannot be combined",
				option);
	return 0;
}

int fg_samples_options_check(struct fg_samples_options *o, struct fg_diag *diag)
{
	if (read_roots(o, diag) || read_slice(o, diag))
		return -1;
	if (!o->weight || !strcmp(o->weight, "period"))
		o->weighs = FG_WEIGHT_PERIOD;
	else if (!strcmp(o->weight, "samples"))
		o->weighs = FG_WEIGHT_SAMPLES;
	else if (!strcmp(o->weight, "latency"))
		o->weighs = FG_WEIGHT_LATENCY;
	else
		o->weighs = FG_WEIGHT_FIELD;
	if (o->weight && !o->weight[0])
		return fg_error(diag, NULL,
				"--weight takes period, samples, latency or a field's "
				"name");
	return 0;
}

/* ---- for formats with values */

#define SIZE_MAX_BY_DEFAULT "8G"

/* Reads --max-size: "500M", "8G", or bytes. */
static int read_size(struct fg_samples_options *o, struct fg_diag *diag)
{
	struct fg_str text =
		fg_str_from(o->max_size ? o->max_size : SIZE_MAX_BY_DEFAULT);
	struct fg_str units = FG_STR("KMGT");
	unsigned shift = 0;

	if (text.len) {
		size_t at = fg_str_find_char(units, text.ptr[text.len - 1]);

		if (at < units.len) {
			shift = 10 * ((unsigned)at + 1);
			text.len--;
		}
	}
	if (fg_str_u64(text, &o->size_max) || !o->size_max ||
	    o->size_max > UINT64_MAX >> shift)
		return fg_error(diag, NULL,
				"--max-size takes a size such as 500M or 8G");
	o->size_max <<= shift;
	return 0;
}

static void add_choice(struct fg_samples_options *o, enum fg_root kind, const char *key)
{
	for (size_t i = 0; i < o->root_count; i++)
		if (o->roots[i].kind == kind && kind != FG_ROOT_LABEL)
			return;
	o->roots[o->root_count++] = (struct fg_root_choice){ kind, key };
}

/*
 * Adds the root frames of an owner: process and thread for FG_ROOT_PROCESS, or only the
 * thread for FG_ROOT_THREAD.
 */
static void add_owner(struct fg_samples_options *o, enum fg_root kind)
{
	if (kind == FG_ROOT_PROCESS)
		add_choice(o, FG_ROOT_PROCESS, NULL);
	if (kind != FG_ROOT_NONE)
		add_choice(o, FG_ROOT_THREAD, NULL);
}

static int read_owner(struct fg_samples_options *o, const char *text,
		      struct fg_diag *diag)
{
	struct fg_str key = fg_str_from(text);

	if (fg_str_cut_start(&key, FG_STR("label:")) && key.len)
		add_choice(o, FG_ROOT_LABEL, key.ptr);
	else if (!strcmp(text, "process"))
		add_owner(o, FG_ROOT_PROCESS);
	else if (!strcmp(text, "pid")) /* the process without its threads */
		add_choice(o, FG_ROOT_PROCESS, NULL);
	else if (!strcmp(text, "thread") || !strcmp(text, "tid"))
		add_owner(o, FG_ROOT_THREAD);
	else if (strcmp(text, "none") != 0)
		return fg_error(diag, NULL,
				"--root takes none, process, thread or label:KEY, "
				"not '%s'",
				text);
	return 0;
}

int fg_values_options_check(struct fg_samples_options *o, enum fg_root root,
			    struct fg_diag *diag)
{
	/* A process takes two root frames, so leave one. */
	if (o->root.count > FG_ROOTS_MAX - 1)
		return fg_error(diag, NULL, "--root can be given at most %d times",
				FG_ROOTS_MAX - 1);
	o->root_count = 0;
	if (!o->root.count)
		add_owner(o, root);
	for (size_t i = 0; i < o->root.count; i++)
		if (read_owner(o, o->root.items[i], diag))
			return -1;
	if (o->weight && !o->weight[0])
		return fg_error(diag, NULL, "--weight takes the name of a value");
	if (o->lines && o->srcline)
		return fg_error(diag, NULL,
				"--lines and --srcline append lines in different "
				"forms: use only one");
	if (o->split && o->weight)
		return fg_error(diag, NULL,
				"--split writes all values, so it cannot be combined "
				"with --weight");
	return read_size(o, diag) || read_slice(o, diag) ? -1 : 0;
}

bool fg_samples_options_select(const struct fg_samples_options *o)
{
	return o->comm.count || o->pid_filter.count || o->tid_filter.count ||
	       o->cpu.count || o->time;
}
