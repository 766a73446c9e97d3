/*
 * Reads the text of `go tool pprof -raw`, which prints any profile that pprof can read;
 * see Profile.String in github.com/google/pprof/profile.
 *
 *     Samples:
 *     alloc_space/bytes inuse_space/bytes[dflt]
 *        19022207          0: 5 6 9
 *                     bytes:[8192]
 *     Locations
 *          3: 0x4e0571 M=1 math.Sin /go/src/math/sin.go:189:0 s=185
 *                  main.burn /srv/m.go:6:0 s=6
 *     Mappings
 *     1: 0x400000/0x4e1000/0x0 /srv/demo b7216e57128f7a34 [FN]
 *
 * Samples come before the locations that they refer to, so each distinct stack is kept
 * until the end of the profile.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/formats/go/locations.h"
#include "collapse/values.h"
#include "lib/base/optrows.h"
#include "lib/profile/unit.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct options
struct options {
	const char *sample_type;
};

static const struct fg_opt rows[] = {
	SECTION("Samples"),
	TEXT("sample-type", sample_type, "TYPE",
	     "the value to weigh by: cpu, inuse_space, 0 for the first"),
	FG_OPT_END,
};

struct go {
	struct fg_sink *sink;
	const char *wanted; /* a type or its number; NULL: the default */
	enum { BEFORE, TYPES, SAMPLES, LOCATIONS, MAPPINGS } section;
	bool any_sample; /* the profile has samples */
	bool any_dropped; /* a stack of the profile was incomplete */
	bool has_column; /* the profile has the wanted value */
	size_t column;
	size_t columns;
	bool header;
	struct fg_unit counted; /* the unit of all profiles */
	struct fg_intern stacks; /* lists of locations, as strings of the input */
	struct sums {
		/* sums of the stack's values above 0 and below 0 */
		struct fg_sum plus, minus;
	} * sums; /* indexed by the id of the stack */
	size_t sums_alloc;
	struct go_locations locations;
};

static void *open_go(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct go *g = fg_xcalloc(1, sizeof(*g));
	const struct options *o = run->own;

	g->sink = sink;
	g->wanted = o->sample_type;
	g->header = run->samples.header;
	fg_intern_init(&g->stacks);
	go_locations_init(&g->locations, sink);
	return g;
}

static void close_go(void *state)
{
	struct go *g = state;

	fg_intern_release(&g->stacks);
	go_locations_release(&g->locations);
	fg_unit_release(&g->counted);
	free(g->sums);
	free(g);
}

/* ---- samples */

/*
 * Returns true if `type`, such as "cpu/nanoseconds", or its number is the wanted one.
 */
static bool is_wanted(const struct go *g, struct fg_str type)
{
	struct fg_str wanted = fg_str_from(g->wanted);
	uint64_t number;

	return fg_str_eq(type, wanted) || fg_str_starts_part(type, wanted, '/') ||
	       (!fg_str_u64(wanted, &number) && number == g->columns);
}

/*
 * Returns the unit of a value such as "cpu/nanoseconds". The unit of a count is its
 * name.
 */
static struct fg_str unit_of(struct fg_str name, struct fg_str unit)
{
	static const struct {
		struct fg_str unit, known;
	} units[] = {
		{ FG_STR_INIT("nanoseconds"), FG_STR_INIT("ns") },
		{ FG_STR_INIT("microseconds"), FG_STR_INIT("us") },
		{ FG_STR_INIT("milliseconds"), FG_STR_INIT("ms") },
		{ FG_STR_INIT("seconds"), FG_STR_INIT("s") },
	};

	for (size_t i = 0; i < FG_COUNT_OF(units); i++)
		if (fg_str_eq(unit, units[i].unit))
			return units[i].known;
	return fg_str_eq(unit, FG_STR("count")) ? name : unit;
}

/* Notes the unit of the weight, for --header. */
static void learn_unit(struct go *g, struct fg_str type)
{
	struct fg_str unit = type;
	struct fg_str name = fg_str_cut(&unit, '/');

	fg_unit_take(&g->counted, unit_of(name, unit), name);
}

/*
 * Chooses the weight among "samples/count cpu/nanoseconds". If pprof marks no default,
 * it is the last value, but the first one of a CPU profile.
 */
static void read_types(struct go *g, struct fg_str line)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str chosen = { NULL, 0 };
	bool any_default = false;

	g->columns = 0;
	g->has_column = !g->wanted;
	for (struct fg_str rest = fg_str_trim_right(line); rest.len; g->columns++) {
		struct fg_str type = go_cut_word(&rest);
		bool is_default = fg_str_cut_end(&type, FG_STR("[dflt]"));

		is_default |= !g->columns &&
			      fg_str_starts_part(type, FG_STR("samples"), '/') &&
			      !fg_str_has(rest, FG_STR("[dflt]"));
		if (g->wanted ? !g->has_column && is_wanted(g, type) : !any_default) {
			g->column = g->columns;
			chosen = type;
		}
		g->has_column |= g->wanted && is_wanted(g, type);
		any_default |= is_default;
	}
	g->section = SAMPLES;
	if (g->has_column) {
		learn_unit(g, chosen);
		return;
	}
	fg_buf_add_visible(&text, fg_str_trim(line), FG_QUOTED_MAX);
	fg_warn(fg_sink_diag(g->sink), fg_sink_at(g->sink),
		"there is no value '%s'; the values are: '%s'", g->wanted,
		fg_buf_cstr(&text));
	fg_buf_release(&text);
}

static bool is_list_char(char c)
{
	return fg_is_digit(c) || fg_is_blank(c);
}

/*
 * Reads the weight in "  3   30000000". It may be negative. Returns false if the text
 * is malformed.
 */
static bool read_values(const struct go *g, struct fg_str values, uint64_t *weight,
			bool *negative)
{
	size_t count = 0;

	for (; values.len; count++) {
		bool minus = values.ptr[0] == '-';
		struct fg_str word = fg_str_from_pos(values, minus);

		word = fg_str_before(word, fg_str_span(word, fg_is_digit));
		if (!word.len)
			return false;
		if (count == g->column) {
			if (fg_str_u64(word, weight))
				return false;
			*negative = minus && *weight;
		}
		values = fg_str_from_pos(values, minus + word.len);
		if (values.len && !fg_is_blank(values.ptr[0]))
			return false;
		values = fg_str_trim_left(values);
	}
	return count && count == g->columns;
}

static void add_sample(struct go *g, struct fg_str list, uint64_t weight, bool negative)
{
	size_t known = g->stacks.count;
	uint32_t stack = fg_intern(&g->stacks, list);

	if (stack == known) {
		FG_GROW(g->sums, g->sums_alloc, known + 1);
		g->sums[stack] = (struct sums){ { 0, 0 }, { 0, 0 } };
	}
	fg_sum_add(negative ? &g->sums[stack].minus : &g->sums[stack].plus, weight);
}

/*
 * Reads "  3   30000000: 1 2 ". Skips the rows that follow it with its labels, like
 * "phase:[one two]", and with -diff_base the mark of the base, "pprof::base:[true]".
 */
static void read_sample(struct go *g, struct fg_str line)
{
	struct fg_str list = fg_str_trim(line), text = list;
	struct fg_str values = fg_str_cut(&list, ':');
	bool negative = false;
	uint64_t weight = 0;

	if (fg_str_starts(list, FG_STR("[")))
		return;
	list = fg_str_trim_left(list);
	if (values.len == text.len || fg_str_span(list, is_list_char) < list.len ||
	    !read_values(g, values, &weight, &negative)) {
		if (!fg_str_has(line, FG_STR(":[")))
			fg_sink_malformed(g->sink, line);
	} else if (!g->has_column) {
		fg_sink_skip(g->sink, FG_SKIP_LEFT_OUT, 1);
	} else {
		add_sample(g, list, weight, negative);
	}
}

/* ---- profiles */

/* Returns true if the profile is cut short: its title "Mappings" always comes last. */
static bool is_cut(const struct go *g)
{
	return g->stacks.count && g->section != MAPPINGS && !g->any_dropped;
}

/* Counts a stack of these locations. A profile that is cut short may lack some. */
static void add_stack(struct go *g, struct fg_str locations, struct fg_sum sum,
		      bool negative)
{
	uint64_t *room = fg_sink_frame_budget(g->sink);
	enum go_location_found found = GO_LOCATION_ADDED;
	bool is_whole = true;

	if (!locations.len)
		fg_sink_frame(g->sink, locations);
	while (locations.len && found != GO_LOCATION_TOO_LARGE) {
		found = go_locations_add(&g->locations, go_cut_word(&locations), room);
		is_whole = is_whole && found == GO_LOCATION_ADDED;
	}
	if (found == GO_LOCATION_TOO_LARGE) {
		fg_sink_lose(g->sink, FG_TOO_MANY_FRAMES, 1);
		fg_sink_clear(g->sink);
	} else if (is_whole || g->section == MAPPINGS) {
		(negative ? fg_sink_subtract_sum : fg_sink_add_sum)(g->sink, sum, 0);
	} else {
		fg_sink_skip(g->sink, FG_SKIP_DROPPED, 1);
		g->any_dropped = true;
		fg_sink_clear(g->sink);
	}
}

/* Counts all stacks and forgets the profile. */
static void end_profile(struct go *g)
{
	if (g->section >= LOCATIONS && !g->any_sample)
		fg_sink_explain_no_value(g->sink, false, false);
	for (uint32_t id = 0; id < g->stacks.count; id++) {
		struct fg_str locations = fg_intern_name(&g->stacks, id);

		add_stack(g, locations, g->sums[id].plus, false);
		if (!fg_sum_is_zero(g->sums[id].minus))
			add_stack(g, locations, g->sums[id].minus, true);
	}
	if (is_cut(g)) {
		fg_sink_warn_cut(g->sink, "the mappings at the end are missing");
		fg_sink_set_unended(g->sink, false);
	}
	g->any_sample = g->any_dropped = false;
	fg_intern_release(&g->stacks);
	go_locations_release(&g->locations);
	go_locations_init(&g->locations, g->sink);
	g->section = BEFORE;
}

static void read_line(void *state, struct fg_str line)
{
	struct go *g = state;
	struct fg_str title = fg_str_trim_right(line);
	bool is_row = title.len && fg_is_blank(title.ptr[0]); /* it is not a title */

	if (!title.len) {
		return;
	} else if (!is_row && fg_str_eq(title, FG_STR("Samples:"))) {
		end_profile(g);
		g->section = TYPES;
	} else if (!is_row && g->section == SAMPLES &&
		   fg_str_eq(title, FG_STR("Locations"))) {
		g->section = LOCATIONS;
	} else if (!is_row && g->section == LOCATIONS &&
		   fg_str_eq(title, FG_STR("Mappings"))) {
		g->section = MAPPINGS;
	} else if (g->section == TYPES) {
		read_types(g, line);
	} else if (g->section == SAMPLES) {
		g->any_sample = true;
		read_sample(g, line);
	} else if (g->section == LOCATIONS) {
		if (!fg_sink_is_unended(g->sink) || go_locations_is_whole(line))
			go_locations_read(&g->locations, line);
	} else if (g->section == MAPPINGS) {
		go_locations_map(&g->locations, line);
	}
}

static void end_input(void *state)
{
	end_profile(state);
}

static void finish(void *state)
{
	const struct go *g = state;

	if (g->header)
		fg_unit_add(&g->counted, fg_sink_header(g->sink));
	if (g->counted.mixed_events || g->counted.mixed_units)
		fg_warn(fg_sink_diag(g->sink), NULL,
			"the profiles count different values: fold them separately");
}

/* ---- the format */

const struct fg_format fg_format_go = {
	.kind = &fg_kind_go,
	.summary =
		"Reads what `go tool pprof -raw` prints of a profile, of any program\n"
		"that pprof can read, and writes folded stacks.",
	.footer = "Example:\n"
		  "  go tool pprof -raw heap.pb.gz |\n"
		  "    collapse-go --header | flamegraph > heap.svg",
	.hints = { .empty = "did pprof fail?",
		   .not_found =
			   "no sample was found: is this the output of pprof -raw?",
		   .no_chain = "--sample-type chooses another value",
		   .left_out = "no profile has the value that --sample-type names" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_go,
	.line = read_line,
	.end_input = end_input,
	.finish = finish,
	.close = close_go,
};
