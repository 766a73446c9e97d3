/* The options of collapse-perf. */
#include "collapse/perf_options.h"

#include <stddef.h>
#include <stdlib.h>

#include "collapse/perf_select.h"
#include "lib/optrows.h"
#include "lib/regex.h"
#include "lib/xalloc.h"

static const char *const order_choices[] = {
	[PERF_ORDER_AUTO] = "auto",
	[PERF_ORDER_CALLEE] = "callee",
	[PERF_ORDER_CALLER] = "caller",
	NULL,
};

static const char *const recursion_choices[] = {
	[PERF_RECURSION_KEEP] = "keep",
	[PERF_RECURSION_DIRECT] = "direct",
	[PERF_RECURSION_CYCLES] = "cycles",
	NULL,
};

/* Without the event, which has an option of its own. */
static const char *const root_choices[] = {
	[PERF_ROOT_NONE] = "none", [PERF_ROOT_COMM] = "comm", [PERF_ROOT_PID] = "pid",
	[PERF_ROOT_TID] = "tid",   [PERF_ROOT_CPU] = "cpu",   NULL,
};

#define OPTIONS struct perf_options

/* Those of stackcollapse-perf.pl. */
#define OLDER_FLAG(...) FLAG(__VA_ARGS__, .older = true)
#define OLDER_LIST(...) LIST(__VA_ARGS__, .older = true)

const struct fg_opt perf_option_rows[] = {
	SECTION("Which samples"),
	OLDER_LIST("event-filter", event_filter, "EVENT",
		   "keep this event (repeatable; * and ? match; default the first)"),
	LIST("comm", comm, "LIST", "keep these comms (A,B; * and ? match)"),
	LIST("pid-filter", pid_filter, "LIST", "keep these processes (1,5-7)"),
	LIST("tid-filter", tid_filter, "LIST", "keep these threads"),
	LIST("cpu", cpu, "LIST", "keep samples of these cpus"),
	TEXT("time", time, "A,B",
	     "keep samples from A to B: 4242.5, +2s after the first, 10%"),
	LIST("keep", keep, "REGEX",
	     "keep stacks whose folded text matches (repeatable: any)"),
	LIST("drop", drop, "REGEX",
	     "leave out stacks whose folded text matches (repeatable)"),

	SECTION("Root frame"),
	OLDER_FLAG("pid", pid, "comm-PID instead of comm"),
	OLDER_FLAG("tid", tid, "comm-PID/TID instead of comm"),
	LIST("root", root, "WHAT",
	     "none, comm (default), pid, tid, cpu; repeatable, in that order"),
	FLAG("event-frame", event_frame,
	     "the event as first frame; keeps all events unless filtered"),
	FLAG("merge-threads", merge_threads,
	     "comms without trailing numbers: worker-12 becomes worker"),

	SECTION("Weight"),
	TEXT("weight", weight, "WHAT",
	     "period (default), samples, or a field of a tracepoint"),

	SECTION("Frames"),
	OLDER_FLAG("kernel", kernel, "mark kernel functions with _[k]"),
	OLDER_FLAG("jit", jit, "mark jitted functions with _[j]"),
	OLDER_FLAG("all", all, "both --kernel and --jit"),
	OLDER_FLAG("addrs", addrs, "show the address where a symbol is missing"),
	OLDER_FLAG("srcline", srcline,
		   "append the source lines of perf script -F +srcline"),
	OLDER_FLAG("inline", inlined, "show inlined functions, using addr2line"),
	OLDER_FLAG("context", context, "with --inline: append file and line"),
	LIST("skip-after", skip_after, "NAME",
	     "leave out the callers of this function (repeatable)"),
	LIST("trace-field", trace_field, "NAME",
	     "the value of a tracepoint's field as leaf (repeatable)"),
	FLAG("dso", dso, "symbol@dso for every frame that has both"),
	UINT("max-depth", max_depth, "cut chains to N frames from the root"),
	CHOICE("recursion", recursion, "HOW", recursion_choices,
	       "keep (default); direct: f;f becomes f; cycles: f;g;f too"),
	FLAG("raw-names", raw_names, "show symbols as perf printed them"),
	CHOICE("order", order, "ORDER", order_choices,
	       "chains in the input: auto (default), callee or caller first"),

	SECTION("Behaviour"),
	FLAG("time-order", time_order,
	     "one line for each run of equal stacks, in time order"),
	UINT("nthreads", threads,
	     "threads for large input (default one per processor, up to 16)",
	     .letter = 'n'),
	CHOICE("compat", compat, "WITH", fg_compat_names,
	       "none (default); perl: as stackcollapse-perf.pl, byte for byte; "
	       "inferno: options as in inferno-collapse-perf"),
	FLAG("strict", strict, "fail when a line is not understood or a sample is cut"),
	COUNTER("quiet", verbosity, FG_QUIET,
		"print errors only: no warnings, no progress", .letter = 'q'),
	COUNTER("verbose", verbosity, FG_VERBOSE, "show lines that are not understood",
		.letter = 'v'),
	FG_OPT_END,
};

static void free_patterns(struct perf_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		fg_regex_free(patterns->items[i]);
	free(patterns->items);
}

static int compile(struct perf_patterns *patterns, const struct fg_opt_list *texts,
		   const char *option, struct fg_diag *diag)
{
	patterns->items = fg_xcalloc(texts->count, sizeof(*patterns->items));
	for (size_t i = 0; i < texts->count; i++) {
		patterns->items[i] = fg_regex_new(texts->items[i], option, diag);
		if (!patterns->items[i])
			return -1;
		patterns->count++;
	}
	return 0;
}

void perf_options_init(void *options, const char *called_as)
{
	struct perf_options *o = options;

	o->compat = (int)fg_compat_called_as(called_as);
}

void perf_options_release(void *options)
{
	struct perf_options *o = options;
	struct fg_opt_list *lists[] = { &o->event_filter, &o->skip_after, &o->keep,
					&o->drop,	  &o->comm,	  &o->cpu,
					&o->pid_filter,	  &o->tid_filter, &o->root,
					&o->trace_field };

	for (size_t i = 0; i < FG_COUNT_OF(lists); i++)
		fg_opt_list_release(lists[i]);
	free_patterns(&o->keep_patterns);
	free_patterns(&o->drop_patterns);
}

bool perf_options_select(const struct perf_options *o)
{
	return o->comm.count || o->pid_filter.count || o->tid_filter.count ||
	       o->cpu.count || o->time;
}

/* The Perl script has none of these. */
static int check_compat(const struct perf_options *o, struct fg_diag *diag)
{
	if (!o->raw_names && !o->skip_after.count && o->order == PERF_ORDER_AUTO &&
	    !perf_options_select(o) && !o->root.count && !o->event_frame &&
	    !o->weight && !o->merge_threads && !o->trace_field.count && !o->dso &&
	    !o->max_depth && !o->recursion && !o->time_order)
		return 0;
	fg_error(diag, NULL,
		 "--compat=perl allows only the options of "
		 "stackcollapse-perf.pl, --keep and --drop");
	return -1;
}

static void add_root(struct perf_options *o, enum perf_root root)
{
	o->roots[o->root_count++] = root;
}

static int read_root(struct perf_options *o, const char *text, struct fg_diag *diag)
{
	int root = fg_opt_choose(root_choices, text, "root", diag);

	if (root < 0)
		return -1;
	if (root != PERF_ROOT_NONE)
		add_root(o, (enum perf_root)root);
	return 0;
}

static int read_roots(struct perf_options *o, struct fg_diag *diag)
{
	/* one is left for that of --event-frame */
	if (o->root.count > PERF_ROOTS_MAX - 1) {
		fg_error(diag, NULL, "--root may be given %d times at most",
			 PERF_ROOTS_MAX - 1);
		return -1;
	}
	if (o->event_frame)
		add_root(o, PERF_ROOT_EVENT);
	if (!o->root.count)
		add_root(o, PERF_ROOT_COMM);
	for (size_t i = 0; i < o->root.count; i++)
		if (read_root(o, o->root.items[i], diag))
			return -1;
	return 0;
}

int perf_options_check(void *options, struct fg_diag *diag)
{
	struct perf_options *o = options;
	struct perf_selection *selection;

	if (o->all)
		o->kernel = o->jit = true;
	if (o->compat == PERF_COMPAT_PERL && check_compat(o, diag))
		return -1;
	if (read_roots(o, diag) ||
	    compile(&o->keep_patterns, &o->keep, "--keep", diag) ||
	    compile(&o->drop_patterns, &o->drop, "--drop", diag))
		return -1;
	if (o->weight && !o->weight[0]) {
		fg_error(diag, NULL,
			 "--weight takes period, samples or a field's name");
		return -1;
	}
	selection = perf_selection_new(o, diag);
	perf_selection_free(selection);
	return selection ? 0 : -1;
}

enum fg_verbosity perf_options_verbosity(const void *options)
{
	const struct perf_options *o = options;

	return o->verbosity;
}
