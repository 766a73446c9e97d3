/*
 * Reads profiles of OpenTelemetry: the message ProfilesData of opentelemetry-proto 1.8
 * to 1.11, opentelemetry/proto/profiles/v1development/profiles.proto. async-profiler
 * and jfrconv write it, and OTLP/HTTP sends it. As text it would be
 *
 *     resource_profiles {
 *       resource { attributes { key: "service.name" value { ... } } }
 *       scope_profiles { profiles { samples { stack_index: 1 values: 10 } ... } }
 *     }
 *     dictionary { stack_table { location_indices: [1, 2] } ... }
 *
 * A message has any number of profiles, and each counts one type of value. They share
 * the dictionary, which may come last, so we read the whole message before we count
 * samples.
 *
 * The OpenTelemetry collector writes many such messages to a file
 * (exporter/fileexporter of opentelemetry-collector-contrib). With "format: proto" each
 * has its length before it; with "format: json", the default, they are JSON, and json.c
 * converts them to messages with their lengths.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/formats/otlp/json.h"
#include "collapse/formats/otlp/samples.h"
#include "lib/base/longnames.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

#define OPTIONS struct options
struct options {
	bool system_names;
};

static const struct fg_opt rows[] = {
	SECTION("Names"),
	FLAG("system-names", system_names,
	     "show mangled names of functions, if there are any"),
	FG_OPT_END,
};

/* A profile. Its strings point into the input. */
struct profile {
	struct fg_str message, resource;
	struct fg_value type; /* with the unit of the output */
	uint64_t factor;
};

struct otlp {
	struct fg_sink *sink;
	const struct fg_samples_options *options;
	enum fg_function_names names;
	struct fg_buf input; /* the whole input */
	struct otlp_dictionary dictionary;
	size_t dictionaries;
	struct profile *profiles;
	size_t profile_count, profile_alloc;
	struct fg_str resource; /* resource of the profiles being read */
	struct fg_value *types; /* the distinct types of the profiles of all messages */
	size_t type_count, type_alloc;
	bool first_pass; /* messages will be read again, so do not report losses yet */
	bool any_sample, any_value;
	bool any_before; /* an earlier input was counted */
	struct fg_buf name, unit; /* name and unit of the value that was counted */
};

static void *open_otlp(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct otlp *r = fg_xcalloc(1, sizeof(*r));
	const struct options *o = run->own;

	r->sink = sink;
	r->options = &run->samples;
	r->names = o->system_names ? FG_FUNCTION_SYSTEM_NAMES : FG_FUNCTION_NAMES;
	return r;
}

static void close_otlp(void *state)
{
	struct otlp *r = state;

	otlp_dictionary_release(&r->dictionary);
	free(r->profiles);
	free(r->types);
	fg_buf_release(&r->input);
	fg_buf_release(&r->name);
	fg_buf_release(&r->unit);
	free(r);
}

/* Reports an error in the input. Returns -1. */
static int fault(struct otlp *r, const char *what)
{
	const struct fg_place at = { fg_sink_at(r->sink)->input, 0 };

	return fg_error(fg_sink_diag(r->sink), &at, "%s", what);
}

static void note_damage(struct otlp *r, enum fg_proto_fault fault)
{
	fg_sink_lose(r->sink, "messages that are damaged",
		     fault != FG_PROTO_WHOLE && !r->first_pass);
}

/* ---- the messages around profiles */

static void add_profile(struct otlp *r, struct fg_str message)
{
	FG_GROW(r->profiles, r->profile_alloc, r->profile_count + 1);
	r->profiles[r->profile_count++] =
		(struct profile){ message, r->resource, .factor = 1 };
}

/* Reads a message ScopeProfiles: the profiles of one instrumentation scope. */
static void read_scope(struct otlp *r, struct fg_str message)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_BYTES(2))
			add_profile(r, f.bytes);
	note_damage(r, m.fault);
}

/*
 * Reads a message ResourceProfiles, from one process or host. The resource may be last.
 */
static void read_resource(struct otlp *r, struct fg_str message)
{
	struct fg_proto m = fg_proto_of(message);
	size_t first = r->profile_count;
	struct fg_proto_field f;

	r->resource = fg_str_of(NULL, 0);
	while (fg_proto_next(&m, &f)) {
		if (f.tag == FG_PROTO_BYTES(1))
			r->resource = f.bytes;
		else if (f.tag == FG_PROTO_BYTES(2))
			read_scope(r, f.bytes);
	}
	for (size_t i = first; i < r->profile_count; i++)
		r->profiles[i].resource = r->resource;
	note_damage(r, m.fault);
}

/* Reads a message ProfilesData. */
static enum fg_proto_fault read_data(struct otlp *r, struct fg_str message)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;

	otlp_dictionary_release(&r->dictionary);
	r->dictionaries = 0;
	r->profile_count = 0;
	while (fg_proto_next(&m, &f)) {
		if (f.tag == FG_PROTO_BYTES(1)) {
			read_resource(r, f.bytes);
		} else if (f.tag == FG_PROTO_BYTES(2)) {
			r->dictionaries++;
			note_damage(r, otlp_dictionary_read(&r->dictionary, f.bytes));
		}
	}
	otlp_dictionary_index(&r->dictionary);
	return m.fault;
}

/* ---- the types of values */

/*
 * Returns a string, cut to FG_LONG_NAME bytes because any number of profiles may share
 * it.
 */
static struct fg_str text_at(const struct otlp *r, uint64_t place)
{
	return fg_str_before(otlp_row(&r->dictionary, OTLP_STRINGS, place),
			     FG_LONG_NAME);
}

/* Reads a message ValueType. Returns false if it has another layout. */
static bool read_type(struct otlp *r, struct fg_str message, struct profile *p)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_unit_scale scale;
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f))
		if (f.tag != FG_PROTO_NUMBER(1) && f.tag != FG_PROTO_NUMBER(2))
			return false;
	scale = fg_unit_scale(text_at(r, otlp_number(message, 2)));
	p->type.name = text_at(r, otlp_number(message, 1));
	p->type.unit = scale.unit;
	p->factor = scale.factor;
	return !m.fault;
}

/*
 * Returns true for a sample of a version before 1.8, which had a range of locations
 * instead of a stack, and values in field 3.
 */
static bool is_older_sample(struct fg_str message)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_BYTES(3) || f.tag / 8 > 5)
			return true;
	return false;
}

/* Finds the type of a profile. Returns false if it has another layout. */
static bool learn_profile(struct otlp *r, struct profile *p)
{
	struct fg_proto m = fg_proto_of(p->message);
	struct fg_proto_field f;
	size_t types = 0;

	while (fg_proto_next(&m, &f)) {
		if (f.tag == FG_PROTO_BYTES(1) && !read_type(r, f.bytes, p))
			return false;
		types += f.tag == FG_PROTO_BYTES(1);
		if (f.tag == FG_PROTO_BYTES(2) && is_older_sample(f.bytes))
			return false;
		r->any_sample = r->any_sample || f.tag == FG_PROTO_BYTES(2);
	}
	return types <= 1;
}

static bool same_type(const struct fg_value *a, const struct fg_value *b)
{
	return fg_str_eq(a->name, b->name) && fg_str_eq(a->unit, b->unit);
}

/*
 * Checks that this input counts the same value as earlier inputs, because they are
 * added up. Returns 0, or -1 after reporting that it does not.
 */
static int compare_value(struct otlp *r, const struct fg_value *value)
{
	const struct fg_value before = { fg_buf_str(&r->name), fg_buf_str(&r->unit) };

	if (!r->any_before) {
		r->any_before = true;
		fg_buf_add_str(&r->name, value->name);
		fg_buf_add_str(&r->unit, value->unit);
		return 0;
	}
	if (same_type(&before, value))
		return 0;
	return fault(r, "this profile counts another value than earlier profiles: fold "
			"them separately");
}

/* The limit of types to choose from. Known profiles have up to six. */
#define TYPES_MAX 256

static void add_type(struct otlp *r, const struct fg_value *type)
{
	for (size_t k = 0; k < r->type_count; k++)
		if (same_type(&r->types[k], type))
			return;
	if (r->type_count == TYPES_MAX)
		return;
	FG_GROW(r->types, r->type_alloc, r->type_count + 1);
	r->types[r->type_count++] = *type;
}

/* Chooses the type to count. Returns NULL after reporting why it cannot. */
static const struct fg_value *choose(struct otlp *r)
{
	size_t otherwise = 0;
	int chosen;

	if (!r->type_count) {
		fault(r, "the input has no profile of OpenTelemetry");
		return NULL;
	}
	for (size_t i = r->type_count; i-- > 0;)
		if (r->name.len && fg_str_eq(r->types[i].name, fg_buf_str(&r->name)))
			otherwise = i;
	chosen = fg_sink_choose_value(r->sink, r->types, r->type_count, otherwise);
	if (chosen < 0 || compare_value(r, &r->types[chosen]))
		return NULL;
	return &r->types[chosen];
}

/* ---- reading */

/* Checks the message just read. Returns 0, or -1 after reporting an error. */
static int check_layout(struct otlp *r)
{
	if (!r->dictionaries)
		return fault(r, "the dictionary is missing: the profile is cut short, "
				"or older than version 1.8");
	if (r->dictionaries > 1)
		return fault(r,
			     "these are two profiles, one after the other: give each "
			     "as a file of its own");
	for (size_t i = 0; i < r->profile_count; i++) {
		if (!learn_profile(r, &r->profiles[i]))
			return fault(r, "this is not the layout that OpenTelemetry's "
					"profiles have in versions 1.8 to 1.11");
		add_type(r, &r->profiles[i].type);
	}
	return 0;
}

static void read_profile(struct otlp_samples *samples, const struct profile *p)
{
	struct fg_proto m = fg_proto_of(p->message);
	uint64_t start = 0, length = 0;
	struct fg_proto_field f;

	otlp_samples_of(samples, p->resource, p->factor);
	while (fg_proto_next(&m, &f)) {
		if (f.tag == FG_PROTO_BYTES(2))
			otlp_samples_add(samples, f.bytes);
		if (f.tag == FG_PROTO_EIGHT(3))
			start = f.value;
		if (f.tag == FG_PROTO_NUMBER(4))
			length = f.value;
	}
	if (start <= INT64_MAX && length <= INT64_MAX)
		fg_sink_note_length(samples->sink, start, start + length);
	fg_sink_lose(samples->sink, "messages that are damaged",
		     m.fault != FG_PROTO_WHOLE);
}

/* Counts the profiles of the given type in the message just read. */
static void count_message(struct otlp *r, struct fg_str message,
			  const struct fg_value *type)
{
	struct otlp_samples samples = {
		.sink = r->sink,
		.options = r->options,
		.dictionary = &r->dictionary,
		.functions = { .sink = r->sink, .names = r->names },
	};

	otlp_samples_open(&samples, message.len);
	for (size_t i = 0; i < r->profile_count; i++)
		if (same_type(&r->profiles[i].type, type))
			read_profile(&samples, &r->profiles[i]);
	otlp_samples_close(&samples);
	r->any_value = r->any_value || samples.any_value;
}

/* Reads an input that is one message. */
static int read_one(struct otlp *r, struct fg_str message, bool was_cut)
{
	enum fg_proto_fault end = read_data(r, message);
	const struct fg_value *type;

	if (end == FG_PROTO_WRONG)
		return fault(r, "this is not a profile of OpenTelemetry");
	if (end == FG_PROTO_CUT && !was_cut)
		fg_sink_warn_cut(r->sink, "the last entry is incomplete");
	type = check_layout(r) ? NULL : choose(r);
	if (!type)
		return -1;
	count_message(r, message, type);
	return 0;
}

/* Cuts the next message, after its length, off `rest`. Returns false at the end. */
static bool cut_framed(struct fg_str *rest, struct fg_str *message)
{
	size_t size = 0;

	for (size_t i = 0; i < OTLP_FRAME && i < rest->len; i++)
		size = size << 8 | (unsigned char)rest->ptr[i];
	if (rest->len < OTLP_FRAME || size > rest->len - OTLP_FRAME)
		return false;
	*message = fg_str_before(fg_str_from_pos(*rest, OTLP_FRAME), size);
	*rest = fg_str_from_pos(*rest, OTLP_FRAME + size);
	return true;
}

/* Reads one of several messages. If it is damaged, drops its profiles. */
static int read_framed(struct otlp *r, struct fg_str message)
{
	if (read_data(r, message) != FG_PROTO_WHOLE) {
		note_damage(r, FG_PROTO_WRONG);
		r->profile_count = 0;
	}
	return r->profile_count ? check_layout(r) : 0;
}

/*
 * Reads an input of any number of messages. A first pass collects the types of all, to
 * choose from; a second counts. So we hold the tables of one message at a time.
 */
static int read_several(struct otlp *r, struct fg_str all, bool was_cut)
{
	struct fg_str rest = all, message;
	const struct fg_value *type;

	r->first_pass = true;
	while (cut_framed(&rest, &message))
		if (read_framed(r, message))
			return -1;
	r->first_pass = false;
	if (rest.len && !was_cut)
		fg_sink_warn_cut(r->sink, "the last entry is incomplete");
	if (!r->type_count) { /* the run reports at its end that nothing was found */
		for (rest = all; cut_framed(&rest, &message);)
			read_framed(r, message);
		return 0;
	}
	type = choose(r); /* stays valid, because the second pass adds no types */
	if (!type)
		return -1;
	for (rest = all; cut_framed(&rest, &message);) {
		if (read_framed(r, message))
			return -1;
		count_message(r, message, type);
	}
	return 0;
}

/* Reads messages in JSON, which become r->input. */
static int read_json(struct otlp *r, struct fg_reader *reader,
		     const struct fg_block *start)
{
	struct fg_json j;
	int status;

	fg_json_init_reader(&j, reader, start);
	status = otlp_json_read(&j, &r->input);
	if (status)
		status = fg_json_report(&j, fg_sink_at(r->sink)->input,
					fg_sink_diag(r->sink));
	else if (j.cut && !fg_reader_was_cut(reader))
		fg_sink_warn_cut(r->sink, "the last entry is incomplete");
	fg_json_release(&j);
	return status ? -1 : read_several(r, fg_buf_str(&r->input), true);
}

static int read_otlp(void *state, struct fg_reader *reader,
		     const struct fg_block *start)
{
	struct otlp *r = state;
	struct fg_str all;
	bool was_cut;

	r->type_count = 0;
	r->first_pass = false;
	if (otlp_is_json(start->bytes))
		return read_json(r, reader, start);
	if (fg_reader_rest(reader, start, &r->input))
		return -1;
	all = fg_buf_str(&r->input);
	was_cut = fg_reader_was_cut(reader);
	return otlp_is_framed(all) ? read_several(r, all, was_cut) :
				     read_one(r, all, was_cut);
}

static void finish(void *state)
{
	struct otlp *r = state;

	fg_sink_explain_no_value(r->sink, r->any_sample, r->any_value);
}

/* ---- the format */

const struct fg_format fg_format_otlp = {
	.kind = &fg_kind_otlp,
	.summary = "Reads OpenTelemetry's profiles (ProfilesData, OTLP), as\n"
		   "async-profiler writes them, and writes folded stacks.",
	.footer = "Example:\n"
		  "  jfrconv -o otlp app.jfr app.otlp\n"
		  "  collapse-otlp app.otlp | flamegraph > flame.svg",
	.hints = { .not_found = "no sample was found: is this a profile of "
				"OpenTelemetry?" },
	.has_values = true,
	.has_times = true,
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_otlp,
	.read = read_otlp,
	.finish = finish,
	.close = close_otlp,
};
