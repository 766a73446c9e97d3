/* Counts the samples of profiles: finds their frames, values, times and attributes. */
#include "collapse/formats/otlp/samples.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* The limit of frames per byte of input. Many samples may share a stack. */
#define FRAMES_PER_BYTE 64

/*
 * Every 8 bytes of a stack's message are charged like a frame, because reading them
 * takes time.
 */
#define BYTES_PER_FRAME 8

void otlp_samples_open(struct otlp_samples *s, size_t size)
{
	const struct otlp_rows *tables = s->dictionary->tables;

	s->stack = fg_sink_stack(s->sink);
	s->wants_time = fg_sink_wants_time(s->sink);
	s->unknown = fg_sink_name(s->sink, FG_STR(""));
	s->budget = fg_frame_budget_of(size, FRAMES_PER_BYTE);
	s->locations =
		fg_xcalloc(tables[OTLP_LOCATIONS].count + 1, sizeof(*s->locations));
	for (size_t i = 0; i <= tables[OTLP_LOCATIONS].count; i++)
		s->locations[i].frames = OTLP_UNREAD;
	s->sums = fg_xcalloc(tables[OTLP_STACKS].count + 1, sizeof(*s->sums));
}

/* ---- frames */

/* Like otlp_row(), but reports a missing row, unless its place is 0. */
static struct fg_str row(struct otlp_samples *s, enum otlp_table table, uint64_t place)
{
	struct fg_str found = otlp_row(s->dictionary, table, place);

	if (!found.ptr && place)
		fg_sink_lose(s->sink, "rows that are not in the dictionary", 1);
	return found;
}

static void add_frame(struct otlp_samples *s, const struct fg_function *f)
{
	FG_GROW(s->frames, s->frame_alloc, s->frame_count + 1);
	s->frames[s->frame_count++] = fg_function_frame(&s->functions, f);
}

static void add_line(struct otlp_samples *s, struct fg_str line, struct fg_str binary)
{
	uint64_t place = otlp_number(line, 1);
	uint64_t number = otlp_number(line, 2);
	struct fg_function f = { .binary = binary };

	if (row(s, OTLP_FUNCTIONS, place).ptr) {
		const struct otlp_function *known = &s->dictionary->functions[place];

		f.name = row(s, OTLP_STRINGS, known->name);
		f.system_name = row(s, OTLP_STRINGS, known->system_name);
		f.file = row(s, OTLP_STRINGS, known->file);
		f.line = number <= INT64_MAX ? number : 0;
	}
	add_frame(s, &f);
}

/* Makes the frames of a location, innermost first. */
static void read_location(struct otlp_samples *s, struct fg_str message,
			  struct otlp_location *location)
{
	uint64_t mapping = otlp_number(message, 1);
	struct fg_function nameless = { .line = 0 };
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;

	if (row(s, OTLP_MAPPINGS, mapping).ptr)
		nameless.binary =
			row(s, OTLP_STRINGS, s->dictionary->mappings[mapping]);
	location->first_frame = s->frame_count;
	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_BYTES(3))
			add_line(s, f.bytes, nameless.binary);
	if (s->frame_count == location->first_frame)
		add_frame(s, &nameless);
	location->frames = s->frame_count - location->first_frame;
}

/* Adds the frames of a location to the stack. Returns false if the budget is spent. */
static bool push_location(struct otlp_samples *s, uint64_t place)
{
	struct fg_str message = row(s, OTLP_LOCATIONS, place);
	struct otlp_location *location;

	if (!message.ptr)
		return fg_frame_budget_add(&s->budget, s->stack, &s->unknown, 1);
	location = &s->locations[place];
	if (location->frames == OTLP_UNREAD)
		read_location(s, message, location);
	return fg_frame_budget_add(&s->budget, s->stack,
				   s->frames + location->first_frame, location->frames);
}

/* Adds the frames of a stack. Returns false after reporting that there are too many. */
static bool push_stack(struct otlp_samples *s, uint64_t place)
{
	struct fg_str message = row(s, OTLP_STACKS, place);
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;
	uint64_t location;

	if (message.len / BYTES_PER_FRAME > s->budget.left) {
		fg_sink_lose(s->sink, FG_TOO_MANY_FRAMES, 1);
		return false;
	}
	s->budget.left -= message.len / BYTES_PER_FRAME;
	while (fg_proto_next(&m, &f)) {
		if (f.tag != FG_PROTO_NUMBER(1) && f.tag != FG_PROTO_BYTES(1))
			continue;
		while (fg_proto_each(&m, &f, &location))
			if (!push_location(s, location)) {
				fg_sink_lose(s->sink, FG_TOO_MANY_FRAMES, 1);
				return false;
			}
	}
	if (!fg_stack_depth(s->stack))
		fg_stack_add_root(s->stack, s->unknown);
	return true;
}

/* ---- attributes */

struct labels {
	struct otlp_samples *samples;
	struct fg_str message; /* the sample */
};

/*
 * Returns the value of a message KeyValue of the resource, if it has that key; if not,
 * .ptr is NULL.
 */
static struct fg_str value_of_resource(struct otlp_samples *s, struct fg_str attribute,
				       struct fg_str key)
{
	struct fg_proto m = fg_proto_of(attribute);
	struct fg_str name = { NULL, 0 }, value = { NULL, 0 };
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f)) {
		if (f.tag == FG_PROTO_BYTES(1))
			name = f.bytes;
		else if (f.tag == FG_PROTO_NUMBER(3)) /* since 1.10 */
			name = otlp_row(s->dictionary, OTLP_STRINGS, f.value);
		else if (f.tag == FG_PROTO_BYTES(2))
			value = f.bytes;
	}
	if (!fg_str_eq(name, key))
		return fg_str_of(NULL, 0);
	f = otlp_value(value);
	return otlp_value_text(s->dictionary, &f, &s->text);
}

/*
 * Returns the value of an attribute of a sample, if it has that key; if not, .ptr is
 * NULL.
 */
static struct fg_str value_of_sample(struct otlp_samples *s, uint64_t place,
				     struct fg_str key)
{
	const struct otlp_dictionary *d = s->dictionary;

	if (!otlp_row(d, OTLP_ATTRIBUTES, place).ptr ||
	    !fg_str_eq(otlp_row(d, OTLP_STRINGS, d->attributes[place].key), key))
		return fg_str_of(NULL, 0);
	return otlp_value_text(d, &d->attributes[place].value, &s->text);
}

/*
 * Returns the value. If it is a number, returns a copy in `text`, because the next
 * look-up overwrites the number.
 */
static struct fg_str keep(const struct otlp_samples *s, struct fg_str value,
			  struct fg_buf *text)
{
	if (!value.ptr || value.ptr != s->text.ptr)
		return value;
	fg_buf_clear(text);
	fg_buf_add_str(text, value);
	return fg_buf_str(text);
}

/* Returns an attribute of the resource, which is looked up once for all its samples. */
static struct fg_str find_in_resource(struct otlp_samples *s, struct fg_str key)
{
	struct fg_proto m = fg_proto_of(s->resource);
	struct fg_str value = { NULL, 0 };
	struct otlp_label *label = s->labels;
	struct fg_proto_field f;

	while (label < s->labels + s->label_count && !fg_str_eq(label->key, key))
		label++;
	if (label == s->labels + OTLP_LABELS_MAX)
		return value;
	if (label == s->labels + s->label_count) {
		s->label_count++;
		label->key = key;
		while (!value.ptr && fg_proto_next(&m, &f))
			if (f.tag == FG_PROTO_BYTES(1))
				value = value_of_resource(s, f.bytes, key);
		label->value = keep(s, value, &label->text);
	}
	return label->value;
}

/* Returns an attribute of the sample, or else of its resource. */
static struct fg_str find_label(const void *data, struct fg_str key)
{
	const struct labels *labels = data;
	struct fg_proto m = fg_proto_of(labels->message);
	struct fg_str value = { NULL, 0 };
	struct fg_proto_field f;
	uint64_t place;

	while (!value.ptr && fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_NUMBER(2) || f.tag == FG_PROTO_BYTES(2))
			while (!value.ptr && fg_proto_each(&m, &f, &place))
				value = value_of_sample(labels->samples, place, key);
	return value.ptr ? value : find_in_resource(labels->samples, key);
}

void otlp_samples_of(struct otlp_samples *s, struct fg_str resource, uint64_t factor)
{
	if (resource.ptr != s->resource.ptr)
		s->label_count = 0;
	s->resource = resource;
	s->factor = factor;
}

/*
 * Adds the root frames of a sample, named by the attributes that OpenTelemetry defines
 * for threads and processes. Returns false if --thread leaves the sample out.
 */
static bool set_owner(struct otlp_samples *s, struct fg_str message)
{
	const struct labels labels = { s, message };
	struct fg_owner owner = {
		.label = find_label,
		.data = &labels,
		/*
		 * long texts keep their address; only numbers are written to a buffer
		 * that is used again, and they are too short to be looked up here
		 */
		.long_texts = &s->long_texts,
	};
	struct fg_buf thread = FG_BUF_INIT, process = FG_BUF_INIT;
	struct fg_str name = find_label(&labels, FG_STR("thread.name"));
	bool wanted;

	owner.thread = keep(s, name, &thread);
	wanted = fg_sink_wants_owner(s->sink, &owner);
	name = find_label(&labels, FG_STR("process.executable.name"));
	if (!name.ptr)
		name = find_label(&labels, FG_STR("service.name"));
	owner.process = keep(s, name, &process);
	if (wanted)
		fg_sink_add_owner(s->sink, &owner);
	fg_buf_release(&thread);
	fg_buf_release(&process);
	return wanted;
}

/* ---- samples */

struct sample {
	uint64_t stack;
	struct fg_sum plus; /* sum of its values above 0 */
	struct fg_sum minus; /* sum of its values below 0, as a positive number */
	size_t values, times; /* number of values and of times */
};

static void add_value(struct otlp_samples *s, struct sample *sample, int64_t value)
{
	if (s->wants_time) {
		FG_GROW(s->values, s->values_alloc, sample->values + 1);
		s->values[sample->values] = value < 0 ? 0 : (uint64_t)value;
	}
	sample->values++;
	if (value < 0)
		fg_sum_add(&sample->minus, 0 - (uint64_t)value);
	else
		fg_sum_add(&sample->plus, (uint64_t)value);
}

static void add_time(struct otlp_samples *s, struct sample *sample, uint64_t time)
{
	if (s->wants_time) {
		FG_GROW(s->times, s->times_alloc, sample->times + 1);
		s->times[sample->times] = time;
	}
	sample->times++;
}

/* Adds packed times, 8 bytes each. */
static void add_times(struct otlp_samples *s, struct sample *sample, struct fg_str all)
{
	if (!s->wants_time) {
		sample->times += all.len / 8;
		return;
	}
	for (size_t at = 0; all.len - at >= 8; at += 8) {
		uint64_t time = 0;

		for (size_t i = 8; i-- > 0;)
			time = time << 8 | (unsigned char)all.ptr[at + i];
		add_time(s, sample, time);
	}
}

/* Reads a message Sample. Returns false if it is malformed. */
static bool read_sample(struct otlp_samples *s, struct fg_str message,
			struct sample *sample)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;
	uint64_t number;

	while (fg_proto_next(&m, &f)) {
		switch (f.tag) {
		case FG_PROTO_NUMBER(1):
			sample->stack = f.value;
			break;
		case FG_PROTO_NUMBER(4):
		case FG_PROTO_BYTES(4):
			while (fg_proto_each(&m, &f, &number))
				add_value(s, sample, (int64_t)number);
			break;
		case FG_PROTO_EIGHT(5):
			add_time(s, sample, f.value);
			break;
		case FG_PROTO_BYTES(5):
			add_times(s, sample, f.bytes);
			break;
		default:
			break;
		}
	}
	return !m.fault;
}

/*
 * Passes the times of a sample to the sink. Each value belongs to a time; without
 * values, each time counts 1. If there are more or fewer values than times, everything
 * counts at the first time.
 */
static void note_times(struct otlp_samples *s, const struct sample *sample,
		       struct fg_sum weight)
{
	bool is_each = fg_sum_is_zero(sample->minus) &&
		       (!sample->values || sample->values == sample->times);

	if (!s->wants_time || !sample->times)
		return;
	fg_sink_set_clock(s->sink, s->times[0], s->times[0]); /* times are since 1970 */
	if (!is_each) {
		fg_sink_add_time(s->sink, s->times[0], weight);
		return;
	}
	for (size_t i = 0; i < sample->times; i++) {
		struct fg_sum part = { sample->values ? s->values[i] : 1, 0 };

		fg_sink_add_time(s->sink, s->times[i], fg_sum_mul(part, s->factor));
	}
}

/* Counts a stack, after its root frames were added. */
static void count(struct otlp_samples *s, uint64_t stack, struct fg_sum weight,
		  bool negative)
{
	if (push_stack(s, stack))
		(negative ? fg_sink_subtract_sum : fg_sink_add_sum)(s->sink, weight, 0);
	fg_sink_clear(s->sink);
}

void otlp_samples_add(struct otlp_samples *s, struct fg_str message)
{
	struct sample sample = { .stack = 0 };
	struct otlp_sums *sums;
	struct fg_sum weight;
	bool negative;

	if (!read_sample(s, message, &sample)) {
		fg_sink_lose(s->sink, "samples that are damaged", 1);
		return;
	}
	if (!sample.values)
		sample.plus.low = sample.times;
	weight = fg_sum_less(sample.minus, sample.plus);
	negative = !fg_sum_is_zero(weight);
	if (!negative)
		weight = fg_sum_less(sample.plus, sample.minus);
	weight = fg_sum_mul(weight, s->factor);
	s->any_value = s->any_value || !fg_sum_is_zero(weight);
	if (s->options->root_count || s->options->thread.count || s->wants_time) {
		if (set_owner(s, message)) {
			note_times(s, &sample, weight);
			count(s, sample.stack, weight, negative);
		}
		return;
	}
	if (sample.stack >= s->dictionary->tables[OTLP_STACKS].count) {
		count(s, sample.stack, weight, negative);
		return;
	}
	sums = &s->sums[sample.stack];
	sums->any_sample = true;
	fg_sum_add_sum(negative ? &sums->minus : &sums->plus, weight);
}

void otlp_samples_close(struct otlp_samples *s)
{
	for (size_t i = 0; i < s->dictionary->tables[OTLP_STACKS].count; i++) {
		const struct otlp_sums *sums = &s->sums[i];

		if (sums->any_sample)
			count(s, i, sums->plus, false);
		if (!fg_sum_is_zero(sums->minus))
			count(s, i, sums->minus, true);
	}
	free(s->locations);
	free(s->frames);
	fg_function_frames_release(&s->functions);
	free(s->sums);
	free(s->values);
	free(s->times);
	for (size_t i = 0; i < OTLP_LABELS_MAX; i++)
		fg_buf_release(&s->labels[i].text);
	fg_buf_release(&s->text);
	fg_map_release(&s->long_texts);
}
