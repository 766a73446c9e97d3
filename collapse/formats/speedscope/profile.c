/* Counts the samples, or the events, of a profile of speedscope. */
#include "collapse/formats/speedscope/profile.h"

#include <stdlib.h>

#include "collapse/decimal.h"
#include "lib/base/xalloc.h"

static void add_entry(struct speedscope *s, struct speedscope_entry entry)
{
	FG_GROW(s->entries, s->entries_alloc, s->entry_count + 1);
	s->entries[s->entry_count++] = entry;
}

/* Adds a weight to a row, at the time s->now if times are wanted. */
static void add(struct speedscope *s, uint32_t row, struct fg_sum value)
{
	if (fg_sum_is_zero(value))
		return;
	if (s->wants_time) {
		add_entry(s, (struct speedscope_entry){ row, false, value, s->now });
		fg_sum_add_sum(&s->now, value);
		return;
	}
	fg_sums_add(&s->tree, row, value);
}

/* Reads the number of a frame. Returns SPEEDSCOPE_NO_FRAME if it is malformed. */
static uint32_t frame_of(struct fg_str text)
{
	uint64_t frame;

	return fg_str_u64(text, &frame) || frame > SPEEDSCOPE_NO_FRAME ?
		       SPEEDSCOPE_NO_FRAME :
		       (uint32_t)frame;
}

/* ---- samples */

static struct speedscope_weight read_weight(struct speedscope *s, struct fg_str text)
{
	struct speedscope_weight weight = { { 0, 0 }, false };

	if (fg_decimal_sum(text, SPEEDSCOPE_DECIMALS, &weight.sum, &weight.negative))
		fg_sink_lose(s->sink, "weights that are not numbers", 1);
	return weight;
}

static void add_weight(struct speedscope *s, uint32_t row,
		       struct speedscope_weight weight)
{
	if (weight.negative)
		add_entry(s,
			  (struct speedscope_entry){ row, true, weight.sum, s->now });
	else
		add(s, row, weight.sum);
}

/* Reads a stack; its '[' has been read. Returns its row. */
static uint32_t read_stack(struct speedscope *s, struct fg_json *j)
{
	enum fg_json_kind kind;
	uint32_t row = 0;

	while (fg_json_more(j, &kind)) {
		row = fg_sums_child(&s->tree, row,
				    kind == FG_JSON_NUMBER ? frame_of(j->text) :
							     SPEEDSCOPE_NO_FRAME);
		fg_json_skip(j, kind);
	}
	return row;
}

/*
 * Enters an array. If an earlier array of this name had values, so that `count` is not
 * 0, skips it and returns false.
 */
static bool enter(struct speedscope *s, struct fg_json *j, size_t count)
{
	if (!count)
		return fg_json_enter(j, FG_JSON_ARRAY);
	fg_json_skip(j, fg_json_next(j));
	fg_sink_lose(s->sink, "repeated lists of samples or weights", 1);
	return false;
}

void speedscope_read_samples(struct speedscope *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!enter(s, j, s->sample_count))
		return;
	for (s->sample_count = 0; fg_json_more(j, &kind); s->sample_count++) {
		uint32_t row = 0;

		if (kind == FG_JSON_ARRAY)
			row = read_stack(s, j);
		else
			fg_json_skip(j, kind);
		FG_GROW(s->samples, s->samples_alloc, s->sample_count + 1);
		s->samples[s->sample_count] = row;
		if (s->sample_count < s->weight_count)
			add_weight(s, row, s->weights[s->sample_count]);
	}
}

void speedscope_read_weights(struct speedscope *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!enter(s, j, s->weight_count))
		return;
	for (s->weight_count = 0; fg_json_more(j, &kind); s->weight_count++) {
		struct speedscope_weight weight = read_weight(s, j->text);

		fg_json_skip(j, kind);
		if (s->weight_count < s->sample_count) {
			add_weight(s, s->samples[s->weight_count], weight);
		} else if (!s->sample_count) {
			FG_GROW(s->weights, s->weights_alloc, s->weight_count + 1);
			s->weights[s->weight_count] = weight;
		}
	}
}

/* ---- events */

static bool is_less(struct fg_sum a, struct fg_sum b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* Returns a pointer to the number of times that a frame is open. */
static uint32_t *times_open(struct speedscope *s, uint32_t frame)
{
	size_t known = s->frames.count;
	uint32_t id =
		fg_intern(&s->frames, fg_str_of((const char *)&frame, sizeof(frame)));

	FG_GROW(s->times_open, s->times_alloc, s->frames.count);
	if (id == known)
		s->times_open[id] = 0;
	return &s->times_open[id];
}

/* Returns the row of the innermost open frame, or the root. */
static uint32_t top_of(const struct speedscope *s)
{
	return s->depth ? s->open[s->depth - 1] : 0;
}

static void open_frame(struct speedscope *s, uint32_t frame)
{
	uint32_t row = fg_sums_child(&s->tree, top_of(s), frame);

	++*times_open(s, frame);
	FG_GROW(s->open, s->open_alloc, s->depth + 1);
	s->open[s->depth++] = row;
}

/* Closes a frame, and all frames inside it that are still open. */
static void close_frame(struct speedscope *s, uint32_t frame)
{
	uint32_t closed;

	if (!*times_open(s, frame)) {
		fg_sink_lose(s->sink, "frames that were closed but not open", 1);
		return;
	}
	if (s->tree.rows.frames[top_of(s)] != frame)
		fg_sink_lose(s->sink, "frames closed before the frames inside them", 1);
	do {
		closed = s->tree.rows.frames[s->open[--s->depth]];
		--*times_open(s, closed);
	} while (closed != frame);
}

/* {"type": "O", "frame": 0, "at": 2}; 'O' opens and 'C' closes a frame. */
struct event {
	char type;
	uint32_t frame;
	struct fg_sum at;
	bool has_time;
};

/*
 * Counts the time since the last event for the open frames, and then opens or closes a
 * frame.
 */
static void take_event(struct speedscope *s, const struct event *e)
{
	struct fg_sum at = e->at;

	if (!s->has_first)
		s->first = s->last =
			s->has_start && is_less(at, s->start) ? s->start : at;
	s->has_first = true;
	if (!e->has_time || is_less(at, s->last)) {
		fg_sink_lose(s->sink, "times that go back", 1);
		at = s->last;
	}
	s->now = s->last;
	add(s, top_of(s), fg_sum_less(at, s->last));
	s->last = at;
	if (e->type == 'O')
		open_frame(s, e->frame);
	else if (e->type == 'C')
		close_frame(s, e->frame);
	else
		fg_sink_lose(s->sink, "events of an unknown type", 1);
}

bool speedscope_read_time(struct fg_json *j, struct fg_sum *time)
{
	bool negative;

	if (!fg_decimal_sum(fg_json_value(j), SPEEDSCOPE_DECIMALS, time, &negative) &&
	    !negative)
		return true;
	*time = (struct fg_sum){ 0, 0 };
	return false;
}

void speedscope_read_events(struct speedscope *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		struct event e = { .frame = SPEEDSCOPE_NO_FRAME };

		if (kind != FG_JSON_OBJECT) {
			fg_json_skip(j, kind);
			continue;
		}
		while (fg_json_more(j, &kind))
			if (fg_str_eq(j->text, FG_STR("at"))) {
				e.has_time = speedscope_read_time(j, &e.at);
			} else if (fg_str_eq(j->text, FG_STR("frame"))) {
				e.frame = frame_of(fg_json_value(j));
			} else if (fg_str_eq(j->text, FG_STR("type"))) {
				struct fg_str type = fg_json_value(j);

				e.type = type.len == 1 ? type.ptr[0] : '?';
			} else {
				fg_json_skip(j, fg_json_next(j));
			}
		if (!j->error)
			take_event(s, &e);
	}
}

/* ---- the end of a profile */

void speedscope_end_samples(struct speedscope *s)
{
	if (s->weight_count < s->sample_count)
		fg_sink_lose(s->sink, "samples without a weight",
			     s->sample_count - s->weight_count);
	else
		fg_sink_lose(s->sink, "weights without a sample",
			     s->weight_count - s->sample_count);
}

void speedscope_end_events(struct speedscope *s)
{
	s->now = s->start;
	if (s->has_start && s->has_first)
		add(s, 0, fg_sum_less(s->first, s->start));
	s->now = s->last;
	if (s->has_end && s->has_first)
		add(s, top_of(s), fg_sum_less(s->end, s->last));
}
