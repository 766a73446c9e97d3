/* Counts the samples of a profile: finds their frames, their value and their labels. */
#include "collapse/formats/pprof/samples.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

/* The limit of frames per byte of input. Real profiles have about one. */
#define FRAMES_PER_BYTE 32

static const char unnamed[] = "names that are not in the profile";

/* ---- frames */

/* Like pprof_string(), but reports a missing string. */
static struct fg_str name_at(struct pprof_samples *s, uint64_t place)
{
	struct fg_str name = pprof_string(s->profile, place);

	if (!name.ptr && place)
		fg_sink_lose(s->sink, unnamed, 1);
	return name;
}

static struct fg_str binary_of(struct pprof_samples *s, uint64_t mapping)
{
	uint32_t row = pprof_ids_find(&s->profile->mapping_ids, mapping);

	return row == PPROF_NO_ROW ? fg_str_of(NULL, 0) :
				     name_at(s, s->profile->mappings[row]);
}

static void add_frame(struct pprof_samples *s, const struct fg_function *f)
{
	FG_GROW(s->frames, s->frame_alloc, s->frame_count + 1);
	s->frames[s->frame_count++] = fg_function_frame(&s->functions, f);
}

/* Adds the frame of a line of a location. It may be inlined into the next line. */
static void add_line(struct pprof_samples *s, struct fg_str message,
		     struct fg_str binary)
{
	const struct pprof_profile *p = s->profile;
	struct fg_function function = { .binary = binary };
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;
	uint64_t id = 0;
	uint32_t row;

	while (fg_proto_next(&m, &f)) {
		if (f.tag == FG_PROTO_NUMBER(1))
			id = f.value;
		else if (f.tag == FG_PROTO_NUMBER(2) && f.value <= INT64_MAX)
			function.line = f.value;
	}
	row = pprof_ids_find(&p->function_ids, id);
	if (row != PPROF_NO_ROW) {
		function.name = name_at(s, p->functions[row].name);
		function.system_name = name_at(s, p->functions[row].system_name);
		function.file = name_at(s, p->functions[row].file);
	}
	add_frame(s, &function);
}

/* Makes the frames of a location, innermost first. */
static void read_location(struct pprof_samples *s, struct pprof_location *location)
{
	struct fg_proto m = fg_proto_of(location->message);
	struct fg_function nameless = { .line = 0 };
	struct fg_proto_field f;
	uint64_t mapping = 0;

	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_NUMBER(2))
			mapping = f.value;
	nameless.binary = binary_of(s, mapping);
	location->first_frame = s->frame_count;
	m = fg_proto_of(location->message);
	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_BYTES(4))
			add_line(s, f.bytes, nameless.binary);
	if (s->frame_count == location->first_frame)
		add_frame(s, &nameless);
	location->frames = s->frame_count - location->first_frame;
}

/* Adds the frames of a location to the stack. Returns false if the budget is spent. */
static bool push_location(struct pprof_samples *s, uint64_t id)
{
	uint32_t row = pprof_ids_find(&s->profile->location_ids, id);
	struct pprof_location *location;

	if (row == PPROF_NO_ROW) {
		fg_sink_lose(s->sink, "locations that are not in the profile", 1);
		fg_stack_add_root(s->stack, s->unknown);
		return true;
	}
	location = &s->profile->locations[row];
	if (location->frames == PPROF_UNREAD)
		read_location(s, location);
	return fg_frame_budget_add(&s->budget, s->stack,
				   s->frames + location->first_frame, location->frames);
}

/* ---- labels */

struct labels {
	struct pprof_samples *samples;
	struct fg_str message; /* the sample */
};

/* Returns the value of a label if it has that key; if not, .ptr is NULL. */
static struct fg_str value_of(struct pprof_samples *s, struct fg_str label,
			      struct fg_str key)
{
	struct fg_proto m = fg_proto_of(label);
	uint64_t name = 0, text = 0, number = 0;
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f)) {
		if (f.tag == FG_PROTO_NUMBER(1))
			name = f.value;
		else if (f.tag == FG_PROTO_NUMBER(2))
			text = f.value;
		else if (f.tag == FG_PROTO_NUMBER(3))
			number = f.value;
	}
	if (!fg_str_eq(pprof_string(s->profile, name), key))
		return fg_str_of(NULL, 0);
	if (text)
		return pprof_string(s->profile, text);
	fg_buf_clear(&s->number);
	fg_buf_addf(&s->number, "%" PRId64, (int64_t)number);
	return fg_buf_str(&s->number);
}

static struct fg_str find_label(const void *data, struct fg_str key)
{
	const struct labels *labels = data;
	struct fg_proto m = fg_proto_of(labels->message);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f)) {
		struct fg_str value;

		if (f.tag != FG_PROTO_BYTES(3))
			continue;
		value = value_of(labels->samples, f.bytes, key);
		if (value.ptr)
			return value;
	}
	return fg_str_of(NULL, 0);
}

/* ---- samples */

/*
 * Adds the frames of a sample to the stack, and sets *value. Returns false after
 * reporting a loss.
 */
static bool read_sample(struct pprof_samples *s, struct fg_str message, int64_t *value)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;
	size_t values = 0;
	uint64_t number;

	while (fg_proto_next(&m, &f)) {
		switch (f.tag) {
		case FG_PROTO_NUMBER(1):
		case FG_PROTO_BYTES(1):
			while (fg_proto_each(&m, &f, &number))
				if (!push_location(s, number)) {
					fg_sink_lose(s->sink,
						     "samples with too many inlined "
						     "functions",
						     1);
					return false;
				}
			break;
		case FG_PROTO_NUMBER(2):
		case FG_PROTO_BYTES(2):
			while (fg_proto_each(&m, &f, &number))
				if (values++ == s->column)
					*value = (int64_t)number;
			break;
		default:
			break;
		}
	}
	if (m.fault)
		fg_sink_lose(s->sink, "samples that are damaged", 1);
	return !m.fault;
}

/* Returns the thread: async-profiler has "thread", ddtrace "thread name". */
static struct fg_str thread_of(const struct labels *labels)
{
	struct fg_str thread = find_label(labels, FG_STR("thread"));

	return thread.ptr ? thread : find_label(labels, FG_STR("thread name"));
}

/* Adds the root frames of a sample. Returns false if --thread leaves it out. */
static bool add_owner(struct pprof_samples *s, struct fg_str message)
{
	const struct labels labels = { s, message };
	struct fg_owner owner = {
		.label = find_label,
		.data = &labels,
		/* texts of numbers move, but they are short */
		.long_texts = &s->long_texts,
	};

	if (!s->options->root_count && !s->options->thread.count)
		return true;
	owner.thread = thread_of(&labels);
	if (!fg_sink_wants_owner(s->sink, &owner))
		return false;
	fg_sink_add_owner(s->sink, &owner);
	return true;
}

static void add_sample(struct pprof_samples *s, struct fg_str message)
{
	struct fg_sum weight = { 0, 0 };
	int64_t value = 0;

	fg_sink_clear(s->sink);
	if (!read_sample(s, message, &value)) {
		s->any_value = true; /* the value is not known */
		return;
	}
	if (!add_owner(s, message))
		return;
	weight.low = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	weight = fg_sum_mul(weight, s->factor);
	if (!fg_stack_depth(s->stack) && !s->has_root)
		fg_stack_add_root(s->stack, s->unknown);
	s->any_value = s->any_value || value;
	if (value < 0)
		fg_sink_subtract_sum(s->sink, weight, 0);
	else
		fg_sink_add_sum(s->sink, weight, 0);
}

void pprof_samples_read(struct pprof_samples *s, struct fg_str bytes)
{
	const struct fg_samples_options *o = s->options;
	struct fg_proto m = fg_proto_of(bytes);
	struct fg_proto_field f;

	s->unknown = fg_sink_name(s->sink, FG_STR(""));
	s->stack = fg_sink_stack(s->sink);
	for (size_t i = 0; i < o->root_count; i++)
		s->has_root = s->has_root || o->roots[i].kind == FG_ROOT_LABEL;
	s->budget = fg_frame_budget_of(bytes.len, FRAMES_PER_BYTE);
	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_BYTES(2))
			add_sample(s, f.bytes);
	fg_sink_clear(s->sink);
}

void pprof_samples_release(struct pprof_samples *s)
{
	free(s->frames);
	fg_function_frames_release(&s->functions);
	fg_buf_release(&s->number);
	fg_map_release(&s->long_texts);
	*s = (struct pprof_samples){ .frames = NULL };
}
