/* Profiles of V8: the stacks of the nodes that samples name, and what they weigh. */
#include "collapse/v8.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* A microsecond is 10^6 picoseconds, a nanosecond 10^3. */
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
	free(v->samples);
	free(v->deltas);
	fg_buf_release(&v->text);
	free(v->open);
	memset(v, 0, sizeof(*v));
}

/* ---- parts of a profile */

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
	v->odd_times += part->odd_times;
	fg_v8_release(part);
	fg_v8_init(part, v->sink);
}

/* ---- which row a node is */

/* Rows by their ids. */
struct index {
	const struct fg_v8 *v;
	uint32_t *rows; /* in the order of their ids; the first of equal ones counts */
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
	fg_sink_lose(v->sink, "nodes with the number of another", index->count - kept);
	index->count = kept;
}

/* The row of that id, or one that does not exist. */
static uint32_t find_row(const struct index *index, uint32_t id)
{
	const uint32_t *ids = index->v->ids;
	size_t low = 0, high = index->count, guess = id ? id - 1 : 0;

	if (id == FG_V8_NO_ID)
		return FG_ROWS_ROOT - 1;
	/* they are mostly counted from 1 */
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

/*
 * Parents become rows. V8's root is no frame, nor is one without a name; the roots of
 * Business Central's profiles are functions, as are nodes whose parents were lost.
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

/* What is lost and set aside, in samples. */
struct losses {
	uint64_t unknown;
	uint64_t idle;
};

static void add_value(struct fg_v8 *v, const struct fg_v8_how *how, uint32_t row,
		      uint64_t value)
{
	if (how->idle || !v->idle[row])
		fg_rows_add_value(&v->rows, row, (struct fg_sum){ value, 0 });
}

/* The same at a time in nanoseconds; UINT64_MAX for one that is not known. */
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

/* False where that would be too large. */
static bool move_on(int64_t *at, int64_t delta)
{
	if ((delta > 0 && *at > INT64_MAX - delta) ||
	    (delta < 0 && *at < INT64_MIN / 2 - delta))
		return false;
	*at += delta;
	return true;
}

/* The times of samples, from the start; those that come before 0 are negative. */
static int64_t *make_times(struct fg_v8 *v)
{
	int64_t *times = fg_xcalloc(v->sample_count, sizeof(*times)), at = 0;

	for (size_t i = 0; i < v->sample_count; i++) {
		if (i < v->delta_count && !move_on(&at, v->deltas[i]))
			v->odd_times++;
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

/* The same of times that never go back, which need no list. */
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

/* A sample lasts until the next one, the last one until the end. */
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

/* All count alike, also those that have no time. */
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

/* Samples that have no time are lost, and when the one before them ends. */
static void drop_timeless(struct fg_v8 *v, struct fg_v8_how *how)
{
	if (how->weight != FG_V8_TIME || v->sample_count <= v->delta_count)
		return;
	fg_sink_lose(v->sink, "samples without a time",
		     v->sample_count - v->delta_count);
	v->sample_count = v->delta_count;
	how->duration = 0;
}

/* A time more than there are samples is the end of the last one. */
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
	struct losses losses = { 0, 0 };

	for (uint32_t i = 0; how->weight == FG_V8_OWN && i < v->rows.count; i++) {
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
		     how->weight == FG_V8_OWN ? "nodes without a way to a root" :
						"samples of nodes that are not there",
		     losses.unknown);
	fg_sink_skip(v->sink, FG_SKIP_IDLE, losses.idle);
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
	fg_sink_lose(v->sink, "times that are no numbers", v->odd_times);
	free(index.rows);
	fg_rows_write(&v->rows, v->sink, owner);
}
