/* Reads profiles of V8, and writes the stacks of the nodes that samples name. */
#include "collapse/v8.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/decimal.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* Times are in picoseconds: a nanosecond is 10^3, a microsecond 10^6. */
#define NS_DECIMALS 3
#define US_DECIMALS 6

void fg_v8_init(struct fg_v8 *v, struct fg_sink *sink)
{
	memset(v, 0, sizeof(*v));
	v->sink = sink;
	fg_rows_init(&v->rows);
}

void fg_v8_release(struct fg_v8 *v)
{
	fg_rows_release(&v->rows);
	free(v->ids);
	free(v->own);
	free(v->idle);
	free(v->children);
	free(v->ticks);
	free(v->samples);
	free(v->deltas);
	fg_buf_release(&v->text);
	free(v->open);
	memset(v, 0, sizeof(*v));
}

/* ---- joining parts of a profile */

static void append_nodes(struct fg_v8 *v, const struct fg_v8 *part)
{
	uint32_t base = (uint32_t)v->rows.count;

	for (size_t i = 0; i < part->rows.count; i++) {
		uint32_t parent = part->rows.parents[i];
		uint32_t row = fg_rows_add(
			&v->rows, parent == FG_ROWS_ROOT ? parent : parent + base,
			part->rows.frames[i]);

		FG_GROW(v->ids, v->ids_alloc, v->rows.count);
		FG_GROW(v->own, v->own_alloc, v->rows.count);
		FG_GROW(v->idle, v->idle_alloc, v->rows.count);
		v->ids[row] = part->ids[i];
		v->own[row] = part->own[i];
		v->idle[row] = part->idle[i];
	}
	for (size_t i = 0; i < part->child_count; i++) {
		struct fg_v8_child c = part->children[i];

		if (c.parent_is_row)
			c.parent += base;
		else
			c.child += base;
		FG_GROW(v->children, v->child_alloc, v->child_count + 1);
		v->children[v->child_count++] = c;
	}
	for (size_t i = 0; i < part->tick_count; i++) {
		FG_GROW(v->ticks, v->tick_alloc, v->tick_count + 1);
		v->ticks[v->tick_count] = part->ticks[i];
		v->ticks[v->tick_count++].row += base;
	}
}

void fg_v8_append(struct fg_v8 *v, struct fg_v8 *part)
{
	append_nodes(v, part);
	for (size_t i = 0; i < part->sample_count; i++) {
		FG_GROW(v->samples, v->sample_alloc, v->sample_count + 1);
		v->samples[v->sample_count++] = part->samples[i];
	}
	for (size_t i = 0; i < part->delta_count; i++) {
		FG_GROW(v->deltas, v->delta_alloc, v->delta_count + 1);
		v->deltas[v->delta_count++] = part->deltas[i];
	}
	v->bad_times += part->bad_times;
	fg_v8_release(part);
	fg_v8_init(part, v->sink);
}

/* A node that is being read, inside its parents. Strings are offsets in fg_v8.text. */
struct fg_v8_open {
	uint32_t row;
	size_t text; /* the start of its strings */
	size_t name, name_len;
	size_t url, url_len;
	uint64_t line;
	size_t tick, tick_count; /* its ticks in fg_v8.ticks */
};

static struct fg_str text_at(const struct fg_v8 *v, size_t at, size_t len)
{
	return len ? fg_str_of(v->text.ptr + at, len) : FG_STR("");
}

static size_t keep_text(struct fg_v8 *v, struct fg_str text)
{
	size_t at = v->text.len;

	fg_buf_add_str(&v->text, text);
	return at;
}

static uint32_t read_id(struct fg_json *j)
{
	uint64_t id;

	if (fg_str_u64(fg_json_value(j), &id) || id >= FG_V8_NO_ID)
		return FG_V8_NO_ID;
	return (uint32_t)id;
}

static void add_child(struct fg_v8 *v, struct fg_v8_child child)
{
	FG_GROW(v->children, v->child_alloc, v->child_count + 1);
	v->children[v->child_count++] = child;
}

/* ---- reading nodes, in lists and in trees of any depth */

/* Reads a member that both a node and its callFrame may have, or returns false. */
static bool read_frame_member(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	struct fg_str name = j->text;
	uint64_t line;

	if (fg_str_eq(name, FG_STR("functionName"))) {
		struct fg_str text = fg_json_value(j);

		n->name = keep_text(v, text);
		n->name_len = text.len;
	} else if (fg_str_eq(name, FG_STR("url"))) {
		struct fg_str text = fg_json_value(j);

		n->url = keep_text(v, text);
		n->url_len = text.len;
	} else if (fg_str_eq(name, FG_STR("lineNumber"))) {
		n->line = fg_str_u64(fg_json_value(j), &line) || line == UINT64_MAX ?
				  0 :
				  line + 1;
	} else {
		return false;
	}
	return true;
}

static void read_call_frame(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind))
		if (!read_frame_member(v, n, j))
			fg_json_skip(j, fg_json_next(j));
}

/* Reads an item of "positionTicks", {"line": 5, "ticks": 279}. */
static void read_tick(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	struct fg_v8_tick tick = { .row = n->row };
	enum fg_json_kind kind;

	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("line")))
			fg_str_u64(fg_json_value(j), &tick.line);
		else if (fg_str_eq(j->text, FG_STR("ticks")))
			fg_str_u64(fg_json_value(j), &tick.hits);
		else
			fg_json_skip(j, fg_json_next(j));
	if (!tick.line || !tick.hits)
		return;
	FG_GROW(v->ticks, v->tick_alloc, v->tick_count + 1);
	v->ticks[v->tick_count++] = tick;
	n->tick_count++;
}

/*
 * Reads how often each line of a node was hit. Skips that with --slice, because the
 * profile does not say which line a sample was on.
 */
static void read_ticks(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (n->tick_count || !fg_sink_shows_lines(v->sink) ||
	    fg_sink_wants_time(v->sink)) {
		fg_json_skip(j, fg_json_next(j));
		return;
	}
	n->tick = v->tick_count;
	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind))
		if (kind == FG_JSON_OBJECT)
			read_tick(v, n, j);
		else
			fg_json_skip(j, kind);
}

/*
 * Reads a member of a node. If the member is a list of children, reads only its opening
 * bracket.
 */
static void read_member(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	struct fg_str name = j->text;

	if (fg_str_eq(name, FG_STR("callFrame"))) {
		read_call_frame(v, n, j);
	} else if (fg_str_eq(name, FG_STR("id"))) {
		v->ids[n->row] = read_id(j);
	} else if (fg_str_eq(name, FG_STR("parent"))) {
		add_child(v, (struct fg_v8_child){ read_id(j), n->row, false });
	} else if (fg_str_eq(name, FG_STR("hitCount"))) {
		fg_str_u64(fg_json_value(j), &v->own[n->row]);
	} else if (fg_str_eq(name, FG_STR("selfSize"))) {
		v->is_heap = true;
		fg_str_u64(fg_json_value(j), &v->own[n->row]);
	} else if (fg_str_eq(name, FG_STR("children"))) {
		fg_json_enter(j, FG_JSON_ARRAY);
	} else if (fg_str_eq(name, FG_STR("positionTicks"))) {
		read_ticks(v, n, j);
	} else if (!read_frame_member(v, n, j)) {
		fg_json_skip(j, fg_json_next(j));
	}
}

static void start_node(struct fg_v8 *v, size_t depth)
{
	uint32_t parent = depth ? v->open[depth - 1].row : FG_ROWS_ROOT;
	uint32_t row = fg_rows_add(&v->rows, parent, FG_ROWS_NO_FRAME);

	FG_GROW(v->ids, v->ids_alloc, v->rows.count);
	FG_GROW(v->own, v->own_alloc, v->rows.count);
	FG_GROW(v->idle, v->idle_alloc, v->rows.count);
	FG_GROW(v->open, v->open_alloc, depth + 1);
	v->ids[row] = FG_V8_NO_ID;
	v->own[row] = 0;
	v->idle[row] = false;
	v->open[depth] = (struct fg_v8_open){ .row = row, .text = v->text.len };
}

static void end_node(struct fg_v8 *v, struct fg_v8_open *n)
{
	struct fg_str name = text_at(v, n->name, n->name_len);
	struct fg_str url = text_at(v, n->url, n->url_len);

	v->idle[n->row] = fg_str_eq(name, FG_STR("(idle)"));
	if (!fg_str_trim(name).len)
		name = FG_STR(FG_V8_UNNAMED);
	v->rows.frames[n->row] = fg_sink_name_at(v->sink, name, url, n->line);
	for (size_t i = 0; i < n->tick_count; i++) {
		struct fg_v8_tick *t = &v->ticks[n->tick + i];

		t->frame = v->rows.frames[n->row];
		if (fg_sink_charge_name(v->sink, name.len + url.len, FG_LONG_LINES))
			t->frame = fg_sink_name_at(v->sink, name, url, t->line);
	}
	v->text.len = n->text;
}

void fg_v8_read_nodes(struct fg_v8 *v, struct fg_json *j)
{
	size_t start = j->open.len, depth = 0;
	enum fg_json_kind kind;
	uint64_t id;

	do {
		kind = fg_json_next(j);
		if (kind == FG_JSON_OBJECT)
			start_node(v, depth++);
		else if (kind == FG_JSON_OBJECT_END && depth)
			end_node(v, &v->open[--depth]);
		else if (kind == FG_JSON_NAME)
			read_member(v, &v->open[depth - 1], j);
		else if (kind == FG_JSON_NUMBER && depth && !fg_str_u64(j->text, &id) &&
			 id < FG_V8_NO_ID)
			add_child(v, (struct fg_v8_child){ v->open[depth - 1].row,
							   (uint32_t)id, true });
	} while (kind != FG_JSON_ERROR && j->open.len > start);
	while (depth)
		end_node(v, &v->open[--depth]);
}

/* ---- reading samples and their times */

static uint32_t id_of(struct fg_str text)
{
	uint64_t id;

	return fg_str_u64(text, &id) || id > FG_V8_NO_ID ? FG_V8_NO_ID : (uint32_t)id;
}

/*
 * Reads a sample of a heap profile, {"size": 8, "nodeId": 4, ...}. Returns the node's
 * id.
 */
static uint32_t read_heap_sample(struct fg_json *j)
{
	uint32_t id = FG_V8_NO_ID;
	enum fg_json_kind kind;

	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("nodeId")))
			id = id_of(fg_json_value(j));
		else
			fg_json_skip(j, fg_json_next(j));
	return id;
}

void fg_v8_read_samples(struct fg_v8 *v, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		uint32_t id = FG_V8_NO_ID;

		if (kind == FG_JSON_NUMBER)
			id = id_of(j->text);
		else if (kind == FG_JSON_OBJECT)
			id = read_heap_sample(j);
		else
			fg_json_skip(j, kind);
		FG_GROW(v->samples, v->sample_alloc, v->sample_count + 1);
		v->samples[v->sample_count++] = id;
	}
}

static void add_delta(struct fg_v8 *v, int64_t delta)
{
	FG_GROW(v->deltas, v->delta_alloc, v->delta_count + 1);
	v->deltas[v->delta_count++] = delta;
}

void fg_v8_read_deltas(struct fg_v8 *v, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		int64_t delta = 0;

		if (fg_decimal_i64(j->text, US_DECIMALS, &delta))
			v->bad_times++;
		fg_json_skip(j, kind);
		add_delta(v, delta);
	}
}

void fg_v8_own_times(struct fg_v8 *v)
{
	if (!v->delta_count)
		return;
	add_delta(v, 0);
	memmove(v->deltas + 1, v->deltas, (v->delta_count - 1) * sizeof(*v->deltas));
	v->deltas[0] = 0;
}

/* Sets *difference to b - a. Returns false if it does not fit. */
static bool subtract(struct fg_sum b, struct fg_sum a, int64_t *difference)
{
	struct fg_sum more = fg_sum_less(b, a), less = fg_sum_less(a, b);

	if (more.high || less.high || more.low > INT64_MAX || less.low > INT64_MAX)
		return false;
	*difference = (int64_t)more.low - (int64_t)less.low;
	return true;
}

void fg_v8_read_stamps(struct fg_v8 *v, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		struct fg_sum stamp = v->last_stamp;
		int64_t delta = 0;
		bool negative;

		if (fg_decimal_sum(j->text, US_DECIMALS, &stamp, &negative) ||
		    negative ||
		    (v->has_stamps && !subtract(stamp, v->last_stamp, &delta))) {
			v->bad_times++;
			stamp = v->last_stamp;
		}
		fg_json_skip(j, kind);
		if (!v->has_stamps)
			v->first = stamp;
		v->has_stamps = true;
		v->last_stamp = stamp;
		add_delta(v, delta);
	}
}

/* ---- which row a node is */

/* An index of rows by their ids. */
struct index {
	const struct fg_v8 *v;
	uint32_t *rows; /* in the order of their ids, each id once */
	size_t count;
};

static int compare_ids(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_v8 *v = context;

	if (v->ids[a] != v->ids[b])
		return v->ids[a] < v->ids[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void make_index(struct index *index, const struct fg_v8 *v)
{
	size_t kept = 0;

	index->v = v;
	index->count = v->rows.count;
	index->rows = fg_xcalloc(index->count, sizeof(*index->rows));
	for (uint32_t i = 0; i < index->count; i++)
		index->rows[i] = i;
	fg_sort(index->rows, index->count, compare_ids, v);
	for (size_t i = 0; i < index->count; i++) {
		uint32_t id = v->ids[index->rows[i]];

		if (id != FG_V8_NO_ID && kept && v->ids[index->rows[kept - 1]] == id)
			continue;
		index->rows[kept++] = index->rows[i];
	}
	fg_sink_lose(v->sink, "nodes with the id of another node", index->count - kept);
	index->count = kept;
}

/* Returns the row that has the id, or the number of a row that does not exist. */
static uint32_t find_row(const struct index *index, uint32_t id)
{
	const uint32_t *ids = index->v->ids;
	size_t low = 0, high = index->count, guess = id ? id - 1 : 0;

	if (id == FG_V8_NO_ID)
		return FG_ROWS_ROOT - 1;
	/* ids are mostly counted from 1 */
	if (guess < high && ids[index->rows[guess]] == id)
		return index->rows[guess];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ids[index->rows[middle]] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < index->count && ids[index->rows[low]] == id ? index->rows[low] :
								   FG_ROWS_ROOT - 1;
}

/* Adds a row for each line of a node, beside the node. */
static void add_line_rows(struct fg_v8 *v)
{
	for (size_t i = 0; i < v->tick_count; i++) {
		struct fg_v8_tick *t = &v->ticks[i];

		t->line_row = fg_rows_add(&v->rows, v->rows.parents[t->row], t->frame);
	}
}

/*
 * Sets the parents of all rows. A root that is V8's "(root)" or has no name does not
 * become a frame. Other roots do: profiles of Business Central have some, and nodes
 * whose parents were lost become roots.
 */
static void link_rows(struct fg_v8 *v, const struct index *index)
{
	const uint32_t unnamed = fg_sink_name(v->sink, FG_STR(FG_V8_UNNAMED));
	uint32_t *parents = v->rows.parents;
	uint64_t twice = 0;

	for (size_t i = 0; i < v->child_count; i++) {
		const struct fg_v8_child *c = &v->children[i];
		uint32_t parent = c->parent, child = c->child;

		if (c->parent_is_row)
			child = find_row(index, child);
		else
			parent = find_row(index, parent);
		if (child >= v->rows.count)
			continue;
		twice += parents[child] != FG_ROWS_ROOT && parents[child] != parent;
		if (parents[child] == FG_ROWS_ROOT)
			parents[child] = parent;
	}
	fg_sink_lose(v->sink, "nodes with two parents", twice);
	add_line_rows(v);
	parents = v->rows.parents;
	for (size_t i = 0; i < v->rows.count; i++)
		if (parents[i] == FG_ROWS_ROOT && (v->rows.frames[i] == v->rows.empty ||
						   v->rows.frames[i] == unnamed))
			v->rows.frames[i] = FG_ROWS_NO_FRAME;
	fg_rows_link(&v->rows);
}

/* ---- what rows weigh */

struct fg_v8_sample {
	uint32_t row;
	int64_t at;
	uint64_t value;
};

/* Samples that are not counted. */
struct losses {
	uint64_t unknown; /* samples whose node does not exist */
	uint64_t idle;
};

static void add_value(struct fg_v8 *v, const struct fg_v8_how *how, uint32_t row,
		      uint64_t value)
{
	if (how->idle || !v->idle[row])
		fg_rows_add_value(&v->rows, row, (struct fg_sum){ value, 0 });
}

/* Like add_value(), at a time in nanoseconds; UINT64_MAX if it is unknown. */
static void add_value_at(struct fg_v8 *v, const struct fg_v8_how *how,
			 const struct fg_v8_sample *s, uint64_t at)
{
	if (how->idle || !v->idle[s->row])
		fg_rows_add_value_at(&v->rows, s->row, (struct fg_sum){ s->value, 0 },
				     at);
}

/* Adds a sample's value to its row; s->at is in picoseconds after how->start. */
static void add_sample(struct fg_v8 *v, const struct fg_v8_how *how,
		       const struct fg_v8_sample *s)
{
	struct fg_sum at = how->start;

	if (!fg_sink_wants_time(v->sink)) {
		add_value(v, how, s->row, s->value);
		return;
	}
	if (s->at < 0)
		at = fg_sum_less(at, (struct fg_sum){ 0 - (uint64_t)s->at, 0 });
	else
		fg_sum_add(&at, (uint64_t)s->at);
	at = fg_sum_div(at, 1000, NULL);
	add_value_at(v, how, s, at.high ? UINT64_MAX : at.low);
}

/* Adds `delta` to *at. Returns false if the sum is too large. */
static bool move_on(int64_t *at, int64_t delta)
{
	if ((delta > 0 && *at > INT64_MAX - delta) ||
	    (delta < 0 && *at < INT64_MIN / 2 - delta))
		return false;
	*at += delta;
	return true;
}

/*
 * Returns the times of all samples, in picoseconds since the start. They may be
 * negative.
 */
static int64_t *make_times(struct fg_v8 *v)
{
	int64_t *times = fg_xcalloc(v->sample_count, sizeof(*times)), at = 0;

	for (size_t i = 0; i < v->sample_count; i++) {
		if (i < v->delta_count && !move_on(&at, v->deltas[i]))
			v->bad_times++;
		times[i] = at;
	}
	return times;
}

static int compare_times(const void *context, uint32_t a, uint32_t b)
{
	const int64_t *times = context;

	if (times[a] != times[b])
		return times[a] < times[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

/*
 * Like weigh_by_time(), for times that never go back, which need not be sorted. Returns
 * false if they do go back.
 */
static bool weigh_in_order(struct fg_v8 *v, const struct index *index,
			   const struct fg_v8_how *how)
{
	int64_t at = 0;

	for (size_t i = 0; i < v->delta_count; i++)
		if (v->deltas[i] < 0 || v->deltas[i] > INT64_MAX - at)
			return false;
		else
			at += v->deltas[i];
	at = 0;
	for (size_t i = 0; i < v->sample_count; i++) {
		uint32_t row = find_row(index, v->samples[i]);
		bool last = i + 1 == v->sample_count;
		int64_t length = i + 1 < v->delta_count ? v->deltas[i + 1] : 0;

		at += i < v->delta_count ? v->deltas[i] : 0;
		if (last)
			length = how->duration - at;
		if (length > 0 && fg_rows_is_good(&v->rows, row))
			add_sample(v, how,
				   &(struct fg_v8_sample){ row, at, (uint64_t)length });
	}
	return true;
}

/* Weighs each sample by the time until the next one, or until the end. */
static void weigh_by_time(struct fg_v8 *v, const struct index *index,
			  const struct fg_v8_how *how)
{
	uint32_t *order = fg_xcalloc(v->sample_count, sizeof(*order));
	int64_t *times = make_times(v);

	for (uint32_t i = 0; i < v->sample_count; i++)
		order[i] = i;
	fg_sort(order, v->sample_count, compare_times, times);
	for (size_t i = 0; i < v->sample_count; i++) {
		uint32_t row = find_row(index, v->samples[order[i]]);
		int64_t at = times[order[i]];
		int64_t end =
			i + 1 < v->sample_count ? times[order[i + 1]] : how->duration;

		if (end > at && fg_rows_is_good(&v->rows, row))
			add_sample(v, how,
				   &(struct fg_v8_sample){
					   row, at, (uint64_t)end - (uint64_t)at });
	}
	free(order);
	free(times);
}

/* Counts 1 for each sample, also for those without a time. */
static void weigh_by_samples(struct fg_v8 *v, const struct index *index,
			     const struct fg_v8_how *how)
{
	int64_t *times = fg_sink_wants_time(v->sink) ? make_times(v) : NULL;

	for (size_t i = 0; i < v->sample_count; i++) {
		struct fg_v8_sample sample = { find_row(index, v->samples[i]),
					       times ? times[i] : 0, 1 };

		if (!fg_rows_is_good(&v->rows, sample.row))
			continue;
		if (!times || i < v->delta_count)
			add_sample(v, how, &sample);
		else
			add_value_at(v, how, &sample, UINT64_MAX);
	}
	free(times);
}

/*
 * Drops the samples without a time. They come last, so the end of the last sample that
 * has a time is then unknown.
 */
static void drop_timeless(struct fg_v8 *v, struct fg_v8_how *how)
{
	if (how->weight != FG_V8_TIME || v->sample_count <= v->delta_count)
		return;
	fg_sink_lose(v->sink, "samples without a time",
		     v->sample_count - v->delta_count);
	v->sample_count = v->delta_count;
	how->duration = 0;
}

/*
 * If there is one time more than there are samples, it is the end of the last sample.
 */
static void end_last(const struct fg_v8 *v, struct fg_v8_how *how)
{
	int64_t end = 0;

	if (v->delta_count <= v->sample_count)
		return;
	for (size_t i = 0; i <= v->sample_count; i++)
		if (!move_on(&end, v->deltas[i]))
			return;
	how->duration = end;
}

static void weigh(struct fg_v8 *v, const struct index *index,
		  const struct fg_v8_how *how)
{
	const size_t nodes = v->rows.count - v->tick_count;
	struct losses losses = { 0, 0 };

	for (uint32_t i = 0; how->weight == FG_V8_OWN && i < nodes; i++) {
		bool good = fg_rows_is_good(&v->rows, i);

		if (good)
			add_value(v, how, i, v->own[i]);
		losses.unknown += !good;
	}
	for (size_t i = 0; how->weight != FG_V8_OWN && i < v->sample_count; i++) {
		uint32_t row = find_row(index, v->samples[i]);

		if (!fg_rows_is_good(&v->rows, row)) {
			losses.unknown++;
			continue;
		}
		losses.idle += !how->idle && v->idle[row];
	}
	if (how->weight == FG_V8_SAMPLES)
		weigh_by_samples(v, index, how);
	if (how->weight == FG_V8_TIME) {
		v->rows.decimals = how->microseconds ? US_DECIMALS : NS_DECIMALS;
		if (!weigh_in_order(v, index, how))
			weigh_by_time(v, index, how);
	}
	fg_sink_lose(v->sink,
		     how->weight == FG_V8_OWN ? "nodes without a path to a root" :
						"samples of nodes that are missing",
		     losses.unknown);
	fg_sink_skip(v->sink, FG_SKIP_IDLE, losses.idle);
}

/* ---- lines of nodes */

/*
 * Divides the value of a node among its `count` lines, in proportion to their hits. The
 * share of hits without a line stays in the node's own row. Shares are rounded to whole
 * numbers and add up to the value.
 */
static void divide(struct fg_v8 *v, const struct fg_v8_tick *ticks, size_t count)
{
	uint32_t row = ticks->row;
	struct fg_sum hits = { 0, 0 }, all = { v->own[row], 0 }, moved = { 0, 0 };
	struct fg_sum value = fg_rows_value(&v->rows, row);
	uint64_t one = fg_pow10(v->rows.decimals);
	struct fg_sum whole = fg_sum_div(value, one, NULL);

	for (size_t i = 0; i < count; i++)
		fg_sum_add(&hits, ticks[i].hits);
	if (fg_sum_is_zero(fg_sum_less(all, hits)))
		all = hits;
	hits = (struct fg_sum){ 0, 0 };
	for (size_t i = 0; i < count; i++) {
		struct fg_sum end;

		fg_sum_add(&hits, ticks[i].hits);
		end = fg_sum_mul(fg_sum_share(whole, hits, all), one);
		if (fg_sum_is_zero(fg_sum_less(all, hits)))
			end = value;
		fg_rows_move_value(&v->rows, row, ticks[i].line_row,
				   fg_sum_less(end, moved));
		moved = end;
	}
}

static void divide_by_lines(struct fg_v8 *v)
{
	for (size_t i = 0, next; i < v->tick_count; i = next) {
		for (next = i; next < v->tick_count; next++)
			if (v->ticks[next].row != v->ticks[i].row)
				break;
		if (fg_rows_is_good(&v->rows, v->ticks[i].row))
			divide(v, &v->ticks[i], next - i);
	}
}

void fg_v8_write(struct fg_v8 *v, const struct fg_v8_how *how,
		 const struct fg_owner *owner)
{
	struct fg_v8_how timed = *how;
	struct index index;

	drop_timeless(v, &timed);
	end_last(v, &timed);
	make_index(&index, v);
	v->rows.empty = fg_sink_name(v->sink, FG_STR("(root)"));
	link_rows(v, &index);
	weigh(v, &index, &timed);
	divide_by_lines(v);
	fg_sink_lose(v->sink, "times that are not numbers", v->bad_times);
	free(index.rows);
	fg_rows_write(&v->rows, v->sink, owner);
}
