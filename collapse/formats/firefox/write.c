/*
 * Counts the stacks of a thread. Its stackTable is a tree: each row has a frame and the
 * row of its caller, and a sample refers to a row. So it becomes struct fg_rows
 * (collapse/rows.h), to which we add the weights of the samples.
 */
#include "collapse/formats/firefox/firefox.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* The parent of a malformed row. */
#define NOWHERE (FG_ROWS_ROOT - 1)

/* The tables that a thread uses: its own, or those of its profile. */
struct view {
	struct firefox_tables *stacks; /* stacks, frames and functions */
	const struct firefox_tables *shared;
	const struct firefox_strings *strings;
	struct firefox_libs *libs;
	/* frame ids, by the index of the string that names them */
	struct fg_map *known;
};

/* ---- frames */

/*
 * In later versions of the format, columns of flags say which values of a frame or a
 * function are set. A value that is not set may be any number; it is often 0, so that
 * its column can be packed.
 */
enum frame_flag {
	FRAME_ADDRESS = 1 << 1, /* the address and the library are set */
	FRAME_LINE = 1 << 4,
};
enum func_flag { FUNC_SOURCE = 1 << 3 };

/* Returns true if the flag is set, or if there are no flags. */
static bool has(const struct firefox_column *flags, uint32_t row, uint32_t flag)
{
	return !flags->count || (firefox_row(flags, row) & flag);
}

/* Returns the index of the library of a frame, or FIREFOX_NONE. */
static uint32_t lib_of(const struct firefox_tables *t, uint32_t frame, uint32_t func)
{
	if (!has(&t->frame_flags, frame, FRAME_ADDRESS))
		return FIREFOX_NONE;
	if (t->lib.count)
		return firefox_row(&t->lib, frame);
	return firefox_row(&t->resource_lib, firefox_row(&t->resource, func));
}

static struct fg_str file_of(const struct view *v, uint32_t func)
{
	const struct firefox_tables *t = v->stacks;
	uint32_t file = firefox_row(&t->source, func);

	if (t->file_name.count)
		return firefox_string(v->strings, firefox_row(&t->file_name, func));
	if (!has(&t->func_flags, func, FUNC_SOURCE))
		return FG_STR("");
	return firefox_string(v->strings, firefox_row(&v->shared->source_names, file));
}

/*
 * Returns the path of a source file in its repository, or `file` if it is not in one:
 *
 *     hg:hg.mozilla.org/mozilla-central:xpcom/a.cpp:997f00815e6b   xpcom/a.cpp
 *     cargo:github.com-1ecc6299db9ec823:tokio-1.6.1:src/lib.rs     src/lib.rs
 *     s3:gecko-generated-sources:a5d3747707d6/ipc/a.cpp:           ipc/a.cpp
 */
static struct fg_str path_in_repository(struct fg_str file)
{
	struct fg_str rest = file, kind = fg_str_cut(&rest, ':'), path;

	fg_str_cut(&rest, ':');
	path = fg_str_cut(&rest, ':');
	if (fg_str_eq(kind, FG_STR("cargo")))
		path = fg_str_cut(&rest, ':');
	else if (fg_str_eq(kind, FG_STR("s3")))
		fg_str_cut(&path, '/');
	else if (!fg_str_eq(kind, FG_STR("hg")) && !fg_str_eq(kind, FG_STR("git")))
		return file;
	return path.len ? path : file;
}

/* Returns the frame id of row `frame`. With `lined`, its name has file and line. */
static uint32_t name_frame(struct firefox *f, const struct view *v, uint32_t frame,
			   bool lined)
{
	const struct firefox_tables *t = v->stacks;
	uint32_t func = firefox_row(&t->func, frame), lib, line;
	struct fg_str name = firefox_string(v->strings, firefox_row(&t->name, func));
	struct fg_str file = FG_STR("");
	uint64_t address;

	f->frames++;
	if (firefox_is_address(name, &address)) {
		int64_t known = firefox_number(&t->address, frame);

		lib = lib_of(t, frame, func);
		if (known >= 0)
			address = (uint64_t)known;
		return firefox_address(
			f, lib < v->libs->count ? &v->libs->items[lib] : NULL, address);
	}
	line = has(&t->frame_flags, frame, FRAME_LINE) ? firefox_row(&t->line, frame) :
							 0;
	if (lined)
		file = f->lines ? path_in_repository(file_of(v, func)) :
				  file_of(v, func);
	return fg_sink_name_at(f->sink, name, file, line < FIREFOX_BAD ? line : 0);
}

/* ---- rows */

/* Returns the parent of a row, FG_ROWS_ROOT, or NOWHERE if it is malformed. */
static uint32_t parent_of(const struct firefox_tables *t, uint32_t row)
{
	uint32_t value;

	if (t->prefix_offset.count) {
		value = firefox_row(&t->prefix_offset, row);
		return !value ? FG_ROWS_ROOT : value <= row ? row - value : NOWHERE;
	}
	value = firefox_row(&t->prefix, row);
	return value == FIREFOX_NONE ? FG_ROWS_ROOT : value < row ? value : NOWHERE;
}

/* The frame ids of a frameTable. */
struct names {
	uint32_t *of; /* indexed by the row of the frameTable */
	size_t count;
	/*
	 * With --symbols: the callers into which each frame was inlined, root first.
	 * Those of frame i end at outer_ends[i].
	 */
	uint32_t *outer;
	size_t *outer_ends;
	size_t outer_count, outer_alloc;
};

/* Returns the index of the string that names a frame. */
static uint32_t text_of(const struct firefox_tables *t, uint32_t frame)
{
	return t->raw ? t->location.rows[frame] :
			firefox_row(&t->name, firefox_row(&t->func, frame));
}

/* Returns true if a frame is shown with its file. */
static bool is_lined(struct firefox *f, const struct view *v, uint32_t frame,
		     uint32_t text)
{
	struct fg_str name = firefox_string(v->strings, text), file;

	if (v->stacks->raw || !fg_sink_shows_file(f->sink, name))
		return false;
	file = file_of(v, firefox_row(&v->stacks->func, frame));
	return file.len &&
	       fg_sink_charge_name(f->sink, name.len + file.len, FG_LONG_LINES);
}

/*
 * Returns the frame id of row `frame`, and sets f->found to the callers that it was
 * inlined into.
 */
static uint32_t name_of(struct firefox *f, const struct view *v, uint32_t frame)
{
	uint32_t text = text_of(v->stacks, frame), name;
	bool lined = is_lined(f, v, frame, text);
	const struct fg_map_key key = { text, v->stacks->raw };
	size_t *known = lined ? NULL : fg_map_find(v->known, key);
	uint64_t address;
	bool is_new;

	f->found_count = 0;
	if (known) {
		f->frames++;
		return (uint32_t)*known;
	}
	if (v->stacks->raw)
		name = firefox_location(f, firefox_string(v->strings, text), v->libs);
	else
		name = name_frame(f, v, frame, lined);
	/* Any number of frames may share a long string, so we read it only once. */
	if (!lined && !firefox_is_address(firefox_string(v->strings, text), &address))
		fg_map_add(v->known, key, name, &is_new);
	return name;
}

static void name_frames(struct firefox *f, const struct view *v, struct names *n)
{
	const struct firefox_tables *t = v->stacks;

	n->count = t->raw ? t->location.count : t->func.count;
	n->of = fg_xcalloc(n->count, sizeof(*n->of));
	if (f->symbols)
		n->outer_ends = fg_xcalloc(n->count, sizeof(*n->outer_ends));
	for (uint32_t i = 0; i < n->count; i++) {
		n->of[i] = name_of(f, v, i);
		FG_GROW(n->outer, n->outer_alloc, n->outer_count + f->found_count);
		for (size_t k = 0; k < f->found_count; k++)
			n->outer[n->outer_count++] = f->found[k];
		if (n->outer_ends)
			n->outer_ends[i] = n->outer_count;
	}
}

/* Names a row, and adds rows for the callers into which its frame was inlined. */
static void name_row(struct fg_rows *rows, uint32_t row, const struct names *n)
{
	uint32_t frame = rows->frames[row], parent = rows->parents[row];

	if (frame >= n->count) {
		rows->parents[row] = NOWHERE;
		rows->frames[row] = FG_ROWS_NO_FRAME;
		return;
	}
	if (n->outer_ends)
		for (size_t k = frame ? n->outer_ends[frame - 1] : 0;
		     k < n->outer_ends[frame]; k++)
			parent = fg_rows_add(rows, parent, n->outer[k]);
	rows->parents[row] = parent;
	rows->frames[row] = n->of[frame];
}

/* Makes rows of a stackTable, and frees its columns. */
static void make_rows(struct firefox *f, const struct view *v, struct fg_rows *rows)
{
	struct firefox_tables *t = v->stacks;
	size_t count = t->frame.count;
	uint32_t *parents = fg_xcalloc(count, sizeof(*parents));
	struct names n = { .of = NULL };

	name_frames(f, v, &n);
	for (uint32_t i = 0; i < count; i++)
		parents[i] = parent_of(t, i);
	fg_rows_take(rows, parents, t->frame.rows, count);
	t->frame.rows = NULL;
	firefox_column_release(&t->frame);
	firefox_column_release(&t->prefix);
	firefox_column_release(&t->prefix_offset);
	for (uint32_t i = 0; i < count; i++)
		name_row(rows, i, &n);
	free(n.of);
	free(n.outer);
	free(n.outer_ends);
	fg_rows_link(rows);
}

/* ---- weights */

/*
 * Sets *ns to b - a, rounded to nanoseconds. `a` and `b` are in picoseconds. Returns
 * false if one of them is missing or too large.
 */
static bool time_between(int64_t a, int64_t b, int64_t *ns)
{
	if (a <= FIREFOX_LARGE || b <= FIREFOX_LARGE || (a < 0 && b > INT64_MAX + a) ||
	    (a > 0 && b < INT64_MIN / 2 + a))
		return false;
	b -= a;
	*ns = b < 0 ? -((-b + 500) / 1000) : b / 1000 + (b % 1000 >= 500);
	return true;
}

/*
 * Sets *ns to the time from sample k to the next, or to the interval for the last one.
 * A profile has absolute times, or the times between samples.
 */
static bool time_of(const struct firefox *f, const struct firefox_profile *p,
		    const struct firefox_thread *t, size_t k, int64_t *ns)
{
	const struct firefox_column *c = t->time.count ? &t->time : &t->deltas;
	int64_t interval = p->interval == FIREFOX_NO_NUMBER ? f->interval : p->interval;
	bool last = k + 1 >= t->stack.count;

	if (last)
		return time_between(0, interval, ns);
	if (c == &t->deltas)
		return time_between(0, firefox_number(c, k + 1), ns);
	return time_between(firefox_number(c, k), firefox_number(c, k + 1), ns);
}

/*
 * Sets *weight to the weight of sample k. Returns false if the weight is missing or too
 * large.
 */
static bool weight_of(const struct firefox *f, const struct firefox_profile *p,
		      const struct firefox_thread *t, size_t k, int64_t *weight)
{
	int64_t number;

	switch (f->weight) {
	case FIREFOX_TIME:
		return time_of(f, p, t, k, weight);
	case FIREFOX_CPU:
		number = firefox_number(&t->cpu, k);
		*weight = number == FIREFOX_NO_NUMBER ? 0 : number;
		if (number == FIREFOX_LARGE)
			return false;
		if (p->cpu_factor && *weight > INT64_MAX / (int64_t)p->cpu_factor)
			return false;
		*weight *= p->cpu_factor ? (int64_t)p->cpu_factor : 1;
		return t->cpu.count;
	case FIREFOX_SAMPLES:
		break;
	}
	number = firefox_number(&t->weight, k);
	*weight = number == FIREFOX_NO_NUMBER ?
			  (int64_t)fg_pow10(FIREFOX_WEIGHT_DECIMALS) :
			  number;
	return true;
}

/* ---- threads */

struct sample {
	struct fg_rows *rows;
	uint32_t row;
	struct fg_sum weight;
	bool minus; /* the value is -weight */
	bool has_time;
	uint64_t at; /* time, in picoseconds */
};

/*
 * Returns true if weights are times. They are milliseconds with six decimals, which
 * makes nanoseconds.
 */
static bool is_time(const struct firefox *f, const struct firefox_thread *t)
{
	return f->weight == FIREFOX_SAMPLES &&
	       fg_str_eq(fg_buf_str(&t->weight_type), FG_STR("tracing-ms"));
}

/* Changes *at from the time of sample k - 1 to that of sample k, in picoseconds. */
static void move_on(const struct firefox_thread *t, size_t k, int64_t *at)
{
	bool deltas = !t->time.count;
	int64_t number = firefox_number(deltas ? &t->deltas : &t->time, k);

	if (number <= FIREFOX_LARGE || (deltas && number > INT64_MAX / 2 - *at))
		return;
	*at = deltas ? *at + number : number;
	if (*at < 0)
		*at = 0;
}

/* Adds the weight of a sample to its row, at its time. */
static void add_weight(const struct firefox *f, const struct firefox_profile *p,
		       const struct sample *s)
{
	uint64_t ns = s->at / 1000;

	if (!s->has_time) {
		(s->minus ? fg_rows_subtract_value : fg_rows_add_value)(s->rows, s->row,
									s->weight);
		return;
	}
	if (p->has_start) {
		fg_sink_set_clock(f->sink, 0, 0);
		ns += p->start.low;
	}
	(s->minus ? fg_rows_subtract_value_at : fg_rows_add_value_at)(s->rows, s->row,
								      s->weight, ns);
}

static void add_samples(struct firefox *f, const struct firefox_profile *p,
			const struct firefox_thread *t, struct fg_rows *rows)
{
	uint64_t stackless = 0, damaged = 0, unweighted = 0;
	bool timed = fg_sink_wants_time(f->sink) && (t->time.count || t->deltas.count);
	int64_t at = 0;

	for (size_t k = 0; k < t->stack.count; k++) {
		uint32_t row = t->stack.rows[k];
		struct sample s = { .rows = rows, .row = row, .has_time = timed };
		int64_t weight = 0;

		move_on(t, k, &at);
		s.at = (uint64_t)at;
		/* a sample with weight 0 only marks the end of the one before */
		if (row == FIREFOX_NONE)
			stackless += firefox_number(&t->weight, k) != 0;
		else if (!fg_rows_is_good(rows, row))
			damaged++;
		else if (!weight_of(f, p, t, k, &weight))
			unweighted++;
		else if (weight == FIREFOX_LARGE)
			s.weight = firefox_large(&t->weight, k);
		else if (weight < 0)
			s.weight.low = 0 - (uint64_t)weight;
		else
			s.weight.low = (uint64_t)weight;
		s.minus = weight < 0 && weight != FIREFOX_LARGE;
		if (!fg_sum_is_zero(s.weight))
			add_weight(f, p, &s);
	}
	fg_sink_lose(f->sink, "samples without a stack", stackless);
	fg_sink_lose(f->sink, "samples whose stack is damaged", damaged);
	fg_sink_lose(f->sink, "samples without the chosen weight", unweighted);
}

/* Chooses the value to count. Returns false after reporting an error. */
static bool choose(struct firefox *f, struct firefox_profile *p,
		   const struct firefox_thread *t)
{
	struct fg_value values[] = {
		{ FG_STR_INIT("samples"), FG_STR_INIT("") },
		{ FG_STR_INIT("time"), FG_STR_INIT("ns") },
		{ FG_STR_INIT("cpu"), FG_STR_INIT("ns") },
	};

	if (is_time(f, t))
		values[0].unit = FG_STR("ns");
	if (fg_str_eq(fg_buf_str(&t->weight_type), FG_STR("bytes")))
		values[0].unit = FG_STR("bytes");
	if (!p->cpu_factor)
		values[2].unit = FG_STR("cycles");
	p->chosen = true;
	f->failed = f->failed || fg_sink_choose_value(f->sink, values, 3, 0) < 0;
	return !f->failed;
}

static struct fg_str text_or(const struct fg_buf *text, struct fg_str otherwise)
{
	return text->len ? fg_buf_str(text) : otherwise;
}

void firefox_write_thread(struct firefox *f, struct firefox_profile *p,
			  struct firefox_thread *t)
{
	struct firefox_tables *own = &t->tables;
	struct fg_map known = { .count = 0 };
	const struct view v = {
		.stacks = own->has_stacks ? own : &p->shared,
		.shared = &p->shared,
		.strings = own->has_strings ? &own->strings : &p->shared.strings,
		.libs = t->has_libs ? &t->libs : &p->libs,
		.known = own->has_strings ? &known : &p->known,
	};
	const struct fg_owner owner = {
		.process = text_or(&t->process,
				   text_or(&t->process_type, FG_STR("[process]"))),
		.thread = text_or(&t->name, FG_STR("[thread]")),
	};
	struct fg_rows alone;
	struct fg_rows *rows = &p->rows;

	if (!p->chosen && !choose(f, p, t))
		return;
	if (!fg_sink_wants_owner(f->sink,
				 &(struct fg_owner){ .thread = fg_buf_str(&t->name) }))
		return;
	fg_rows_init(&alone);
	if (own->has_stacks)
		rows = &alone;
	if (own->has_stacks || !p->has_rows)
		make_rows(f, &v, rows);
	fg_map_release(&known);
	p->has_rows = p->has_rows || !own->has_stacks;
	rows->decimals = f->weight == FIREFOX_SAMPLES && !is_time(f, t) ?
				 FIREFOX_WEIGHT_DECIMALS :
				 0;
	add_samples(f, p, t, rows);
	fg_rows_write(rows, f->sink, p->is_ours ? NULL : &owner);
	fg_rows_release(&alone);
}
