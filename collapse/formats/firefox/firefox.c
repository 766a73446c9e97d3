/*
 * Reads profiles of the Firefox Profiler, which samply, Firefox and simpleperf write.
 * docs-developer/CHANGELOG-formats.md and src/types/profile.ts of
 * firefox-devtools/profiler describe them.
 *
 *     {"meta": {...}, "libs": [{"name": "app"}], "threads": [{"name": "main",
 *       "stackTable": {"frame": [0, 1], "prefix": [null, 0]},
 *       "frameTable": {"func": [0, 1]}, "funcTable": {"name": [0, 1]},
 *       "stringArray": ["main", "f"], "samples": {"stack": [1, 1, 0]}}]}
 *
 * Later versions have the tables once, in "shared". Firefox itself records raw
 * profiles, whose tables are rows, {"schema": {"prefix": 0, "frame": 1}, "data":
 * [[null, 0], [0, 1]]}, and whose frames are strings. The profiles of other processes
 * are in "processes", or are strings in "threads".
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/decimal.h"
#include "collapse/formats/firefox/firefox.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct options
struct options {
	bool symbols;
};

static const struct fg_opt rows[] = {
	SECTION("Names"),
	FLAG("symbols", symbols,
	     "look up names of addresses in the files that were recorded"),
	FG_OPT_END,
};

/*
 * Returns the value of --weight. We need it before there are values to choose from, to
 * skip the columns of the other values.
 */
static enum firefox_weight weight_of(const struct fg_collapse *run)
{
	struct fg_str name = fg_str_from(run->samples.weight);

	return fg_str_eq(name, FG_STR("time")) ? FIREFOX_TIME :
	       fg_str_eq(name, FG_STR("cpu"))  ? FIREFOX_CPU :
						 FIREFOX_SAMPLES;
}

static void *open_firefox(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct firefox *f = fg_xcalloc(1, sizeof(*f));
	const struct options *o = run->own;

	f->sink = sink;
	f->lines = run->samples.lines;
	if (o->symbols)
		f->symbols = firefox_symbols_new(
			sink, run->samples.lines   ? FG_INLINES_PATHS :
			      run->samples.srcline ? FG_INLINES_LINES :
						     FG_INLINES_NAMES);
	f->weight = weight_of(run);
	return f;
}

static void close_firefox(void *state)
{
	struct firefox *f = state;

	firefox_symbols_free(f->symbols);
	free(f->open);
	free(f->texts);
	fg_buf_release(&f->text);
	free(f);
}

/* ---- a profile */

static void start_profile(struct firefox *f)
{
	struct firefox_profile *p;

	FG_GROW(f->open, f->open_alloc, f->depth + 1);
	p = &f->open[f->depth++];
	memset(p, 0, sizeof(*p));
	firefox_tables_init(&p->shared);
	fg_rows_init(&p->rows);
	p->interval = FIREFOX_NO_NUMBER;
	p->cpu_factor = 1;
}

/* Ends the innermost profile. With `write`, first writes the threads that it holds. */
static void end_profile(struct firefox *f, bool write)
{
	struct firefox_profile *p = &f->open[--f->depth];

	for (size_t i = 0; i < p->count; i++) {
		if (write && !f->failed)
			firefox_write_thread(f, p, &p->threads[i]);
		firefox_thread_release(&p->threads[i]);
	}
	free(p->threads);
	free(p->libs.items);
	firefox_tables_release(&p->shared);
	fg_rows_release(&p->rows);
	fg_map_release(&p->known);
}

/* Reads {"threadCPUDelta": "ns", ...}. */
static void read_units(struct firefox_profile *p, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind)) {
		bool is_cpu = fg_str_eq(j->text, FG_STR("threadCPUDelta"));
		struct fg_str unit = fg_json_value(j);
		struct fg_unit_scale scale = fg_unit_scale(unit);

		if (is_cpu)
			p->cpu_factor =
				fg_str_eq(scale.unit, FG_STR("ns")) ? scale.factor : 0;
	}
}

/* The latest version of the format that we know. */
#define VERSION_MAX 75

/* Warns of a later version, once: we may misread it and not notice. */
static void read_version(struct firefox *f, struct fg_json *j)
{
	const struct fg_place at = { fg_sink_at(f->sink)->input, 0 };
	uint64_t version;

	if (fg_str_u64(fg_json_value(j), &version) || version <= VERSION_MAX ||
	    f->is_newer)
		return;
	f->is_newer = true;
	fg_warn(fg_sink_diag(f->sink), &at,
		"this is version %llu of the format, but only versions up to %d are "
		"known here: frames may be wrong",
		(unsigned long long)version, VERSION_MAX);
}

static void read_meta(struct firefox *f, struct firefox_profile *p, struct fg_json *j)
{
	enum fg_json_kind kind;
	bool negative;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	p->has_meta = true;
	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("interval"))) {
			if (!fg_decimal_i64(fg_json_value(j), FIREFOX_TIME_DECIMALS,
					    &p->interval) &&
			    !f->interval)
				f->interval = p->interval;
		} else if (fg_str_eq(j->text, FG_STR("importedFrom"))) {
			p->is_ours = fg_str_eq(fg_json_value(j), FG_STR("flamepipe"));
		} else if (fg_str_eq(j->text, FG_STR("startTime"))) {
			p->has_start = !fg_decimal_sum(fg_json_value(j), 6, &p->start,
						       &negative) &&
				       !negative && !p->start.high;
		} else if (fg_str_eq(j->text, FG_STR("preprocessedProfileVersion"))) {
			read_version(f, j);
		} else if (fg_str_eq(j->text, FG_STR("sampleUnits"))) {
			read_units(p, j);
		} else {
			fg_json_skip(j, fg_json_next(j));
		}
}

static void read_shared(struct firefox *f, struct firefox_profile *p, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind))
		if (!firefox_read_tables(f, j, &p->shared))
			fg_json_skip(j, fg_json_next(j));
}

/* Returns true if nothing later in the input can change the thread's stacks. */
static bool is_whole(const struct firefox_profile *p, const struct firefox_thread *t)
{
	return p->has_meta && (p->has_libs || t->has_libs) && t->tables.has_stacks &&
	       t->tables.has_strings && !t->tables.source.count;
}

/*
 * Returns true if the thread has no samples and no tables of its own. Such a thread is
 * not kept, because it takes 2 KB. But the first thread is always kept, because we
 * choose the value to count when it is written.
 */
static bool is_needless(const struct firefox_profile *p, const struct firefox_thread *t)
{
	return !t->stack.count && !t->tables.has_stacks && !t->tables.has_strings &&
	       (p->count || p->chosen);
}

static void add_thread(struct firefox *f, struct firefox_profile *p, struct fg_json *j)
{
	struct firefox_thread t;
	bool is_ready;

	firefox_read_thread(f, j, &t);
	is_ready = !j->error && !f->failed && is_whole(p, &t);
	if (is_ready)
		firefox_write_thread(f, p, &t);
	if (is_ready || is_needless(p, &t)) {
		firefox_thread_release(&t);
		return;
	}
	FG_GROW(p->threads, p->alloc, p->count + 1);
	p->threads[p->count++] = t;
}

static void read_threads(struct firefox *f, struct firefox_profile *p,
			 struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		if (kind == FG_JSON_OBJECT) {
			add_thread(f, p, j);
		} else if (kind == FG_JSON_STRING) { /* a profile of another process */
			FG_GROW(f->texts, f->texts_alloc, f->text_count + 1);
			fg_buf_init(&f->texts[f->text_count]);
			fg_buf_add_str(&f->texts[f->text_count++], j->text);
		} else {
			fg_json_skip(j, kind);
		}
	}
}

static void read_member(struct firefox *f, struct fg_json *j)
{
	struct firefox_profile *p = &f->open[f->depth - 1];
	struct fg_str name = j->text;

	if (fg_str_eq(name, FG_STR("meta"))) {
		read_meta(f, p, j);
	} else if (fg_str_eq(name, FG_STR("libs"))) {
		p->has_libs = true;
		firefox_read_libs(f, j, &p->libs);
	} else if (fg_str_eq(name, FG_STR("shared"))) {
		read_shared(f, p, j);
	} else if (fg_str_eq(name, FG_STR("threads"))) {
		read_threads(f, p, j);
	} else if (
		fg_str_eq(
			name,
			FG_STR("processes"))) { /* read_profiles() reads the members */
		fg_json_enter(j, FG_JSON_ARRAY);
	} else if (fg_str_eq(name, FG_STR("profile"))) {
		enum fg_json_kind kind = fg_json_next(j);

		if (kind == FG_JSON_OBJECT)
			start_profile(f);
		else
			fg_json_skip(j, kind);
	} else {
		fg_json_skip(j, fg_json_next(j));
	}
}

/*
 * Reads a profile, and those of other processes in it. Returns the last token, or
 * FG_JSON_ERROR.
 */
static enum fg_json_kind read_profiles(struct firefox *f, struct fg_json *j)
{
	enum fg_json_kind kind = FG_JSON_ERROR;

	while (!f->failed && (kind = fg_json_next(j)) > FG_JSON_END)
		if (kind == FG_JSON_OBJECT)
			start_profile(f);
		else if (kind == FG_JSON_OBJECT_END)
			end_profile(f, true);
		else if (kind == FG_JSON_NAME)
			read_member(f, j);
	while (f->depth)
		end_profile(f, false);
	return f->failed ? FG_JSON_ERROR : kind;
}

/* ---- the format */

/*
 * Reads the profiles that came as strings. A string may hold further strings, which are
 * appended to f->texts. They get shorter each time, so the loop ends.
 */
static void read_texts(struct firefox *f)
{
	uint64_t damaged = 0;

	for (size_t i = 0; i < f->text_count; i++) {
		struct fg_buf text = f->texts[i];
		struct fg_json j;

		fg_json_init(&j, fg_buf_str(&text));
		if (!f->failed)
			damaged += read_profiles(f, &j) == FG_JSON_ERROR;
		fg_json_release(&j);
		fg_buf_release(&text);
	}
	f->text_count = 0;
	fg_sink_lose(f->sink, "processes that cannot be read", damaged);
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct firefox *f = state;
	enum fg_json_kind kind;
	struct fg_json j;
	int status = 0;

	fg_json_init_reader(&j, reader, start);
	f->interval = 0;
	kind = read_profiles(f, &j);
	if (kind == FG_JSON_ERROR && !f->failed)
		status = fg_json_report(&j, fg_sink_at(f->sink)->input,
					fg_sink_diag(f->sink));
	fg_json_release(&j);
	read_texts(f);
	return f->failed ? -1 : status;
}

static void finish(void *state)
{
	struct firefox *f = state;

	if (f->nameless)
		fg_warn(fg_sink_diag(f->sink), NULL,
			"%llu of %llu frames have no symbol, and are shown as their "
			"library%s",
			(unsigned long long)f->nameless, (unsigned long long)f->frames,
			f->symbols ? "" : "; --symbols looks for them");
	if (f->symbols)
		firefox_symbols_report(f->symbols);
}

const struct fg_format fg_format_firefox = {
	.kind = &fg_kind_firefox,
	.summary = "Reads the profiles of samply, Firefox and simpleperf that the\n"
		   "Firefox Profiler shows, and writes folded stacks.",
	.footer = "Example:\n"
		  "  samply record --save-only -o app.json.gz ./app\n"
		  "  collapse-firefox app.json.gz | flamegraph > flame.svg",
	.hints = { .not_found = "no sample with a stack was found: is this what samply "
				"or Firefox save?",
		   .shrunk = "they freed what other stacks allocated" },
	.has_values = true,
	.rows = rows,
	.options_size = sizeof(struct options),
	.has_times = true,
	.root = FG_ROOT_THREAD,
	.open = open_firefox,
	.read = read_input,
	.finish = finish,
	.close = close_firefox,
};
