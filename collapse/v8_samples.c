/* Profiles of V8: the samples and their times, in lists. */
#include <string.h>

#include "collapse/decimal.h"
#include "collapse/v8.h"
#include "lib/base/xalloc.h"

/* A microsecond is 10^6 picoseconds. */
#define OF_MICROSECONDS 6

static uint32_t id_of(struct fg_str text)
{
	uint64_t id;

	return fg_str_u64(text, &id) || id > FG_V8_NO_ID ? FG_V8_NO_ID : (uint32_t)id;
}

/* {"size": 8, "nodeId": 4, ...} */
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

		if (fg_decimal_i64(j->text, OF_MICROSECONDS, &delta))
			v->odd_times++;
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

/* b - a, where that fits. */
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

		if (fg_decimal_sum(j->text, OF_MICROSECONDS, &stamp, &negative) ||
		    negative ||
		    (v->has_stamps && !subtract(stamp, v->last_stamp, &delta))) {
			v->odd_times++;
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
