/*
 * Reads speedscope's own format, which py-spy, rbspy, dotnet-trace, austin and others
 * write. See file-format-schema.json of jlfwong/speedscope.
 *
 *     {"shared": {"frames": [{"name": "main"}, {"name": "f", "file": "a.c"}]},
 *      "profiles": [
 *       {"type": "sampled", "name": "t1", "unit": "seconds", "startValue": 0,
 *        "endValue": 0.3, "samples": [[0], [0, 1]], "weights": [0.1, 0.2]},
 *       {"type": "evented", "name": "t2", "unit": "none", "startValue": 0,
 *        "endValue": 9, "events": [{"type": "O", "frame": 0, "at": 2}]}]}
 *
 * "shared" may come last, so we keep stacks as a tree of the frames' numbers. This
 * needs memory for the distinct stacks, and 4 bytes for each sample.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/decimal.h"
#include "collapse/formats/speedscope/profile.h"
#include "lib/base/hash.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

/* A parent that does not exist. */
#define NOWHERE (FG_ROWS_ROOT - 1)

#define OPTIONS struct options
struct options {
	const char *profile;
};

static const struct fg_opt rows[] = {
	SECTION("Profiles"),
	TEXT("profile", profile, "N", "only this one of the file's profiles, from 0"),
	FG_OPT_END,
};

static void *open_speedscope(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct speedscope *s = fg_xcalloc(1, sizeof(*s));
	const struct options *o = run->own;

	s->sink = sink;
	s->has_roots = run->samples.root_count;
	s->wants_time = fg_sink_wants_time(sink);
	s->all = !o->profile || fg_str_u64(fg_str_from(o->profile), &s->wanted);
	fg_sums_init(&s->tree);
	return s;
}

static int check(struct fg_collapse *run, struct fg_diag *diag)
{
	const struct options *o = run->own;
	uint64_t number;

	if (o->profile && strcmp(o->profile, "all") != 0 &&
	    fg_str_u64(fg_str_from(o->profile), &number))
		return fg_error(diag, NULL, "--profile takes a number or 'all'");
	return 0;
}

static void start_file(struct speedscope *s)
{
	fg_sums_restart(&s->tree);
	s->name_count = s->profile_count = 0;
	s->is_ours = false;
}

static void end_file(struct speedscope *s)
{
	for (size_t i = 0; i < s->profile_count; i++) {
		fg_buf_release(&s->profiles[i].name);
		fg_buf_release(&s->profiles[i].unit);
		free(s->profiles[i].entries);
	}
}

static void close_speedscope(void *state)
{
	struct speedscope *s = state;

	fg_sums_release(&s->tree);
	free(s->entries);
	free(s->names);
	free(s->profiles);
	free(s->samples);
	free(s->weights);
	free(s->open);
	free(s->times_open);
	free(s);
}

/* ---- a profile */

static void start_profile(struct speedscope *s)
{
	s->sample_count = s->weight_count = s->tree.touched_count = s->depth = 0;
	s->entry_count = 0;
	s->now = (struct fg_sum){ 0, 0 };
	s->has_first = s->has_start = s->has_end = false;
	fg_intern_init(&s->frames);
}

/* Moves the sums from the tree, which all profiles share, to the profile just read. */
static void keep_profile(struct speedscope *s, struct speedscope_profile *p)
{
	size_t count = s->entry_count + s->tree.touched_count;

	p->entries = fg_xrealloc(s->entries, count, sizeof(*p->entries));
	p->count = count;
	for (size_t i = 0; i < s->tree.touched_count; i++) {
		uint32_t row = s->tree.touched[i];

		p->entries[s->entry_count + i] = (struct speedscope_entry){
			.row = row,
			.sum = fg_sums_take(&s->tree, row),
		};
	}
	s->entries = NULL;
	s->entry_count = s->entries_alloc = 0;
	fg_intern_release(&s->frames);
	FG_GROW(s->profiles, s->profiles_alloc, s->profile_count + 1);
	s->profiles[s->profile_count++] = *p;
}

static void keep_text(struct fg_buf *b, struct fg_json *j)
{
	struct fg_str text = fg_json_value(j);

	fg_buf_clear(b);
	fg_buf_add_str(b, text);
}

/* Reads a profile; its '{' has been read. */
static void read_profile(struct speedscope *s, struct fg_json *j)
{
	struct speedscope_profile p = { .count = 0 };
	bool evented = false;
	enum fg_json_kind kind;

	start_profile(s);
	while (fg_json_more(j, &kind)) {
		struct fg_str name = j->text;

		if (fg_str_eq(name, FG_STR("name"))) {
			keep_text(&p.name, j);
		} else if (fg_str_eq(name, FG_STR("unit"))) {
			keep_text(&p.unit, j);
		} else if (fg_str_eq(name, FG_STR("samples"))) {
			speedscope_read_samples(s, j);
		} else if (fg_str_eq(name, FG_STR("weights"))) {
			speedscope_read_weights(s, j);
		} else if (fg_str_eq(name, FG_STR("events"))) {
			evented = true;
			speedscope_read_events(s, j);
		} else if (fg_str_eq(name, FG_STR("startValue"))) {
			s->has_start = speedscope_read_time(j, &s->start);
		} else if (fg_str_eq(name, FG_STR("endValue"))) {
			s->has_end = speedscope_read_time(j, &s->end);
		} else {
			fg_json_skip(j, fg_json_next(j));
		}
	}
	if (evented)
		speedscope_end_events(s);
	else
		speedscope_end_samples(s);
	if (!evented && s->has_start)
		p.start = s->start;
	keep_profile(s, &p);
}

static void read_profiles(struct speedscope *s, struct fg_json *j)
{
	enum fg_json_kind kind;
	uint64_t i = 0;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	for (; fg_json_more(j, &kind); i++)
		if (kind == FG_JSON_OBJECT && (s->all || s->wanted == i))
			read_profile(s, j);
		else
			fg_json_skip(j, kind);
	if (i && !s->profile_count)
		fg_sink_set_cause(s->sink, "the file has no profile with the number "
					   "that --profile gives");
}

/* ---- frames */

/* Reads a frame; its '{' has been read. Returns the id of its name. */
static uint32_t read_frame(struct speedscope *s, struct fg_json *j)
{
	struct fg_buf name = FG_BUF_INIT, file = FG_BUF_INIT;
	enum fg_json_kind kind;
	uint64_t line = 0;
	uint32_t id;

	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("name")))
			keep_text(&name, j);
		else if (fg_str_eq(j->text, FG_STR("file")))
			keep_text(&file, j);
		else if (fg_str_eq(j->text, FG_STR("line")))
			fg_str_u64(fg_json_value(j), &line);
		else
			fg_json_skip(j, fg_json_next(j));
	if (!name.len)
		fg_buf_add_str(&name, FG_STR("(anonymous)"));
	id = fg_sink_name_at(s->sink, fg_buf_str(&name), fg_buf_str(&file), line);
	fg_buf_release(&name);
	fg_buf_release(&file);
	return id;
}

static void read_frames(struct speedscope *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	for (s->name_count = 0; fg_json_more(j, &kind); s->name_count++) {
		FG_GROW(s->names, s->names_alloc, s->name_count + 1);
		if (kind == FG_JSON_OBJECT) {
			s->names[s->name_count] = read_frame(s, j);
		} else {
			s->names[s->name_count] =
				fg_sink_name(s->sink, FG_STR("(anonymous)"));
			fg_json_skip(j, kind);
		}
	}
}

static void read_shared(struct speedscope *s, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("frames")))
			read_frames(s, j);
		else
			fg_json_skip(j, fg_json_next(j));
}

/* ---- a file */

/*
 * Replaces the file's numbers of frames by ids of their names. If a number has no
 * frame, the row gets a parent that does not exist, so that fg_rows_is_good() returns
 * false.
 */
static void name_rows(struct speedscope *s)
{
	struct fg_rows *tree = &s->tree.rows;

	for (size_t i = 1; i < tree->count; i++)
		if (tree->frames[i] < s->name_count)
			tree->frames[i] = s->names[tree->frames[i]];
		else
			tree->parents[i] = NOWHERE;
	fg_rows_link(tree);
}

/* Adds a weight to its row, with the time if that is wanted and the unit is a time. */
static void add_entry(struct speedscope *s, const struct speedscope_profile *p,
		      const struct speedscope_entry *e,
		      const struct fg_unit_scale *scale)
{
	struct fg_sum at = p->start;

	if (!s->wants_time || !fg_str_eq(scale->unit, FG_STR("ns"))) {
		(e->negative ? fg_rows_subtract_value :
			       fg_rows_add_value)(&s->tree.rows, e->row, e->sum);
		return;
	}
	fg_sum_add_sum(&at, e->at);
	at = fg_sum_div(fg_sum_mul(at, scale->factor), fg_pow10(SPEEDSCOPE_DECIMALS),
			NULL);
	(e->negative ? fg_rows_subtract_value_at : fg_rows_add_value_at)(
		&s->tree.rows, e->row, e->sum, at.high ? UINT64_MAX : at.low);
}

/*
 * Returns true if report-folded wrote the file and its only profile has the folded
 * stacks as they were. The profile then has the name of the event.
 */
static bool is_folded(const struct speedscope *s)
{
	return s->is_ours && s->profile_count == 1;
}

static struct fg_str name_of(const struct speedscope_profile *p)
{
	return p->name.len ? fg_buf_str(&p->name) : FG_STR("[profile]");
}

static void write_profile(struct speedscope *s, const struct speedscope_profile *p)
{
	const struct fg_unit_scale scale = fg_unit_scale(fg_buf_str(&p->unit));
	const struct fg_owner owner = { .thread = name_of(p) };
	unsigned decimals = SPEEDSCOPE_DECIMALS;
	uint64_t damaged = 0;

	/*
	 * No sum has to be multiplied: the factors from units of time to ns are
	 * powers of ten, which move the decimal point, and memory is in bytes already.
	 */
	for (uint64_t f = scale.factor; f >= 10 && fg_str_eq(scale.unit, FG_STR("ns"));
	     f /= 10)
		decimals--;
	s->tree.rows.decimals = decimals;
	for (size_t i = 0; i < p->count; i++)
		if (!fg_rows_is_good(&s->tree.rows, p->entries[i].row))
			damaged++;
		else if (!p->entries[i].row && !s->has_roots)
			fg_sink_lose(s->sink, "weights of empty stacks", 1);
		else
			add_entry(s, p, &p->entries[i], &scale);
	fg_sink_lose(s->sink, "stacks with undefined frames", damaged);
	fg_rows_write(&s->tree.rows, s->sink, is_folded(s) ? NULL : &owner);
}

/*
 * Tells the sink the unit of a profile, which is unknown if `p` is NULL. Returns 0, or
 * -1 if the run is over.
 */
static int choose(struct speedscope *s, const struct speedscope_profile *p)
{
	struct fg_value value = { FG_STR_INIT("weight"), FG_STR_INIT("") };

	if (p)
		value.unit = fg_unit_scale(fg_buf_str(&p->unit)).unit;
	if (p && is_folded(s))
		value.name = name_of(p);
	if (fg_str_eq(value.unit, FG_STR("none")))
		value.unit = FG_STR("");
	return fg_sink_choose_value(s->sink, &value, 1, 0) < 0 ? -1 : 0;
}

static int write_file(struct speedscope *s)
{
	bool any = false;

	name_rows(s);
	for (size_t i = 0; i < s->profile_count; i++) {
		const struct speedscope_profile *p = &s->profiles[i];

		if (!fg_sink_wants_owner(s->sink,
					 &(struct fg_owner){ .thread = name_of(p) }))
			continue;
		if (choose(s, p))
			return -1;
		write_profile(s, p);
		any = true;
	}
	return any ? 0 : choose(s, s->profile_count ? &s->profiles[0] : NULL);
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct speedscope *s = state;
	enum fg_json_kind kind;
	struct fg_json j;
	int status;

	start_file(s);
	fg_json_init_reader(&j, reader, start);
	while ((kind = fg_json_next(&j)) > FG_JSON_END)
		if (kind != FG_JSON_NAME) /* brackets around the members */
			fg_json_skip(&j, kind == FG_JSON_OBJECT ? FG_JSON_NULL : kind);
		else if (fg_str_eq(j.text, FG_STR("profiles")))
			read_profiles(s, &j);
		else if (fg_str_eq(j.text, FG_STR("shared")))
			read_shared(s, &j);
		else if (fg_str_eq(j.text, FG_STR("frames")))
			read_frames(s, &j);
		else if (fg_str_eq(j.text, FG_STR("exporter")))
			s->is_ours = fg_str_eq(fg_json_value(&j), FG_STR("flamepipe"));
		else
			fg_json_skip(&j, fg_json_next(&j));
	status = kind == FG_JSON_ERROR ? fg_json_report(&j, fg_sink_at(s->sink)->input,
							fg_sink_diag(s->sink)) :
					 write_file(s);
	fg_json_release(&j);
	end_file(s);
	return status;
}

/* ---- the format */

const struct fg_format fg_format_speedscope = {
	.kind = &fg_kind_speedscope,
	.summary = "Reads profiles in speedscope's format, as py-spy, rbspy and\n"
		   "dotnet-trace write them, and writes folded stacks.",
	.footer = "Example:\n"
		  "  py-spy record -f speedscope -o app.json -- python3 app.py\n"
		  "  collapse-speedscope app.json | flamegraph > flame.svg",
	.hints = { .no_stacks = "the profiler, such as py-spy or dotnet-trace, "
				"recorded none",
		   .not_found = "no stack was found: is this a profile in speedscope's "
				"format?" },
	.has_values = true,
	.has_times = true,
	.root = FG_ROOT_THREAD,
	.rows = rows,
	.options_size = sizeof(struct options),
	.check = check,
	.open = open_speedscope,
	.read = read_input,
	.close = close_speedscope,
};
