/* Declares and checks the options that only collapse-perf has. */
#include "collapse/formats/perf/text/options.h"

#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

static const char *const order_choices[] = {
	[PERF_ORDER_AUTO] = "auto",
	[PERF_ORDER_CALLEE] = "callee",
	[PERF_ORDER_CALLER] = "caller",
	NULL,
};

#define OPTIONS struct perf_options

/* An option that stackcollapse-perf.pl has, too. */
#define OLDER_FLAG(...) FLAG(__VA_ARGS__, .older = true)

const struct fg_opt perf_option_rows[] = {
	FLAG("off-cpu", off_cpu,
	     "how long threads waited, in ns, from sched:sched_switch"),
	FLAG("wall", wall, "all time of threads in ns, running and waiting"),
	FLAG("ignore-idle", ignore_idle,
	     "with --wall: leave out threads that never ran"),

	SECTION("Frames"),
	OLDER_FLAG("kernel", kernel, "mark kernel functions with _[k]"),
	OLDER_FLAG("jit", jit, "mark jitted functions with _[j]"),
	OLDER_FLAG("all", all, "both --kernel and --jit"),
	OLDER_FLAG("addrs", addrs, "show the address if a symbol is missing"),
	OLDER_FLAG("srcline", srcline,
		   "append the source lines of perf script -F +srcline"),
	OLDER_FLAG("inline", inlined, "show functions that were inlined, by libdw"),
	OLDER_FLAG("context", context, "with --inline: append file and line"),
	FLAG("lines", lines, "name:file:line for every frame, by libdw"),
	LIST("skip-after", skip_after, "NAME",
	     "leave out the callers of this function (repeatable)"),
	LIST("trace-field", trace_field, "NAME",
	     "add the value of this field of a tracepoint as leaf (repeatable)"),
	FLAG("dso", dso, "show frames as symbol@dso, if both are known"),
	FLAG("raw-names", raw_names, "show symbols as perf printed them"),
	CHOICE("order", order, "ORDER", order_choices,
	       "chains in the input: auto (default), callee or caller first"),
	CHOICE("compat", compat, "WITH", fg_compat_names,
	       "none (default); perl: like stackcollapse-perf.pl, byte for byte; "
	       "inferno: options like inferno-collapse-perf"),
	FG_OPT_END,
};

void perf_options_called_as(struct fg_collapse *run, const char *name)
{
	struct perf_options *o = run->own;

	o->compat = (int)fg_compat_called_as(name);
}

/* Returns true if only options of stackcollapse-perf.pl are given. */
static bool is_of_the_script(const struct fg_collapse *run)
{
	const struct fg_common_options *common = &run->common;
	const struct fg_samples_options *samples = &run->samples;
	const struct perf_options *o = run->own;

	return !o->raw_names && !o->lines && !o->skip_after.count &&
	       !o->trace_field.count && !o->dso && !o->off_cpu && !o->wall &&
	       o->order == PERF_ORDER_AUTO &&
	       !fg_filter_options_change(&common->filter) &&
	       !fg_samples_options_select(samples) && !samples->root.count &&
	       !samples->event_frame && !samples->weight && !samples->merge_threads &&
	       !samples->time_order && !samples->slice && !samples->every &&
	       !samples->header;
}

/* Events that --wall counts by default. It converts cycles to time. */
static const char *const clocks[] = {
	"cpu-clock*",  "task-clock*", "cycles*",       "cpu-cycles*",
	"ref-cycles*", "*/cycles*",   "*/cpu-cycles*",
};

static bool has_root(const struct fg_samples_options *o, enum fg_root root)
{
	for (size_t i = 0; i < o->root_count; i++)
		if (o->roots[i].kind == root)
			return true;
	return false;
}

bool perf_options_need_parallelism(const struct fg_samples_options *o)
{
	return o->weighs == FG_WEIGHT_LATENCY || has_root(o, FG_ROOT_PARALLELISM);
}

/* Checks --off-cpu. Unless the user names an event, adds sched:sched_switch. */
static int check_off_cpu(struct fg_collapse *run, struct fg_diag *diag)
{
	struct fg_samples_options *samples = &run->samples;
	const struct perf_options *o = run->own;
	struct fg_opt_list *events = &samples->event_filter;

	if (!o->off_cpu && !o->wall && has_root(samples, FG_ROOT_STATE))
		return fg_error(diag, NULL, "--root state needs --off-cpu or --wall");
	if (!o->off_cpu)
		return 0;
	if (samples->weighs == FG_WEIGHT_FIELD)
		return fg_error(diag, NULL,
				"--off-cpu works with --weight period or samples only");
	if (!events->count) {
		FG_GROW(events->items, events->alloc, 1);
		events->items[events->count++] =
			o->compat == FG_COMPAT_INFERNO ? "sched" : "sched:sched_switch";
	}
	return 0;
}

/* Checks --wall. Unless the user names an event, adds clocks and cycles. */
static int check_wall(struct fg_collapse *run, struct fg_diag *diag)
{
	struct fg_samples_options *samples = &run->samples;
	const struct perf_options *o = run->own;
	struct fg_opt_list *events = &samples->event_filter;

	if (!o->wall && o->ignore_idle)
		return fg_error(diag, NULL, "--ignore-idle needs --wall");
	if (!o->wall)
		return 0;
	if (o->off_cpu)
		return fg_error(diag, NULL,
				"--wall includes what --off-cpu counts: use only one");
	if (o->compat != FG_COMPAT_NONE)
		return fg_error(diag, NULL, "--wall does not work with --compat");
	if (samples->weighs != FG_WEIGHT_PERIOD)
		return fg_error(
			diag, NULL,
			"--wall counts time: it works with --weight period only");
	if (events->count)
		return 0;
	FG_GROW(events->items, events->alloc, FG_COUNT_OF(clocks));
	while (events->count < FG_COUNT_OF(clocks)) {
		events->items[events->count] = clocks[events->count];
		events->count++;
	}
	return 0;
}

int perf_options_check(struct fg_collapse *run, struct fg_diag *diag)
{
	struct perf_options *o = run->own;

	if ((o->off_cpu || o->wall) && perf_options_need_parallelism(&run->samples))
		return fg_error(diag, NULL,
				"--weight latency and --root parallelism count running "
				"threads: they do not work with --off-cpu and --wall");
	if (o->lines && (o->srcline || o->context))
		return fg_error(diag, NULL,
				"--lines and --%s append lines in different forms: "
				"use only one",
				o->srcline ? "srcline" : "context");
	if (check_off_cpu(run, diag) || check_wall(run, diag))
		return -1;
	if (o->all)
		o->kernel = o->jit = true;
	if (o->compat != FG_COMPAT_PERL || is_of_the_script(run))
		return 0;
	return fg_error(diag, NULL,
			"--compat=perl allows only the options of "
			"stackcollapse-perf.pl, --keep and --drop");
}
