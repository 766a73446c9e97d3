/*
 * The processed profile of Firefox Profiler, version 55, which samply writes and each
 * later viewer upgrades.
 * https://github.com/firefox-devtools/profiler, docs-developer/CHANGELOG-formats.md
 *
 * A thread for each first frame, with tables of its own; a process for each event and
 * column.
 */
#include <stdlib.h>

#include "reportfolded/export.h"
#include "reportfolded/firefox.h"

/* With more first frames than that, all are in one thread. */
#define THREADS_MAX 500

/* ---- rows of tables */

/* The row of a name among the thread's functions, which it may be new to. */
static void add_function(struct fg_firefox *w, uint32_t name)
{
	if (w->thread_of[name] == w->thread)
		return;
	w->thread_of[name] = w->thread;
	w->function_of[name] = (uint32_t)w->function_count;
	FG_GROW(w->functions, w->function_alloc, w->function_count + 1);
	w->functions[w->function_count++] = name;
}

/* The frame after `node` of those that are on the same first one, or FG_TREE_NONE. */
static uint32_t next_on(const struct fg_tree *t, uint32_t node, unsigned *depth)
{
	uint32_t next = fg_tree_walk(t, node, true, depth);

	return *depth ? next : FG_TREE_NONE;
}

static void number_rows(struct fg_firefox *w)
{
	const struct fg_tree *t = &w->value->tree;

	w->thread++;
	w->function_count = 0;
	w->row_count = 0;
	for (size_t i = 0; i < w->tops.count; i++) {
		uint32_t node = w->tops.nodes[i];
		unsigned depth = 0;

		for (; node != FG_TREE_NONE; node = next_on(t, node, &depth)) {
			FG_GROW(w->rows, w->row_alloc, w->row_count + 1);
			w->rows[w->row_count] = node;
			w->row_of[node] = w->row_count++;
			add_function(w, fg_value_name(w->value, node));
		}
	}
}

/* ---- a thread */

static void write_samples(struct fg_firefox *w)
{
	static const char *const types[] = {
		[FG_VALUE_OTHER] = "\"samples\"",
		[FG_VALUE_TIME] = "\"tracing-ms\"",
		[FG_VALUE_BYTES] = "\"bytes\"",
	};
	struct fg_jsonwriter *j = &w->json;
	size_t length = 0;

	fg_json_key(j, "samples");
	fg_json_open(j, '{');
	fg_json_key_raw(j, "weightType", types[fg_value_kind(w->value)]);
	length = fg_firefox_samples(w, "stack", fg_firefox_add_stack);
	fg_firefox_samples(w, "weight", fg_firefox_add_weight);
	fg_firefox_samples(w, "time", fg_firefox_add_time);
	fg_firefox_samples(w, "threadCPUDelta", fg_firefox_add_cpu);
	fg_json_key_u64(j, "length", length);
	fg_json_close(j, '}');
}

static void write_stacks(struct fg_firefox *w)
{
	const struct fg_tree *t = &w->value->tree;
	struct fg_jsonwriter *j = &w->json;

	fg_json_line(j);
	fg_json_key(j, "stackTable");
	fg_json_open(j, '{');
	fg_json_key_u64(j, "length", w->row_count);
	fg_firefox_open_column(w, "prefix");
	for (size_t i = 0; i < w->row_count; i++) {
		uint32_t parent = t->nodes[w->rows[i]].parent;

		if (parent)
			fg_json_u64(j, w->row_of[parent]);
		else
			fg_json_raw(j, FG_STR("null"));
	}
	fg_json_close(j, ']');
	fg_firefox_open_column(w, "frame");
	for (size_t i = 0; i < w->row_count; i++)
		fg_json_u64(j, w->function_of[fg_value_name(w->value, w->rows[i])]);
	fg_json_close(j, ']');
	fg_json_close(j, '}');
}

static void write_frames(struct fg_firefox *w)
{
	struct fg_jsonwriter *j = &w->json;

	fg_json_line(j);
	fg_json_key(j, "frameTable");
	fg_json_open(j, '{');
	fg_json_key_u64(j, "length", w->function_count);
	fg_firefox_fill(w, "address", "-1");
	fg_firefox_fill(w, "inlineDepth", "0");
	fg_firefox_open_column(w, "category");
	for (size_t i = 0; i < w->function_count; i++)
		fg_json_u64(j, w->category_of[w->functions[i]]);
	fg_json_close(j, ']');
	fg_firefox_fill(w, "subcategory", "0");
	fg_firefox_count(w, "func");
	fg_firefox_fill(w, "nativeSymbol", "null");
	fg_firefox_fill(w, "innerWindowID", "0");
	fg_firefox_fill(w, "line", "null");
	fg_firefox_fill(w, "column", "null");
	fg_json_close(j, '}');
}

static void write_functions(struct fg_firefox *w)
{
	struct fg_jsonwriter *j = &w->json;

	fg_json_line(j);
	fg_json_key(j, "funcTable");
	fg_json_open(j, '{');
	fg_json_key_u64(j, "length", w->function_count);
	fg_firefox_count(w, "name");
	fg_firefox_fill(w, "isJS", "false");
	fg_firefox_fill(w, "relevantForJS", "false");
	fg_firefox_fill(w, "resource", "-1");
	fg_firefox_fill(w, "fileName", "null");
	fg_firefox_fill(w, "lineNumber", "null");
	fg_firefox_fill(w, "columnNumber", "null");
	fg_json_close(j, '}');
	fg_json_line(j);
	fg_firefox_open_column(w, "stringArray");
	for (size_t i = 0; i < w->function_count; i++)
		fg_json_string(j, fg_values_shown(&w->e->values, w->functions[i]));
	fg_json_close(j, ']');
}

/* Process and thread have numbers only so that they are told apart. */
static void write_process(struct fg_firefox *w)
{
	struct fg_jsonwriter *j = &w->json;
	struct fg_buf text = FG_BUF_INIT;

	fg_export_add_title(w->e, w->value, w->column, &text);
	fg_json_key_string(j, "processName", fg_buf_str(&text));
	fg_buf_clear(&text);
	fg_buf_add_u64(&text, w->process);
	fg_json_key_string(j, "pid", fg_buf_str(&text));
	fg_buf_clear(&text);
	fg_buf_add_u64(&text, w->thread);
	fg_json_key_string(j, "tid", fg_buf_str(&text));
	fg_buf_release(&text);
}

/* None is the main thread: its name would be shown in place of the process's. */
static void write_thread(struct fg_firefox *w, struct fg_str name)
{
	struct fg_jsonwriter *j = &w->json;

	number_rows(w);
	fg_json_line(j);
	fg_json_open(j, '{');
	fg_json_key_string(j, "name", name);
	fg_json_key_raw(j, "isMainThread", "false");
	fg_json_key_raw(j, "processType", "\"default\"");
	write_process(w);
	fg_json_raw(j, FG_STR("\"processStartupTime\":0,\"processShutdownTime\":null,"
			      "\"registerTime\":0,\"unregisterTime\":null,"
			      "\"pausedRanges\":[]"));
	fg_json_line(j);
	write_samples(w);
	write_stacks(w);
	write_frames(w);
	write_functions(w);
	fg_json_line(j);
	fg_json_raw(j, FG_STR("\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],"
			      "\"host\":[],\"type\":[]},"
			      "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],"
			      "\"address\":[],\"name\":[],\"functionSize\":[]},"
			      "\"markers\":{\"length\":0,\"category\":[],\"data\":[],"
			      "\"endTime\":[],\"name\":[],\"phase\":[],"
			      "\"startTime\":[]}"));
	fg_json_close(j, '}');
}

/* ---- threads */

static bool has_counts(const uint64_t *totals, struct fg_tops tops)
{
	for (size_t i = 0; i < tops.count; i++)
		if (totals[tops.nodes[i]])
			return true;
	return false;
}

static void write_roots(struct fg_firefox *w, const struct fg_roots *roots)
{
	uint64_t *totals = fg_value_totals(w->value, w->column);

	for (size_t i = 0; i < roots->count; i++) {
		uint32_t name;

		w->tops = fg_roots_tops(roots, i);
		if (!has_counts(totals, w->tops))
			continue;
		name = fg_value_name(w->value, w->tops.nodes[0]);
		write_thread(w, fg_values_shown(&w->e->values, name));
	}
	free(totals);
}

static void write_column(struct fg_firefox *w)
{
	struct fg_roots roots;

	if (!w->value->totals[w->column])
		return;
	w->process++;
	w->row_of = fg_xcalloc(w->value->tree.count, sizeof(*w->row_of));
	fg_roots_init(&roots, &w->value->tree);
	if (roots.count <= THREADS_MAX) {
		write_roots(w, &roots);
	} else {
		w->tops = (struct fg_tops){ roots.nodes, roots.ends[roots.count - 1] };
		write_thread(w, fg_buf_str(&w->value->name));
	}
	fg_roots_release(&roots);
	free(w->row_of);
}

static void write_meta(struct fg_firefox *w)
{
	struct fg_jsonwriter *j = &w->json;

	fg_json_key(j, "meta");
	fg_json_open(j, '{');
	fg_json_raw(j, FG_STR("\"version\":24,\"preprocessedProfileVersion\":55,"
			      "\"interval\":1,\"startTime\":0,\"processType\":0,"
			      "\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
			      "\"usesOnlyOneStackType\":true,"
			      "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
			      "\"threadCPUDelta\":\"variable CPU cycles\"},"
			      "\"sourceCodeIsNotOnSearchfox\":true,"
			      "\"markerSchema\":[]"));
	fg_json_key_string(j, "product", fg_buf_str(&w->e->values.items[0].name));
	fg_json_raw(j, FG_STR("\"extensions\":{\"length\":0,\"baseURL\":[],\"id\":[],"
			      "\"name\":[]}"));
	fg_firefox_categories(w);
	fg_json_close(j, '}');
}

int fg_export_firefox(struct fg_export *e)
{
	struct fg_firefox w = { .e = e, .json = { .out = e->out } };
	struct fg_jsonwriter *j = &w.json;
	size_t names = e->values.names.count;

	w.thread_of = fg_xcalloc(names, sizeof(*w.thread_of));
	w.function_of = fg_xcalloc(names, sizeof(*w.function_of));
	w.category_of = fg_xcalloc(names, sizeof(*w.category_of));
	fg_json_open(j, '{');
	write_meta(&w);
	fg_json_raw(j, FG_STR("\"libs\":[],\"pages\":[],\"counters\":[],"
			      "\"profilerOverhead\":[]"));
	fg_json_key(j, "threads");
	fg_json_open(j, '[');
	for (size_t i = 0; i < e->values.count; i++)
		for (unsigned c = fg_export_first_column(e); c <= FG_AFTER; c++) {
			w.value = &e->values.items[i];
			w.column = c;
			write_column(&w);
		}
	fg_json_close(j, ']');
	fg_json_close(j, '}');
	fg_out_add_char(e->out, '\n');
	free(w.thread_of);
	free(w.function_of);
	free(w.category_of);
	free(w.functions);
	free(w.rows);
	return 0;
}
