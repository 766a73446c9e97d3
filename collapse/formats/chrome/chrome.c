/*
 * Reads traces in the Trace Event Format, which many programs write: Chrome, node
 * --trace-events-enabled, clang -ftime-trace, py-spy, VizTracer, bazel, Hermes, and the
 * DevTools of Dart and Flutter.
 *
 *     {"traceEvents": [
 *       {"ph": "X", "pid": 1, "tid": 2, "ts": 0, "dur": 50, "name": "f"},
 *       {"ph": "B", "pid": 1, "tid": 2, "ts": 60, "name": "g"},
 *       {"ph": "E", "pid": 1, "tid": 2, "ts": 70},
 *       {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name",
 *        "args": {"name": "main"}}]}
 *
 * A file may also be just the list, even without its "]". Events come in any order, so
 * we keep the intervals, 24 bytes each, until the end of the file. We skip asynchronous
 * events and flows, because they overlap freely and so form no stack, and events
 * without a duration. Work of a GPU is counted only with --gpu, and then nothing else.
 */
#include "collapse/formats/chrome/chrome.h"

#include <stdlib.h>

#include "collapse/collapse.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct chrome_options

static const char *const sources[] = { "auto", "events", "profile", "samples", NULL };
static const char *const units[] = { "us", "ns", NULL };

static const struct fg_opt rows[] = {
	SECTION("Events"),
	CHOICE("source", source, "WHAT", sources,
	       "auto (default), events, profile or samples"),
	CHOICE("unit", is_ns, "UNIT", units, "times in us (default) or ns"),
	LIST("cat", cat, "NAME",
	     "keep events of these categories (repeatable; * and ? match)"),
	LIST("detail", detail, "KEY", "add this argument to names (repeatable)"),
	FLAG("gpu", gpu, "count the work of GPUs, on the stacks that launched it"),
	FLAG("idle", idle, "count the time in (idle) of a profile, too"),
	FG_OPT_END,
};

static int check(struct fg_collapse *run, struct fg_diag *diag)
{
	struct chrome_options *o = run->own;

	if (!o->gpu)
		return 0;
	if (o->source != CHROME_AUTO && o->source != CHROME_EVENTS)
		return fg_error(diag, NULL,
				"--gpu needs events, so it does not work with "
				"--source=%s",
				sources[o->source]);
	o->source = CHROME_EVENTS;
	return 0;
}

static void *open_chrome(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct chrome *c = fg_xcalloc(1, sizeof(*c));

	c->sink = sink;
	c->options = run->own;
	c->details = fg_xcalloc(c->options->detail.count, sizeof(*c->details));
	fg_sums_init(&c->sums);
	return c;
}

static void close_chrome(void *state)
{
	struct chrome *c = state;

	for (size_t i = 0; i < c->options->detail.count; i++)
		fg_buf_release(&c->details[i]);
	free(c->details);
	fg_buf_release(&c->id);
	fg_buf_release(&c->frame);
	fg_buf_release(&c->file);
	fg_buf_release(&c->text);
	fg_buf_release(&c->flow);
	fg_sums_release(&c->sums);
	fg_map_release(&c->id_names);
	fg_map_release(&c->long_texts);
	free(c);
}

/* ---- a file */

static void start_file(struct chrome *c)
{
	fg_intern_init(&c->names);
	fg_intern_init(&c->pids);
	fg_intern_init(&c->tids);
	fg_intern_init(&c->thread_keys);
	fg_intern_init(&c->profile_keys);
	fg_intern_init(&c->frame_ids);
	/* id 0 stands for a missing name, pid or tid */
	fg_intern(&c->names, FG_STR(""));
	fg_intern(&c->pids, FG_STR(""));
	fg_intern(&c->tids, FG_STR(""));
	fg_rows_init(&c->rows);
	chrome_start_gpu(c);
}

static void end_file(struct chrome *c)
{
	chrome_drop_spans(c);
	chrome_release_profiles(c);
	chrome_release_gpu(c);
	fg_intern_release(&c->names);
	fg_intern_release(&c->pids);
	fg_intern_release(&c->tids);
	fg_intern_release(&c->thread_keys);
	fg_intern_release(&c->frame_ids);
	fg_rows_release(&c->rows);
	free(c->frames_by_name);
	free(c->process_names);
	fg_map_clear(&c->id_names);
	fg_map_clear(&c->long_texts);
	free(c->threads);
	free(c->samples);
	c->frames_by_name = c->process_names = NULL;
	c->threads = NULL;
	c->samples = NULL;
	c->frame_count = c->frame_alloc = c->process_count = c->process_alloc = 0;
	c->thread_count = c->thread_alloc = c->sample_count = c->sample_alloc = 0;
	c->has_profile = c->has_frames = c->has_samples = c->has_spans = false;
}

/*
 * Returns the source to use. For "auto" it is the first of profile, samples and events
 * that the file has.
 */
static enum chrome_source source_of(const struct chrome *c)
{
	if (c->options->source != CHROME_AUTO)
		return (enum chrome_source)c->options->source;
	if (c->has_profile)
		return CHROME_PROFILE;
	if (c->has_frames && (c->has_samples || (c->sample_count && !c->has_spans)))
		return CHROME_SAMPLES;
	return CHROME_EVENTS;
}

/* The message if the trace has only asynchronous events. */
static const char asynchronous[] =
	"there are only asynchronous events, which overlap and so form no stacks";

/* The messages if the trace has no time of the kind that is wanted. */
static const char only_gpu[] =
	"there is only time of a GPU: collapse-chrome --gpu counts it";
static const char no_gpu[] =
	"no event ran on a GPU; the tasks of Chrome's GPU process run on the CPU and "
	"are counted without --gpu";

/* Says why there may be no stacks, and what is left out. */
static void explain_events(struct chrome *c)
{
	const struct fg_place at = { fg_sink_at(c->sink)->input, 0 };

	if (c->options->gpu && !c->any_gpu && c->any_span)
		fg_sink_set_cause(c->sink, no_gpu);
	else if (!c->options->gpu && c->any_gpu && !c->any_span)
		fg_sink_set_cause(c->sink, only_gpu);
	else if (c->any_asynchronous && !c->any_span && !c->any_gpu)
		fg_sink_set_cause(c->sink, asynchronous);
	if (c->gpu_left_out && c->any_span)
		fg_warn(fg_sink_diag(c->sink), &at,
			"%llu GPU event%s not counted: collapse-chrome --gpu counts "
			"the time of GPUs instead of the CPU's",
			(unsigned long long)c->gpu_left_out,
			c->gpu_left_out == 1 ? " is" : "s are");
}

static int write_file(struct chrome *c)
{
	const struct fg_str unit = c->options->is_ns ? FG_STR("ns") : FG_STR("us");
	const struct fg_value samples = { FG_STR("samples"), FG_STR("") };
	const struct fg_str name =
		c->options->gpu ? FG_STR("gpu-time") : FG_STR("time");
	const struct fg_value times[] = { samples, { name, unit } };
	int chosen;

	switch (source_of(c)) {
	case CHROME_PROFILE:
		chosen = fg_sink_choose_value(c->sink, times, 2, 1);
		if (chosen >= 0)
			chrome_write_profiles(c, chosen ? FG_V8_TIME : FG_V8_SAMPLES);
		break;
	case CHROME_SAMPLES:
		chosen = fg_sink_choose_value(c->sink, &samples, 1, 0);
		if (chosen >= 0)
			chrome_write_samples(c);
		break;
	default:
		explain_events(c);
		chosen = fg_sink_choose_value(c->sink, times + 1, 1, 0);
		if (chosen >= 0)
			chrome_write_spans(c);
		break;
	}
	return chosen < 0 ? -1 : 0;
}

/* ---- reading */

/* Reads events after '['. Returns false if the input ends inside an event. */
static bool read_events(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	while (fg_json_more(j, &kind))
		if (kind != FG_JSON_OBJECT)
			fg_json_skip(j, kind);
		else if (!chrome_read_event(c, j))
			return false;
	return true;
}

static void read_member(struct chrome *c, struct fg_json *j)
{
	bool samples = c->options->source == CHROME_AUTO ||
		       c->options->source == CHROME_SAMPLES;

	if (fg_str_eq(j->text, FG_STR("traceEvents"))) {
		if (fg_json_enter(j, FG_JSON_ARRAY))
			read_events(c, j);
	} else if (samples && fg_str_eq(j->text, FG_STR("samples"))) {
		chrome_read_samples(c, j);
	} else if (samples && fg_str_eq(j->text, FG_STR("stackFrames"))) {
		chrome_read_frames(c, j);
	} else {
		fg_json_skip(j, fg_json_next(j));
	}
}

/* Reads a member of the file. Dart's tools save the trace in "cpu-profiler". */
static void read_outer(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_str_eq(j->text, FG_STR("cpu-profiler")))
		read_member(c, j);
	else if (fg_json_enter(j, FG_JSON_OBJECT))
		while (fg_json_more(j, &kind))
			read_member(c, j);
}

static int read_file(struct chrome *c, struct fg_json *j)
{
	const char *input = fg_sink_at(c->sink)->input;
	enum fg_json_kind kind = fg_json_next(j);
	bool may_end = false;

	if (kind == FG_JSON_ARRAY)
		may_end = read_events(c, j);
	else if (kind == FG_JSON_OBJECT)
		while (fg_json_more(j, &kind))
			read_outer(c, j);
	if (!j->error)
		fg_json_next(j);
	if (j->error && !j->cut)
		return fg_json_report(j, input, fg_sink_diag(c->sink));
	/* a bare list may lack its "]" */
	if (j->error && !may_end) {
		const struct fg_place at = { input, j->line };

		fg_warn(fg_sink_diag(c->sink), &at,
			"the trace is cut short: only the events before the cut are "
			"counted");
		fg_sink_set_cut(c->sink);
	}
	return write_file(c);
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct chrome *c = state;
	struct fg_json j;
	int status;

	start_file(c);
	fg_json_init_reader(&j, reader, start);
	status = read_file(c, &j);
	fg_json_release(&j);
	end_file(c);
	return status;
}

/* ---- the format */

const struct fg_format fg_format_chrome = {
	.kind = &fg_kind_chrome,
	.summary = "Reads traces in the Trace Event Format of Chrome, node, clang,\n"
		   "py-spy, VizTracer and others, and writes folded stacks.",
	.footer = "Example:\n"
		  "  clang++ -ftime-trace -c app.cc\n"
		  "  collapse-chrome app.json | flamegraph > flame.svg",
	.hints = { .no_stacks = "no event has a duration, and there are no samples",
		   .not_found = "no event with a duration was found, and no sample",
		   .idle = "the program was idle; --idle counts them" },
	.has_values = true,
	.has_times = true,
	.root = FG_ROOT_NONE,
	.rows = rows,
	.options_size = sizeof(struct chrome_options),
	.check = check,
	.open = open_chrome,
	.read = read_input,
	.close = close_chrome,
};
