/* The options that collapsers share. */
#include "collapse/options.h"

#include <string.h>

#include "lib/optrows.h"

/* Without the event, which has an option of its own. */
static const char *const root_choices[] = {
	[FG_ROOT_NONE] = "none",
	[FG_ROOT_COMM] = "comm",
	[FG_ROOT_PID] = "pid",
	[FG_ROOT_TID] = "tid",
	[FG_ROOT_CPU] = "cpu",
	[FG_ROOT_STATE] = "state",
	NULL,
};

#define OPTIONS struct fg_samples_options

const struct fg_opt fg_samples_rows[] = {
	SECTION("Which samples"),
	LIST("event-filter", event_filter, "EVENT",
	     "keep this event (repeatable; * and ? match; default the first)",
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
	     "none, comm (default), pid, tid, cpu, state; repeatable"),
	FLAG("event-frame", event_frame,
	     "the event as first frame; keeps all events unless filtered"),
	FLAG("merge-threads", merge_threads,
	     "comms without trailing numbers: worker-12 becomes worker"),

	SECTION("Weight"),
	TEXT("weight", weight, "WHAT",
	     "period (default), samples, or a field of a tracepoint"),
	FLAG("time-order", time_order,
	     "one line for each run of equal stacks, in time order"),
	FLAG("header", header,
	     "say in lines '# event: ' and '# unit: ' what is counted"),
	FG_OPT_END,
};

#undef OPTIONS
#define OPTIONS struct fg_common_options

const struct fg_opt fg_common_rows[] = {
	SECTION("Behaviour"),
	FLAG("strict", strict, "fail when a line is not understood or a sample is cut"),
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
		o->roots[o->root_count++] = (enum fg_root)root;
	return 0;
}

static int read_roots(struct fg_samples_options *o, struct fg_diag *diag)
{
	/* one is left for that of --event-frame */
	if (o->root.count > FG_ROOTS_MAX - 1)
		return fg_error(diag, NULL, "--root may be given %d times at most",
				FG_ROOTS_MAX - 1);
	o->root_count = 0;
	if (o->event_frame)
		o->roots[o->root_count++] = FG_ROOT_EVENT;
	if (!o->root.count)
		o->roots[o->root_count++] = FG_ROOT_COMM;
	for (size_t i = 0; i < o->root.count; i++)
		if (add_root(o, o->root.items[i], diag))
			return -1;
	return 0;
}

int fg_samples_options_check(struct fg_samples_options *o, struct fg_diag *diag)
{
	if (read_roots(o, diag))
		return -1;
	if (!o->weight || !strcmp(o->weight, "period"))
		o->weighs = FG_WEIGHT_PERIOD;
	else if (!strcmp(o->weight, "samples"))
		o->weighs = FG_WEIGHT_SAMPLES;
	else
		o->weighs = FG_WEIGHT_FIELD;
	if (o->weight && !o->weight[0])
		return fg_error(diag, NULL,
				"--weight takes period, samples or a field's name");
	return 0;
}

bool fg_samples_options_select(const struct fg_samples_options *o)
{
	return o->comm.count || o->pid_filter.count || o->tid_filter.count ||
	       o->cpu.count || o->time;
}
