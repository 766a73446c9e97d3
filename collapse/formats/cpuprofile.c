/*
 * Reads .cpuprofile and .heapprofile files of V8, which node, bun, deno and Chrome's
 * developer tools write. The DevTools protocol describes them, in the domains Profiler
 * and HeapProfiler.
 *
 *     {"nodes": [{"id": 1, "callFrame": {"functionName": "main", "url": "app.js",
 *       "lineNumber": 0}, "children": [2]}, ...], "startTime": 5, "endTime": 40,
 *      "samples": [2, 3, 3], "timeDeltas": [5, 10, 20]}
 *     {"head": {"callFrame": {...}, "selfSize": 8, "children": [{...}]}}
 *
 * A delta is the time from the sample before, or from the start, to this sample. Before
 * Chrome 58, nodes were a tree, and "timestamps" were absolute.
 *
 * Business Central writes the same format as .alcpuprofile. If it was sampled, it has
 * "kind": 1 and one sample for each node, whose delta is the node's own time.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/decimal.h"
#include "collapse/v8.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct options
struct options {
	bool idle;
};

static const struct fg_opt rows[] = {
	SECTION("Samples"),
	FLAG("idle", idle, "count the time in (idle), too"),
	FG_OPT_END,
};

struct cpuprofile {
	struct fg_sink *sink;
	const struct options *options;
};

/* The profile of one file. Times are in microseconds, or in seconds in old files. */
struct profile {
	struct fg_v8 v8;
	struct fg_buf start, end;
	bool is_snapshot;
	bool has_own_times; /* a delta is the duration of the sample at its own index */
};

static void *open_cpuprofile(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct cpuprofile *c = fg_xcalloc(1, sizeof(*c));

	c->sink = sink;
	c->options = run->own;
	return c;
}

static void keep(struct fg_buf *b, struct fg_str text)
{
	fg_buf_clear(b);
	fg_buf_add_str(b, text);
}

static void read_member(struct profile *p, struct fg_json *j)
{
	struct fg_str name = j->text;

	if (fg_str_eq(name, FG_STR("nodes")) || fg_str_eq(name, FG_STR("head")))
		fg_v8_read_nodes(&p->v8, j);
	else if (fg_str_eq(name, FG_STR("samples")))
		fg_v8_read_samples(&p->v8, j);
	else if (fg_str_eq(name, FG_STR("timeDeltas")))
		fg_v8_read_deltas(&p->v8, j);
	else if (fg_str_eq(name, FG_STR("timestamps")))
		fg_v8_read_stamps(&p->v8, j);
	else if (fg_str_eq(name, FG_STR("startTime")))
		keep(&p->start, fg_json_value(j));
	else if (fg_str_eq(name, FG_STR("endTime")))
		keep(&p->end, fg_json_value(j));
	else if (fg_str_eq(name, FG_STR("kind")))
		p->has_own_times = fg_str_eq(fg_json_value(j), FG_STR("1"));
	else if (fg_str_eq(name, FG_STR("profile"))) /* its members follow */
		fg_json_enter(j, FG_JSON_OBJECT);
	else if (fg_str_eq(name, FG_STR("snapshot")))
		p->is_snapshot = fg_json_enter(j, FG_JSON_OBJECT);
	else
		fg_json_skip(j, fg_json_next(j));
}

/*
 * Sets *start to the time at which the first delta starts, in picoseconds. Sets it to 0
 * and returns false if the file does not have that time.
 */
static bool start_of(const struct profile *p, struct fg_sum *start)
{
	bool negative;

	*start = p->v8.first;
	if (p->v8.has_stamps)
		return true;
	if (!fg_decimal_sum(fg_buf_str(&p->start), 6, start, &negative) && !negative)
		return true;
	*start = (struct fg_sum){ 0, 0 };
	return false;
}

/* Returns the time from the start to the end in picoseconds, or 0 if unknown. */
static int64_t duration_of(const struct profile *p)
{
	struct fg_sum start, end, length;
	int shift = p->v8.has_stamps ? 12 : 6;
	bool negative;

	if (fg_decimal_sum(fg_buf_str(&p->end), shift, &end, &negative) || negative ||
	    !start_of(p, &start))
		return 0;
	length = fg_sum_less(end, start);
	return length.high || length.low > INT64_MAX ? 0 : (int64_t)length.low;
}

static int write_profile(struct cpuprofile *c, struct profile *p)
{
	static const struct fg_value heap[] = {
		{ FG_STR_INIT("bytes"), FG_STR_INIT("bytes") },
		{ FG_STR_INIT("count"), FG_STR_INIT("") },
	};
	static const struct fg_value cpu[] = {
		{ FG_STR_INIT("samples"), FG_STR_INIT("") },
		{ FG_STR_INIT("time"), FG_STR_INIT("ns") },
	};
	struct fg_v8_how how = { .idle = c->options->idle };
	int chosen;

	if (p->has_own_times)
		fg_v8_own_times(&p->v8);
	if (p->v8.is_heap) {
		chosen = fg_sink_choose_value(c->sink, heap, FG_COUNT_OF(heap), 0);
		how.weight = chosen ? FG_V8_SAMPLES : FG_V8_OWN;
	} else if (!p->v8.delta_count) { /* the file has no times */
		chosen = fg_sink_choose_value(c->sink, cpu, 1, 0);
		how.weight = p->v8.sample_count ? FG_V8_SAMPLES : FG_V8_OWN;
	} else {
		chosen = fg_sink_choose_value(c->sink, cpu, FG_COUNT_OF(cpu), 1);
		how.weight = chosen ? FG_V8_TIME : FG_V8_SAMPLES;
		how.duration = duration_of(p);
		if (how.duration > 0)
			fg_sink_note_length(c->sink, 0, (uint64_t)how.duration / 1000);
		start_of(p, &how.start);
	}
	if (chosen < 0)
		return -1;
	fg_v8_write(&p->v8, &how, NULL);
	return 0;
}

static int read_profile(struct cpuprofile *c, struct profile *p, struct fg_json *j)
{
	const char *input = fg_sink_at(c->sink)->input;
	const struct fg_place at = { input, 0 };
	enum fg_json_kind kind;

	while ((kind = fg_json_next(j)) > FG_JSON_END && !p->is_snapshot)
		if (kind == FG_JSON_NAME)
			read_member(p, j);
		else if (kind != FG_JSON_OBJECT && kind != FG_JSON_OBJECT_END)
			fg_json_skip(j, kind);
	if (p->is_snapshot)
		return fg_error(fg_sink_diag(c->sink), &at,
				"this is a heap snapshot, a graph of objects without "
				"stacks: Chrome's developer tools show it");
	if (kind == FG_JSON_ERROR)
		return fg_json_report(j, input, fg_sink_diag(c->sink));
	return write_profile(c, p);
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct cpuprofile *c = state;
	struct profile p = { .is_snapshot = false };
	struct fg_json j;
	int status;

	fg_v8_init(&p.v8, c->sink);
	fg_json_init_reader(&j, reader, start);
	status = read_profile(c, &p, &j);
	fg_json_release(&j);
	fg_v8_release(&p.v8);
	fg_buf_release(&p.start);
	fg_buf_release(&p.end);
	return status;
}

/* ---- the format */

const struct fg_format fg_format_cpuprofile = {
	.kind = &fg_kind_cpuprofile,
	.summary =
		"Reads the .cpuprofile and .heapprofile files of node, deno, bun and\n"
		"Chrome, and writes folded stacks.",
	.footer = "Example:\n"
		  "  node --cpu-prof app.js\n"
		  "  collapse-cpuprofile CPU.*.cpuprofile | flamegraph > flame.svg",
	.hints = { .not_found = "no sample was found: is this what node --cpu-prof or "
				"Chrome's developer tools write?",
		   .idle = "the program was idle; --idle counts them" },
	.has_values = true,
	.has_times = true,
	.root = FG_ROOT_NONE,
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_cpuprofile,
	.read = read_input,
	.close = free,
};
