/*
 * Reads profiles of pprof: the message Profile of github.com/google/pprof,
 * proto/profile.proto, gzipped or not. Go, Rust's pprof, Node,
 * async-profiler, Parca and Pyroscope write it. As text it would be
 *
 *     sample_type { type: 1 unit: 2 }
 *     sample { location_id: [1, 2] value: 10 }
 *     location { id: 1 line { function_id: 1 } }
 *     location { id: 2 line { function_id: 2 } }
 *     function { id: 1 name: 3 }
 *     function { id: 2 name: 4 }
 *     string_table: ["", "cpu", "nanoseconds", "leaf", "main"]
 *
 * This is "main;leaf 10". A sample has its locations leaf first, and a value for each
 * sample_type. A location has a line for its function, after those of the functions
 * that were inlined into it. The string table may come last, so we read the whole
 * profile before we count its samples.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/formats/pprof/samples.h"
#include "lib/base/longnames.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

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

struct pprof {
	struct fg_sink *sink;
	const struct fg_samples_options *options;
	enum fg_function_names names;
	struct fg_buf input; /* the whole input */
	struct pprof_profile profile; /* the tables of the input */
	bool any_profile; /* some profile had samples */
	bool any_value; /* some sample had a value other than 0 */
	bool any_before; /* an earlier input was counted */
	struct fg_buf name, unit; /* name and unit of the value that was counted */
};

static void *open_pprof(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct pprof *r = fg_xcalloc(1, sizeof(*r));
	const struct options *o = run->own;

	r->sink = sink;
	r->options = &run->samples;
	r->names = o->system_names ? FG_FUNCTION_SYSTEM_NAMES : FG_FUNCTION_NAMES;
	return r;
}

static void close_pprof(void *state)
{
	struct pprof *r = state;

	pprof_profile_release(&r->profile);
	fg_buf_release(&r->input);
	fg_buf_release(&r->name);
	fg_buf_release(&r->unit);
	free(r);
}

/* ---- the value to count */

/*
 * Returns a string, cut to FG_LONG_NAME bytes because any number of types may share it.
 */
static struct fg_str text_at(const struct pprof_profile *p, uint64_t place)
{
	return fg_str_before(pprof_string(p, place), FG_LONG_NAME);
}

/*
 * Returns the index of the value to count by default: the one that earlier inputs
 * counted, or the default_sample_type, or else the last value, like go tool pprof.
 */
static size_t default_value(const struct pprof *r, const struct fg_value *values)
{
	const struct pprof_profile *p = &r->profile;
	struct fg_str wanted = text_at(p, p->default_type);
	size_t last = p->type_count - 1;

	for (size_t i = 0; r->any_before && i <= last; i++)
		if (fg_str_eq(values[i].name, fg_buf_str(&r->name)))
			return i;
	for (size_t i = 0; wanted.len && i <= last; i++)
		if (fg_str_eq(values[i].name, wanted))
			return i;
	return last;
}

/*
 * Checks that this input counts the same value as earlier inputs, because they are
 * added up. Returns 0, or -1 after reporting that it does not.
 */
static int compare_value(struct pprof *r, const struct fg_value *value)
{
	const struct fg_place at = { fg_sink_at(r->sink)->input, 0 };

	if (!r->any_before) {
		r->any_before = true;
		fg_buf_add_str(&r->name, value->name);
		fg_buf_add_str(&r->unit, value->unit);
		return 0;
	}
	if (fg_str_eq(fg_buf_str(&r->unit), value->unit) &&
	    fg_str_eq(fg_buf_str(&r->name), value->name))
		return 0;
	return fg_error(
		fg_sink_diag(r->sink), &at,
		"this profile counts '%.*s', but earlier profiles count '%s': fold "
		"them separately",
		(int)value->name.len, value->name.ptr, fg_buf_cstr(&r->name));
}

/*
 * Returns the unit to write. For the value "samples" with the unit "count" it is
 * "samples", except for --weight list, which shows the unit of the profile.
 */
static struct fg_str unit_of(const struct pprof *r, struct fg_str name,
			     struct fg_str unit)
{
	bool listed = r->options->weight && !strcmp(r->options->weight, "list");

	return !listed && fg_str_eq(unit, FG_STR("count")) ? name : unit;
}

/* Chooses the value to count. Returns 0, or -1 like fg_sink_choose_value(). */
static int choose(struct pprof *r, struct pprof_samples *samples)
{
	const struct pprof_profile *p = &r->profile;
	struct fg_value *values = fg_xcalloc(p->type_count, sizeof(*values));
	uint64_t *factors = fg_xcalloc(p->type_count, sizeof(*factors));
	int chosen, status = -1;

	for (size_t i = 0; i < p->type_count; i++) {
		struct fg_unit_scale scale =
			fg_unit_scale(text_at(p, p->types[i].unit));

		values[i].name = text_at(p, p->types[i].name);
		values[i].unit = unit_of(r, values[i].name, scale.unit);
		factors[i] = scale.factor;
	}
	chosen = fg_sink_choose_value(r->sink, values, p->type_count,
				      default_value(r, values));
	if (chosen >= 0) {
		samples->column = (size_t)chosen;
		samples->factor = factors[chosen];
		status = compare_value(r, &values[chosen]);
	}
	free(values);
	free(factors);
	return status;
}

/* ---- reading */

/* Returns true if all values have names. If not, the input is cut short and useless. */
static bool has_types(const struct pprof_profile *p)
{
	for (size_t i = 0; i < p->type_count; i++)
		if (!pprof_string(p, p->types[i].name).ptr)
			return false;
	return p->type_count;
}

/*
 * Checks a profile that was read up to `end`. Returns 0, or -1 after reporting a fault.
 */
static int check(struct pprof *r, const struct fg_proto *end, bool was_cut)
{
	const struct fg_place at = { fg_sink_at(r->sink)->input, 0 };
	const struct pprof_profile *p = &r->profile;

	if (end->fault == FG_PROTO_WRONG)
		return fg_error(fg_sink_diag(r->sink), &at,
				"byte %zu: this is not a profile of pprof",
				r->input.len - end->rest.len);
	if (end->fault == FG_PROTO_CUT && !was_cut)
		fg_sink_warn_cut(r->sink, "the last entry is incomplete");
	if (!has_types(p))
		return fg_error(fg_sink_diag(r->sink), &at,
				p->type_count ? "the names of what is counted are "
						"missing: the profile is cut short" :
						"the profile does not say what it "
						"counts");
	if (p->is_two)
		return fg_error(
			fg_sink_diag(r->sink), &at,
			"these are two profiles, one after the other: give each "
			"as a file of its own");
	fg_sink_lose(r->sink, "damaged entries of tables", p->damaged);
	return 0;
}

/* Notes that the profile asks pprof to hide frames, which we show. */
static void note_dropped(const struct pprof *r)
{
	const struct fg_place at = { fg_sink_at(r->sink)->input, 0 };
	struct fg_str regex = pprof_string(&r->profile, r->profile.drop_frames);
	struct fg_buf text = FG_BUF_INIT;

	if (!regex.len)
		return;
	fg_buf_add_visible(&text, regex, FG_QUOTED_MAX);
	fg_note(fg_sink_diag(r->sink), &at,
		"pprof would leave out frames that match '%s', which are shown here",
		fg_buf_cstr(&text));
	fg_buf_release(&text);
}

static int read_pprof(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct pprof *r = state;
	struct pprof_samples samples = {
		.sink = r->sink,
		.options = r->options,
		.profile = &r->profile,
		.functions = { .sink = r->sink, .names = r->names },
	};
	struct fg_proto end;

	if (fg_reader_rest(reader, start, &r->input))
		return -1;
	pprof_profile_release(&r->profile);
	end = pprof_profile_read(&r->profile, fg_buf_str(&r->input));
	if (check(r, &end, fg_reader_was_cut(reader)) || choose(r, &samples))
		return -1;
	note_dropped(r);
	fg_sink_note_length(r->sink, 0, r->profile.length);
	pprof_samples_read(&samples, fg_buf_str(&r->input));
	r->any_profile = r->any_profile || r->profile.sample_count;
	r->any_value = r->any_value || samples.any_value;
	pprof_samples_release(&samples);
	return 0;
}

static void finish(void *state)
{
	struct pprof *r = state;

	fg_sink_explain_no_value(r->sink, r->any_profile, r->any_value);
}

/* ---- the format */

const struct fg_format fg_format_pprof = {
	.kind = &fg_kind_pprof,
	.summary = "Reads profiles of pprof (profile.proto, gzipped or not), as Go,\n"
		   "Rust and Node write them, and writes folded stacks.",
	.footer = "Example:\n"
		  "  curl -s localhost:6060/debug/pprof/profile | collapse-pprof |\n"
		  "    flamegraph > flame.svg",
	.hints = { .not_found = "no sample was found: is this a profile of pprof?" },
	.has_values = true,
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_pprof,
	.read = read_pprof,
	.finish = finish,
	.close = close_pprof,
};
