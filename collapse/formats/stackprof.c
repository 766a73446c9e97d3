/*
 * Reads the JSON of Ruby's stackprof --json, recorded with raw: true.
 *
 *     {"mode":"cpu","samples":3,"interval":1000,
 *      "frames":{"8":{"name":"Object#main","file":"a.rb","line":9},...},
 *      "raw":[2,8,16,3],"raw_timestamp_deltas":[990,1001,1002]}
 *
 * "raw" is a sequence of stacks. Each is the number of its frames, then the frames, the
 * root first, then the number of samples in a row that had this stack.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "lib/base/json.h"
#include "collapse/values.h"
#include "lib/base/count.h"
#include "lib/base/xalloc.h"

enum { SAMPLES, TIME, WEIGHTS };

#define NO_FRAME UINT32_MAX

struct stackprof {
	struct fg_sink *sink;
	struct fg_intern ids; /* stackprof's ids of frames, as strings of 8 bytes */
	/* frame ids, indexed by the id in `ids`; NO_FRAME if unknown */
	uint32_t *frames;
	size_t frames_alloc;
	uint64_t *raw;
	size_t raw_count, raw_alloc;
	int64_t *deltas; /* one for each sample, in microseconds */
	size_t delta_count, deltas_alloc;
	int64_t now; /* time of the last sample so far, in microseconds */
	bool has_raw;
	bool is_stackprof; /* the input has "mode", which stackprof writes */
};

static void *open_stackprof(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct stackprof *s = fg_xcalloc(1, sizeof(*s));

	(void)run;
	s->sink = sink;
	fg_intern_init(&s->ids);
	return s;
}

static void close_stackprof(void *state)
{
	struct stackprof *s = state;

	fg_intern_release(&s->ids);
	free(s->frames);
	free(s->raw);
	free(s->deltas);
	free(s);
}

/* ---- frames */

/*
 * Returns a pointer to the frame id for stackprof's `id`. It is NO_FRAME if that id is
 * new.
 */
static uint32_t *frame_of(struct stackprof *s, uint64_t id)
{
	size_t known = s->ids.count;
	char key[sizeof(id)];
	uint32_t number;

	memcpy(key, &id, sizeof(key));
	number = fg_intern(&s->ids, fg_str_of(key, sizeof(key)));
	if (number == known) {
		FG_GROW(s->frames, s->frames_alloc, known + 1);
		s->frames[number] = NO_FRAME;
	}
	return &s->frames[number];
}

/* Reads {"name":"Object#main","file":"a.rb","line":9,...} and returns the frame. */
static uint32_t read_frame(struct stackprof *s, struct fg_json *j)
{
	struct fg_buf name = FG_BUF_INIT, file = FG_BUF_INIT;
	enum fg_json_kind kind;
	uint64_t line = 0;
	uint32_t frame;

	while (fg_json_more(j, &kind)) {
		if (fg_str_eq(j->text, FG_STR("name"))) {
			fg_buf_clear(&name);
			fg_buf_add_str(&name, fg_json_value(j));
		} else if (fg_str_eq(j->text, FG_STR("file"))) {
			fg_buf_clear(&file);
			fg_buf_add_str(&file, fg_json_value(j));
		} else if (fg_str_eq(j->text, FG_STR("line"))) {
			fg_str_u64(fg_json_value(j), &line);
		} else {
			fg_json_skip(j, fg_json_next(j));
		}
	}
	if (!name.len)
		fg_buf_add_str(&name, FG_STR("(anonymous)"));
	frame = fg_sink_name_at(s->sink, fg_buf_str(&name), fg_buf_str(&file), line);
	fg_buf_release(&name);
	fg_buf_release(&file);
	return frame;
}

static void read_frames(struct stackprof *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind)) {
		uint32_t frame = NO_FRAME;
		uint64_t id;
		bool good = !fg_str_u64(j->text, &id);

		if (fg_json_enter(j, FG_JSON_OBJECT))
			frame = read_frame(s, j);
		if (good && frame != NO_FRAME)
			*frame_of(s, id) = frame;
	}
}

/* ---- samples */

static void read_raw(struct stackprof *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	s->raw_count = 0;
	s->has_raw = fg_json_enter(j, FG_JSON_ARRAY);
	while (s->has_raw && fg_json_more(j, &kind)) {
		uint64_t number = UINT64_MAX;

		if (kind != FG_JSON_NUMBER)
			fg_json_skip(j, kind);
		else if (fg_str_u64(j->text, &number))
			number = UINT64_MAX;
		FG_GROW(s->raw, s->raw_alloc, s->raw_count + 1);
		s->raw[s->raw_count++] = number;
	}
}

static void read_deltas(struct stackprof *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	s->delta_count = 0;
	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		struct fg_str text = kind == FG_JSON_NUMBER ? j->text : FG_STR("");
		bool negative = fg_str_cut_start(&text, FG_STR("-"));
		uint64_t delta = 0;

		if (kind != FG_JSON_NUMBER)
			fg_json_skip(j, kind);
		if (fg_str_u64(text, &delta) || delta > INT64_MAX)
			delta = 0;
		FG_GROW(s->deltas, s->deltas_alloc, s->delta_count + 1);
		s->deltas[s->delta_count++] =
			negative ? -(int64_t)delta : (int64_t)delta;
	}
}

/* Returns the time of `count` samples from `first` on, in nanoseconds; at least 0. */
static struct fg_sum time_of(const struct stackprof *s, uint64_t first, uint64_t count)
{
	struct fg_sum time = { 0, 0 }, back = { 0, 0 };

	for (uint64_t i = first; i < s->delta_count && i - first < count; i++) {
		int64_t delta = s->deltas[i];

		if (delta < 0)
			fg_sum_add(&back, 0 - (uint64_t)delta);
		else
			fg_sum_add(&time, (uint64_t)delta);
	}
	return fg_sum_mul(fg_sum_less(time, back), 1000);
}

static uint64_t to_ns(int64_t microseconds)
{
	return microseconds > INT64_MAX / 1000 ? INT64_MAX :
						 (uint64_t)microseconds * 1000;
}

/*
 * Passes the times of `count` samples from `first` on to the sink, with the part of the
 * weight that falls on each.
 */
static void add_times(struct stackprof *s, uint64_t first, uint64_t count,
		      struct fg_sum weight, bool in_time)
{
	uint64_t i = first < s->delta_count ? first : s->delta_count;

	for (; i < s->delta_count && i - first < count; i++) {
		int64_t delta = s->deltas[i];
		struct fg_sum part = { 1, 0 };

		if (delta > 0 ? s->now <= INT64_MAX - delta : s->now >= -delta)
			s->now += delta;
		if (in_time)
			part = (struct fg_sum){ delta < 0 ? 0 : (uint64_t)delta, 0 };
		part = fg_sum_mul(part, in_time ? 1000 : 1);
		if (fg_sum_is_zero(fg_sum_less(weight, part)))
			part = weight;
		weight = fg_sum_less(weight, part);
		fg_sink_add_time(s->sink, to_ns(s->now), part);
	}
	if (s->delta_count && !fg_sum_is_zero(weight))
		fg_sink_add_time(s->sink, to_ns(s->now), weight);
}

static void add_stack(struct stackprof *s, const uint64_t *ids, uint64_t count,
		      struct fg_sum weight)
{
	for (uint64_t i = count; i-- > 0;) {
		uint32_t frame = *frame_of(s, ids[i]);

		if (frame == NO_FRAME) {
			fg_sink_clear(s->sink);
			fg_sink_lose_weight(s->sink,
					    "stacks with a frame that is not in the "
					    "file",
					    weight);
			return;
		}
		fg_stack_add_root(fg_sink_stack(s->sink), frame);
	}
	if (!count)
		fg_sink_frame(s->sink, FG_STR(""));
	fg_sink_add_sum(s->sink, weight, 0);
}

static void write_samples(struct stackprof *s, int weight)
{
	uint64_t sample = 0;
	size_t at = 0;

	while (at < s->raw_count) {
		uint64_t depth = s->raw[at], count;
		struct fg_sum sum;

		if (depth >= s->raw_count - at - 1) {
			fg_sink_lose(s->sink, "stacks that are cut short", 1);
			return;
		}
		count = s->raw[at + 1 + (size_t)depth];
		sum = weight == TIME ? time_of(s, sample, count) :
				       (struct fg_sum){ count, 0 };
		if (fg_sink_wants_time(s->sink))
			add_times(s, sample, count, sum, weight == TIME);
		add_stack(s, s->raw + at + 1, (size_t)depth, sum);
		sample = fg_count_add(sample, count);
		at += (size_t)depth + 2;
	}
	if (weight == TIME && sample > s->delta_count)
		fg_sink_lose(s->sink, "samples without a time",
			     sample - s->delta_count);
}

static int write_profile(struct stackprof *s)
{
	static const struct fg_value values[WEIGHTS] = {
		[SAMPLES] = { FG_STR_INIT("samples"), FG_STR_INIT("") },
		[TIME] = { FG_STR_INIT("time"), FG_STR_INIT("ns") },
	};
	const struct fg_place at = { fg_sink_at(s->sink)->input, 0 };
	int weight;

	if (!s->has_raw && s->is_stackprof)
		return fg_error(fg_sink_diag(s->sink), &at,
				"the profile has no stacks: record with raw: true, "
				"like in StackProf.run(raw: true, ...)");
	if (!s->has_raw)
		return 0;
	weight = fg_sink_choose_value(s->sink, values, s->delta_count ? WEIGHTS : 1,
				      SAMPLES);
	if (weight < 0)
		return -1;
	write_samples(s, weight);
	return 0;
}

static void read_member(struct stackprof *s, struct fg_json *j)
{
	struct fg_str name = j->text;

	if (fg_str_eq(name, FG_STR("frames"))) {
		read_frames(s, j);
	} else if (fg_str_eq(name, FG_STR("raw"))) {
		read_raw(s, j);
	} else if (fg_str_eq(name, FG_STR("raw_timestamp_deltas"))) {
		read_deltas(s, j);
	} else {
		s->is_stackprof = s->is_stackprof || fg_str_eq(name, FG_STR("mode"));
		fg_json_skip(j, fg_json_next(j));
	}
}

static int read_profile(struct stackprof *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	while ((kind = fg_json_next(j)) > FG_JSON_END)
		if (kind == FG_JSON_NAME)
			read_member(s, j);
	if (kind == FG_JSON_ERROR)
		return fg_json_report(j, fg_sink_at(s->sink)->input,
				      fg_sink_diag(s->sink));
	return write_profile(s);
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct stackprof *s = state;
	struct fg_json j;
	int status;

	fg_intern_release(&s->ids);
	s->raw_count = s->delta_count = 0;
	s->now = 0;
	s->has_raw = s->is_stackprof = false;
	fg_json_init_reader(&j, reader, start);
	status = read_profile(s, &j);
	fg_json_release(&j);
	return status;
}

/* ---- the format */

const struct fg_format fg_format_stackprof = {
	.kind = &fg_kind_stackprof,
	.summary = "Reads what Ruby's stackprof --json writes of a profile that was\n"
		   "recorded with raw: true, and writes folded stacks.",
	.footer = "Example:\n"
		  "  stackprof --json cpu.dump > cpu.json\n"
		  "  collapse-stackprof cpu.json | flamegraph > flame.svg",
	.hints = { .empty = "did stackprof fail?",
		   .not_found = "no stack was found: is this what stackprof --json "
				"writes?" },
	.has_values = true,
	.has_times = true,
	.open = open_stackprof,
	.read = read_input,
	.close = close_stackprof,
};
