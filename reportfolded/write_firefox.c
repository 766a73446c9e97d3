/*
 * Writes the processed profile of Firefox Profiler, version 55, which samply writes and
 * each later viewer upgrades. https://github.com/firefox-devtools/profiler,
 * docs-developer/CHANGELOG-formats.md
 *
 * Each first frame is a thread with tables of its own. Each event and column is a
 * process.
 */
#include <stdlib.h>

#include "reportfolded/writers.h"

/* If there are more first frames than this, all stacks are put into one thread. */
#define THREADS_MAX 500

/* A table of the current thread. Its rows are ids of names or files. */
struct table {
	uint32_t *ids; /* indexed by row */
	size_t count, alloc;

	/* Indexed by id: */
	uint32_t *thread_of; /* number of the last thread that has a row for it */
	uint32_t *row_of; /* the row in that thread */
};

struct writer {
	struct fg_export *e;
	struct fg_jsonwriter json;
	const struct fg_value *value;
	unsigned column;
	unsigned process, thread; /* numbers, from 1 on */

	unsigned char *category_of; /* indexed by id of the name */

	/* The current thread: */
	struct fg_tops tops; /* the first frames of the thread's stacks */
	struct table frames; /* a row for each name */
	struct table functions; /* a row for all names that differ only in their line */
	struct table files;
	uint32_t *rows; /* indexed by row of the stack table: the node */
	size_t row_count, row_alloc;
	size_t *row_of; /* indexed by node: its row in the stack table */
};

/*
 * A row of the table of samples: either a sample, or the end of the sample before it.
 * Ends are needed because in the viewer a sample lasts until the next row of its
 * thread.
 */
struct sample {
	const struct fg_stacks *stacks; /* the current stack; NULL for an end */
	uint64_t count; /* 0 for an end */
	uint64_t before; /* counts of the row before */
	size_t samples; /* number of samples before it */
	struct fg_sum start; /* time of the row, in counts */
};
typedef void add_cell(struct writer *w, const struct sample *s);

/* ---- columns */

static void open_column(struct writer *w, const char *name)
{
	fg_json_key(&w->json, name);
	fg_json_open(&w->json, '[');
}

static void fill_column(struct writer *w, const char *name, const char *value,
			const struct table *t)
{
	struct fg_str text = fg_str_from(value);

	open_column(w, name);
	for (size_t i = 0; i < t->count; i++)
		fg_json_raw(&w->json, text);
	fg_json_close(&w->json, ']');
}

/* Writes a column of cells, each made by `add` from the id of its row. */
static void write_cells(struct writer *w, const char *name,
			void (*add)(struct writer *w, uint32_t id),
			const struct table *t)
{
	open_column(w, name);
	for (size_t i = 0; i < t->count; i++)
		add(w, t->ids[i]);
	fg_json_close(&w->json, ']');
}

/* ---- samples */

static void add_stack(struct writer *w, const struct sample *s)
{
	size_t leaf;

	if (!s->stacks) {
		fg_json_raw(&w->json, FG_STR("null"));
		return;
	}
	leaf = fg_stacks_depth(s->stacks) - 1;
	fg_json_u64(&w->json, w->row_of[fg_stacks_node(s->stacks, leaf)]);
}

/* Adds a count. Times are converted to ms, the unit of the viewer. */
static void add_count(struct writer *w, struct fg_sum count)
{
	const struct fg_value_unit *unit = w->value->known;
	unsigned decimals = w->value->tree.decimals;

	if (fg_value_kind(w->value) == FG_VALUE_TIME && unit->exponent > 6)
		count = fg_sum_mul(count, fg_pow10(unit->exponent - 6));
	else if (fg_value_kind(w->value) == FG_VALUE_TIME)
		decimals += 6 - unit->exponent;
	fg_json_decimal(&w->json, count, decimals);
}

static void add_weight(struct writer *w, const struct sample *s)
{
	add_count(w, (struct fg_sum){ s->count, 0 });
}

/*
 * Adds the time of a row. If counts are not times, each sample takes one unit of time.
 */
static void add_time(struct writer *w, const struct sample *s)
{
	if (fg_value_kind(w->value) == FG_VALUE_TIME)
		add_count(w, s->start);
	else
		fg_json_u64(&w->json, s->samples);
}

/* The sum of all counts of an event is written as this many cycles of the viewer. */
#define CYCLES 1000000000

/*
 * Adds the CPU use of the thread since the row before. The viewer uses this, not the
 * weights, to decide which threads to show at first.
 */
static void add_cpu(struct writer *w, const struct sample *s)
{
	struct fg_sum cycles = fg_sum_share(
		(struct fg_sum){ CYCLES, 0 }, (struct fg_sum){ s->before, 0 },
		(struct fg_sum){ w->value->totals[w->column], 0 });

	fg_json_u64(&w->json, cycles.low);
}

/* Adds a row that ends the sample before. */
static void add_end(struct writer *w, struct sample *s, struct fg_sum end,
		    add_cell *add)
{
	struct sample row = {
		.before = s->before,
		.samples = s->samples,
		.start = end,
	};

	add(w, &row);
	s->before = 0;
}

/*
 * Writes one column of the thread's samples. Returns the number of rows. A sample
 * starts where the counts of the samples before it end. If the order of the input is
 * kept, these include the samples of other threads.
 */
static size_t write_sample_column(struct writer *w, const char *name, add_cell *add)
{
	struct sample s = { .before = 0 };
	bool in_order = w->value->tree.starts != NULL;
	struct fg_sum end = { 0, 0 };
	struct fg_stacks stacks;
	size_t rows = 0;

	open_column(w, name);
	fg_stacks_init(&stacks, &w->value->tree, w->tops);
	s.stacks = &stacks;
	while (fg_stacks_next(&stacks)) {
		s.count = stacks.counts[w->column];
		if (!s.count)
			continue;
		s.start = in_order ? (struct fg_sum){ stacks.start, 0 } : end;
		if (s.samples && (s.start.low != end.low || s.start.high != end.high)) {
			add_end(w, &s, end, add);
			rows++;
		}
		add(w, &s);
		rows++;
		s.samples++;
		s.before = s.count;
		end = s.start;
		fg_sum_add(&end, s.count);
	}
	if (s.samples) {
		add_end(w, &s, end, add);
		rows++;
	}
	fg_json_close(&w->json, ']');
	fg_stacks_release(&stacks);
	return rows;
}

/* ---- categories */

/*
 * Categories by the annotations of folded(5), in the colours of flamegraph's palettes.
 */
enum category { OTHER, KERNEL, NATIVE, JIT, INLINED };

static enum category category_of(struct fg_str name)
{
	if (fg_str_ends(name, FG_STR("_[k]")))
		return KERNEL;
	if (fg_str_ends(name, FG_STR("_[j]")) || fg_str_ends(name, FG_STR("_[1]")))
		return JIT;
	return fg_str_ends(name, FG_STR("_[i]")) ? INLINED : OTHER;
}

/*
 * Finds the category of each name. If some functions are annotated, those that are
 * neither annotated nor interpreted are native.
 */
static void find_categories(struct writer *w)
{
	const struct fg_intern *names = &w->e->values.names;
	bool any = false;

	for (uint32_t i = 0; i < names->count; i++) {
		enum category c = category_of(fg_intern_name(names, i));

		w->category_of[i] = (unsigned char)c;
		any |= c == KERNEL || c == JIT;
	}
	for (uint32_t i = 0; any && i < names->count; i++)
		if (w->category_of[i] == OTHER &&
		    !fg_str_ends(fg_intern_name(names, i), FG_STR("_[0]")))
			w->category_of[i] = NATIVE;
}

static void write_categories(struct writer *w)
{
	static const struct {
		const char *name, *color;
	} categories[] = {
		[OTHER] = { "Other", "grey" },
		[KERNEL] = { "Kernel", "orange" },
		[NATIVE] = { "Native", "red" },
		[JIT] = { "JIT", "green" },
		[INLINED] = { "Inlined", "lightblue" },
	};
	struct fg_jsonwriter *j = &w->json;

	find_categories(w);
	open_column(w, "categories");
	for (size_t i = 0; i < FG_COUNT_OF(categories); i++) {
		fg_json_open(j, '{');
		fg_json_key_string(j, "name", fg_str_from(categories[i].name));
		fg_json_key_string(j, "color", fg_str_from(categories[i].color));
		fg_json_key_raw(j, "subcategories", "[\"Other\"]");
		fg_json_close(j, '}');
	}
	fg_json_close(j, ']');
}

/* ---- rows of tables */

static void init_table(struct table *t, size_t ids)
{
	*t = (struct table){ .count = 0 };
	t->thread_of = fg_xcalloc(ids, sizeof(*t->thread_of));
	t->row_of = fg_xcalloc(ids, sizeof(*t->row_of));
}

static void release_table(struct table *t)
{
	free(t->ids);
	free(t->thread_of);
	free(t->row_of);
}

/* Adds a row, unless the table has one for the id in this thread. */
static void add_row(const struct writer *w, struct table *t, uint32_t id)
{
	if (t->thread_of[id] == w->thread)
		return;
	t->thread_of[id] = w->thread;
	t->row_of[id] = (uint32_t)t->count;
	FG_GROW(t->ids, t->alloc, t->count + 1);
	t->ids[t->count++] = id;
}

/* Adds the rows for a name. */
static void add_rows(struct writer *w, uint32_t name)
{
	const struct fg_values *v = &w->e->values;

	add_row(w, &w->frames, name);
	add_row(w, &w->functions, v->functions[name]);
	if (v->lines.of[name].number)
		add_row(w, &w->files, v->lines.of[name].file);
}

/*
 * Returns the frame after `node` in a walk of the stacks on one first frame, or
 * FG_TREE_NONE at the end.
 */
static uint32_t next_on(const struct fg_tree *t, uint32_t node, unsigned *depth)
{
	uint32_t next = fg_tree_walk(t, node, true, depth);

	return *depth ? next : FG_TREE_NONE;
}

static void number_rows(struct writer *w)
{
	const struct fg_tree *t = &w->value->tree;

	w->thread++;
	w->frames.count = 0;
	w->functions.count = 0;
	w->files.count = 0;
	w->row_count = 0;
	for (size_t i = 0; i < w->tops.count; i++) {
		uint32_t node = w->tops.nodes[i];
		unsigned depth = 0;

		for (; node != FG_TREE_NONE; node = next_on(t, node, &depth)) {
			FG_GROW(w->rows, w->row_alloc, w->row_count + 1);
			w->rows[w->row_count] = node;
			w->row_of[node] = w->row_count++;
			add_rows(w, fg_value_name(w->value, node));
		}
	}
}

/* ---- a thread */

static void write_samples(struct writer *w)
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
	length = write_sample_column(w, "stack", add_stack);
	write_sample_column(w, "weight", add_weight);
	write_sample_column(w, "time", add_time);
	write_sample_column(w, "threadCPUDelta", add_cpu);
	fg_json_key_u64(j, "length", length);
	fg_json_close(j, '}');
}

static void write_stacks(struct writer *w)
{
	const struct fg_tree *t = &w->value->tree;
	struct fg_jsonwriter *j = &w->json;

	fg_json_line(j);
	fg_json_key(j, "stackTable");
	fg_json_open(j, '{');
	fg_json_key_u64(j, "length", w->row_count);
	open_column(w, "prefix");
	for (size_t i = 0; i < w->row_count; i++) {
		uint32_t parent = t->nodes[w->rows[i]].parent;

		if (parent)
			fg_json_u64(j, w->row_of[parent]);
		else
			fg_json_raw(j, FG_STR("null"));
	}
	fg_json_close(j, ']');
	open_column(w, "frame");
	for (size_t i = 0; i < w->row_count; i++)
		fg_json_u64(j, w->frames.row_of[fg_value_name(w->value, w->rows[i])]);
	fg_json_close(j, ']');
	fg_json_close(j, '}');
}

static void add_category(struct writer *w, uint32_t name)
{
	fg_json_u64(&w->json, w->category_of[name]);
}

/* Adds the row of a name's function. */
static void add_function(struct writer *w, uint32_t name)
{
	fg_json_u64(&w->json, w->functions.row_of[w->e->values.functions[name]]);
}

/* Adds the source line of a name. */
static void add_line(struct writer *w, uint32_t name)
{
	uint32_t number = fg_values_line(&w->e->values, name);

	if (number)
		fg_json_u64(&w->json, number);
	else
		fg_json_raw(&w->json, FG_STR("null"));
}

/*
 * Adds the index in stringArray of a name's source file, or null if it has none. The
 * files come after the functions there; see write_strings().
 */
static void add_file(struct writer *w, uint32_t name)
{
	const struct fg_named_line *line = &w->e->values.lines.of[name];

	if (line->number)
		fg_json_u64(&w->json, w->functions.count + w->files.row_of[line->file]);
	else
		fg_json_raw(&w->json, FG_STR("null"));
}

static void write_frames(struct writer *w)
{
	const struct table *t = &w->frames;
	struct fg_jsonwriter *j = &w->json;

	fg_json_line(j);
	fg_json_key(j, "frameTable");
	fg_json_open(j, '{');
	fg_json_key_u64(j, "length", t->count);
	fill_column(w, "address", "-1", t);
	fill_column(w, "inlineDepth", "0", t);
	write_cells(w, "category", add_category, t);
	fill_column(w, "subcategory", "0", t);
	write_cells(w, "func", add_function, t);
	fill_column(w, "nativeSymbol", "null", t);
	fill_column(w, "innerWindowID", "0", t);
	write_cells(w, "line", add_line, t);
	fill_column(w, "column", "null", t);
	fg_json_close(j, '}');
}

static void write_functions(struct writer *w)
{
	const struct table *t = &w->functions;
	struct fg_jsonwriter *j = &w->json;

	fg_json_line(j);
	fg_json_key(j, "funcTable");
	fg_json_open(j, '{');
	fg_json_key_u64(j, "length", t->count);
	open_column(w, "name");
	for (size_t i = 0; i < t->count; i++)
		fg_json_u64(j, i);
	fg_json_close(j, ']');
	fill_column(w, "isJS", "false", t);
	fill_column(w, "relevantForJS", "false", t);
	fill_column(w, "resource", "-1", t);
	write_cells(w, "fileName", add_file, t);
	fill_column(w, "lineNumber", "null", t);
	fill_column(w, "columnNumber", "null", t);
	fg_json_close(j, '}');
}

/* Writes the names of the functions, and then the names of their files. */
static void write_strings(struct writer *w)
{
	const struct fg_values *v = &w->e->values;

	fg_json_line(&w->json);
	open_column(w, "stringArray");
	for (size_t i = 0; i < w->functions.count; i++)
		fg_json_string(&w->json, fg_values_function(v, w->functions.ids[i]));
	for (size_t i = 0; i < w->files.count; i++)
		fg_json_string(&w->json,
			       fg_intern_name(&v->lines.files, w->files.ids[i]));
	fg_json_close(&w->json, ']');
}

/* Writes the numbers of the process and the thread, which only tell them apart. */
static void write_process(struct writer *w)
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

/*
 * Writes a thread. We call no thread the main thread, because the viewer would show its
 * name in place of the process's.
 */
static void write_thread(struct writer *w, struct fg_str name)
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
	write_strings(w);
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

static void write_roots(struct writer *w, const struct fg_roots *roots)
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

static void write_column(struct writer *w)
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

static void write_meta(struct writer *w)
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
			      "\"importedFrom\":\"flamepipe\","
			      "\"markerSchema\":[]"));
	fg_json_key_string(j, "product", fg_buf_str(&w->e->values.items[0].name));
	fg_json_raw(j, FG_STR("\"extensions\":{\"length\":0,\"baseURL\":[],\"id\":[],"
			      "\"name\":[]}"));
	write_categories(w);
	fg_json_close(j, '}');
}

int fg_export_firefox(struct fg_export *e)
{
	struct writer w = { .e = e, .json = { .out = e->out } };
	struct fg_jsonwriter *j = &w.json;
	size_t names = e->values.names.count;

	init_table(&w.frames, names);
	init_table(&w.functions, names);
	init_table(&w.files, e->values.lines.files.count);
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
	release_table(&w.frames);
	release_table(&w.functions);
	release_table(&w.files);
	free(w.category_of);
	free(w.rows);
	return 0;
}
