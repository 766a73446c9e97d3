/*
 * Reads "samples" and "stackFrames", which Hermes writes, and events that are samples,
 * which Dart's tools write:
 *
 *     "samples": [{"tid": "7", "ts": "10", "weight": "1", "sf": 2}],
 *     "stackFrames": {"1": {"name": "main"}, "2": {"name": "f", "parent": 1}}
 *
 *     {"ph": "P", "tid": 7, "ts": 10, "sf": "2"}
 */
#include <stdlib.h>

#include "collapse/formats/chrome/chrome.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* The parent of a frame that others refer to, but that was not read yet. */
#define NOWHERE (FG_ROWS_ROOT - 1)
#define NO_ROW UINT32_MAX

static uint32_t row_of(struct chrome *c, struct fg_str id)
{
	uint32_t row = fg_intern(&c->frame_ids, id);

	if (row == c->rows.count)
		fg_rows_add(&c->rows, NOWHERE, FG_ROWS_NO_FRAME);
	return row;
}

/* Reads a frame after its '{'. */
static void read_frame(struct chrome *c, struct fg_json *j, uint32_t row)
{
	struct fg_str name;
	uint32_t parent = FG_ROWS_ROOT;
	enum fg_json_kind kind;

	fg_buf_clear(&c->text);
	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("name"))) {
			struct fg_str text = fg_json_value(j);

			fg_buf_clear(&c->text);
			fg_buf_add_str(&c->text, text);
		} else if (fg_str_eq(j->text, FG_STR("parent"))) {
			struct fg_str text = fg_json_value(j);

			parent = text.ptr ? row_of(c, text) : FG_ROWS_ROOT;
		} else {
			fg_json_skip(j, fg_json_next(j));
		}
	if (j->error)
		return;
	name = fg_buf_str(&c->text);
	c->rows.parents[row] = parent;
	c->rows.frames[row] = fg_sink_name(
		c->sink, fg_str_trim(name).len ? name : FG_STR("(anonymous)"));
}

void chrome_read_frames(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind)) {
		uint32_t row = row_of(c, j->text);

		c->has_frames = true;
		if (fg_json_enter(j, FG_JSON_OBJECT))
			read_frame(c, j, row);
	}
}

/* Reads a sample after its '{'. */
static void read_sample(struct chrome *c, struct fg_json *j)
{
	struct chrome_sample s = { .row = NO_ROW, .weight = { 1, 0 } };
	struct fg_sum time = { 0, 0 };
	bool has_weight = true;
	enum fg_json_kind kind;

	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("sf"))) {
			struct fg_str text = fg_json_value(j);

			s.row = text.ptr ? row_of(c, text) : NO_ROW;
		} else if (fg_str_eq(j->text, FG_STR("tid"))) {
			struct fg_str text = fg_json_value(j);

			s.tid = fg_intern(&c->tids, text.ptr ? text : FG_STR(""));
		} else if (fg_str_eq(j->text, FG_STR("ts"))) {
			s.has_time = chrome_read_sum(j, 3, &time) && !time.high;
			s.time = time.low;
		} else if (fg_str_eq(j->text, FG_STR("weight"))) {
			has_weight = chrome_read_sum(j, 0, &s.weight);
		} else {
			fg_json_skip(j, fg_json_next(j));
		}
	if (j->error)
		return;
	if (!has_weight) {
		fg_sink_lose(c->sink, "weights that are negative or not numbers", 1);
		return;
	}
	FG_GROW(c->samples, c->sample_alloc, c->sample_count + 1);
	c->samples[c->sample_count++] = s;
	c->has_samples = true;
}

void chrome_read_samples(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind))
		if (kind == FG_JSON_OBJECT)
			read_sample(c, j);
		else
			fg_json_skip(j, kind);
}

void chrome_take_sample(struct chrome *c)
{
	const struct chrome_event *e = &c->event;
	struct chrome_sample s = {
		.tid = e->tid,
		.row = row_of(c, fg_buf_str(&c->frame)),
		.weight = { 1, 0 },
		.has_time = e->at.known && e->at.ns >= 0,
		.time = (uint64_t)e->at.ns,
	};

	FG_GROW(c->samples, c->sample_alloc, c->sample_count + 1);
	c->samples[c->sample_count++] = s;
}

static int compare_tids(const void *context, uint32_t a, uint32_t b)
{
	const struct chrome_sample *samples = context;

	if (samples[a].tid != samples[b].tid)
		return samples[a].tid < samples[b].tid ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Returns an array with the first named thread of each tid. The caller frees it. */
static struct chrome_thread *find_threads(const struct chrome *c)
{
	struct chrome_thread *threads = fg_xcalloc(c->tids.count, sizeof(*threads));

	for (uint32_t i = 0; i < c->tids.count; i++)
		threads[i] = (struct chrome_thread){ .tid = i, .name = CHROME_NO_NAME };
	for (size_t i = 0; i < c->thread_count; i++) {
		struct chrome_thread *known = &threads[c->threads[i].tid];

		if (known->name == CHROME_NO_NAME)
			*known = c->threads[i];
	}
	return threads;
}

static void add_sample(struct chrome *c, const struct chrome_sample *s)
{
	if (s->row == NO_ROW)
		fg_sink_lose(c->sink, "samples without a stack", 1);
	else if (!fg_rows_is_good(&c->rows, s->row))
		fg_sink_lose(c->sink, "samples whose frame is missing", 1);
	else if (fg_sink_wants_time(c->sink))
		fg_rows_add_value_at(&c->rows, s->row, s->weight,
				     s->has_time ? s->time : UINT64_MAX);
	else
		fg_rows_add_value(&c->rows, s->row, s->weight);
}

/*
 * Makes roots of the frames whose caller is missing, and reports them. Dart's roots
 * have a caller "cpuProfileRoot" that is always missing.
 */
static void root_orphans(struct chrome *c)
{
	struct fg_rows *rows = &c->rows;
	uint64_t orphans = 0;

	for (size_t i = 0; i < rows->count; i++) {
		uint32_t parent = rows->parents[i];

		if (parent >= rows->count || rows->parents[parent] != NOWHERE)
			continue;
		rows->parents[i] = FG_ROWS_ROOT;
		orphans += !fg_str_eq(fg_intern_name(&c->frame_ids, parent),
				      FG_STR("cpuProfileRoot"));
	}
	fg_sink_lose(c->sink, "frames whose caller is missing", orphans);
}

void chrome_write_samples(struct chrome *c)
{
	struct chrome_thread *threads = find_threads(c);
	uint32_t *order = fg_xcalloc(c->sample_count, sizeof(*order));

	for (uint32_t i = 0; i < c->sample_count; i++)
		order[i] = i;
	fg_sort(order, c->sample_count, compare_tids, c->samples);
	root_orphans(c);
	fg_rows_link(&c->rows);
	for (size_t i = 0, next; i < c->sample_count; i = next) {
		uint32_t tid = c->samples[order[i]].tid;
		struct fg_owner owner = chrome_owner(c, &threads[tid]);
		bool wanted = fg_sink_wants_owner(c->sink, &owner);

		for (next = i;
		     next < c->sample_count && c->samples[order[next]].tid == tid;
		     next++)
			if (wanted)
				add_sample(c, &c->samples[order[next]]);
		if (wanted)
			fg_rows_write(&c->rows, c->sink, &owner);
	}
	free(order);
	free(threads);
}
