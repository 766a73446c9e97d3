/*
 * Reads profiles of DHAT, which valgrind --tool=dhat and Rust's dhat crate write: JSON
 * of version 2, see dhat/dh_main.c of valgrind.
 *
 *     {"dhatFileVersion":2,"mode":"heap",...,
 *      "pps":[{"tb":96,"tbk":4,...,"fs":[1,2]},...],
 *      "ftbl":["[root]","0x1093BF: fill (jars.c:3)","0x10941B: main (jars.c:5)"]}
 *
 * "pps" are the places that allocate. "fs" has the indices of a place's frames in
 * "ftbl", the leaf first. "pps" and "ftbl" come in either order.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "lib/base/json.h"
#include "collapse/valgrind.h"
#include "lib/base/xalloc.h"

/* The values that a place may have, in the order of --weight list. */
enum field { TB, TBK, GB, GBK, EB, EBK, MB, MBK, TL, RB, WB, FIELDS };

/* The unit of a value. Modes other than heap give bytes and blocks other names. */
enum unit { BYTES, BLOCKS, TIME, UNITS };

static const struct {
	struct fg_str name;
	enum unit unit;
} fields[FIELDS] = {
	[TB] = { FG_STR_INIT("tb"), BYTES }, [TBK] = { FG_STR_INIT("tbk"), BLOCKS },
	[GB] = { FG_STR_INIT("gb"), BYTES }, [GBK] = { FG_STR_INIT("gbk"), BLOCKS },
	[EB] = { FG_STR_INIT("eb"), BYTES }, [EBK] = { FG_STR_INIT("ebk"), BLOCKS },
	[MB] = { FG_STR_INIT("mb"), BYTES }, [MBK] = { FG_STR_INIT("mbk"), BLOCKS },
	[TL] = { FG_STR_INIT("tl"), TIME },  [RB] = { FG_STR_INIT("rb"), BYTES },
	[WB] = { FG_STR_INIT("wb"), BYTES },
};

static const struct {
	struct fg_str member;
	const char *otherwise;
} units[UNITS] = {
	[BYTES] = { FG_STR_INIT("bsu"), "bytes" },
	[BLOCKS] = { FG_STR_INIT("bksu"), "blocks" },
	[TIME] = { FG_STR_INIT("tu"), "instrs" },
};

/* A place that allocates. DHAT calls it a program point. */
struct point {
	uint64_t values[FIELDS];
	/* index in `stacks` after its last frame; the next point starts there */
	size_t end;
};

struct dhat {
	struct fg_sink *sink;
	struct point *points;
	size_t count, alloc;
	uint64_t *stacks; /* stacks of all points, as indices in `frames` */
	size_t stack_count, stacks_alloc;
	uint32_t *frames;
	size_t frame_count, frames_alloc;
	bool has[FIELDS]; /* at least one point has the value */
	struct fg_buf units[UNITS];
};

static void *open_dhat(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct dhat *d = fg_xcalloc(1, sizeof(*d));

	(void)run;
	d->sink = sink;
	return d;
}

static void close_dhat(void *state)
{
	struct dhat *d = state;

	free(d->points);
	free(d->stacks);
	free(d->frames);
	for (size_t i = 0; i < UNITS; i++)
		fg_buf_release(&d->units[i]);
	free(d);
}

/* ---- reading */

static void read_stack(struct dhat *d, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		uint64_t index = UINT64_MAX;

		if (kind != FG_JSON_NUMBER)
			fg_json_skip(j, kind);
		else if (fg_str_u64(j->text, &index))
			index = UINT64_MAX;
		FG_GROW(d->stacks, d->stacks_alloc, d->stack_count + 1);
		d->stacks[d->stack_count++] = index;
	}
}

static void read_field(struct dhat *d, struct fg_json *j, struct point *point)
{
	struct fg_str name = j->text;
	size_t i = 0;

	while (i < FIELDS && !fg_str_eq(name, fields[i].name))
		i++;
	if (i == FIELDS) {
		fg_json_skip(j, fg_json_next(j));
		return;
	}
	d->has[i] = true;
	point->values[i] = 0;
	if (fg_str_u64(fg_json_value(j), &point->values[i]))
		fg_sink_lose(d->sink, "values that are not whole numbers", 1);
}

static void read_points(struct dhat *d, struct fg_json *j)
{
	enum fg_json_kind kind;

	d->count = d->stack_count = 0;
	memset(d->has, 0, sizeof(d->has));
	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		struct point point = { .end = 0 };
		size_t start = d->stack_count;

		if (kind != FG_JSON_OBJECT) {
			fg_json_skip(j, kind);
			continue;
		}
		while (fg_json_more(j, &kind)) {
			if (!fg_str_eq(j->text, FG_STR("fs"))) {
				read_field(d, j, &point);
				continue;
			}
			d->stack_count = start;
			read_stack(d, j);
		}
		point.end = d->stack_count;
		FG_GROW(d->points, d->alloc, d->count + 1);
		d->points[d->count++] = point;
	}
}

static void read_frames(struct dhat *d, struct fg_json *j)
{
	enum fg_json_kind kind;

	d->frame_count = 0;
	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		struct fg_str text = { NULL, 0 };

		if (kind == FG_JSON_STRING)
			text = j->text;
		else
			fg_json_skip(j, kind);
		FG_GROW(d->frames, d->frames_alloc, d->frame_count + 1);
		d->frames[d->frame_count++] = fg_valgrind_frame(d->sink, text);
	}
}

/* Returns false after reporting an unknown version. */
static bool read_version(struct dhat *d, struct fg_json *j)
{
	const struct fg_place at = { fg_sink_at(d->sink)->input, 0 };
	struct fg_str version = fg_json_value(j);

	if (fg_str_eq(version, FG_STR("2")))
		return true;
	fg_error(fg_sink_diag(d->sink), &at,
		 "this file has version %.*s of DHAT's format; only version 2 can be "
		 "read",
		 (int)fg_str_before(version, 20).len, version.ptr ? version.ptr : "");
	return false;
}

static bool read_member(struct dhat *d, struct fg_json *j)
{
	struct fg_str name = j->text;
	size_t i = 0;

	if (fg_str_eq(name, FG_STR("pps"))) {
		read_points(d, j);
	} else if (fg_str_eq(name, FG_STR("ftbl"))) {
		read_frames(d, j);
	} else if (fg_str_eq(name, FG_STR("dhatFileVersion"))) {
		return read_version(d, j);
	} else {
		while (i < UNITS && !fg_str_eq(name, units[i].member))
			i++;
		if (i == UNITS) {
			fg_json_skip(j, fg_json_next(j));
			return true;
		}
		fg_buf_clear(&d->units[i]);
		fg_buf_add_str(&d->units[i], fg_json_value(j));
	}
	return true;
}

/* ---- writing */

/* Returns the field that --weight names, or -1 like fg_sink_choose_value(). */
static int choose(struct dhat *d)
{
	struct fg_value values[FIELDS];
	int indices[FIELDS], choice;
	size_t count = 0;

	for (size_t i = 0; i < FIELDS; i++) {
		if (!d->has[i])
			continue;
		values[count].name = fields[i].name;
		values[count].unit = fg_buf_str(&d->units[fields[i].unit]);
		if (fg_str_eq(values[count].unit, FG_STR("µs")))
			values[count].unit = FG_STR("us");
		if (!values[count].unit.len)
			values[count].unit =
				fg_str_from(units[fields[i].unit].otherwise);
		indices[count++] = (int)i;
	}
	choice = fg_sink_choose_value(d->sink, values, count, 0);
	return choice < 0 ? -1 : indices[choice];
}

static void add_point(struct dhat *d, size_t start, size_t end, uint64_t weight)
{
	for (size_t i = start; i < end; i++) {
		if (d->stacks[i] >= d->frame_count) {
			fg_sink_clear(d->sink);
			fg_sink_lose_weight(d->sink,
					    "stacks with a frame that is not in the "
					    "file",
					    (struct fg_sum){ weight, 0 });
			return;
		}
		fg_stack_add_root(fg_sink_stack(d->sink), d->frames[d->stacks[i]]);
	}
	if (start == end)
		fg_sink_frame(d->sink, FG_STR(""));
	fg_sink_add(d->sink, weight);
}

static int write_points(struct dhat *d)
{
	const struct fg_place at = { fg_sink_at(d->sink)->input, 0 };
	int field;

	if (!d->count)
		return 0;
	field = choose(d);
	if (field < 0)
		return -1;
	if (field == MB || field == MBK)
		fg_warn(fg_sink_diag(d->sink), &at,
			"stacks reach their maximum (%s) at different times, so a sum "
			"can be more than was ever in use",
			fields[field].name.ptr);
	for (size_t i = 0; i < d->count; i++)
		add_point(d, i ? d->points[i - 1].end : 0, d->points[i].end,
			  d->points[i].values[field]);
	return 0;
}

static int read_profile(struct dhat *d, struct fg_json *j)
{
	enum fg_json_kind kind;

	while ((kind = fg_json_next(j)) > FG_JSON_END)
		if (kind == FG_JSON_NAME && !read_member(d, j))
			return -1;
	if (kind == FG_JSON_ERROR)
		return fg_json_report(j, fg_sink_at(d->sink)->input,
				      fg_sink_diag(d->sink));
	return write_points(d);
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct dhat *d = state;
	struct fg_json j;
	int status;

	d->count = d->stack_count = d->frame_count = 0;
	for (size_t i = 0; i < UNITS; i++)
		fg_buf_clear(&d->units[i]);
	fg_json_init_reader(&j, reader, start);
	status = read_profile(d, &j);
	fg_json_release(&j);
	return status;
}

/* ---- the format */

const struct fg_format fg_format_dhat = {
	.kind = &fg_kind_dhat,
	.summary = "Reads what valgrind --tool=dhat and Rust's dhat crate write, and\n"
		   "writes folded stacks.",
	.footer = "Example:\n"
		  "  valgrind --tool=dhat ./app\n"
		  "  collapse-dhat dhat.out.* | flamegraph > flame.svg",
	.hints = { .empty = "did valgrind fail?",
		   .not_found = "nothing was found that was allocated: is this what "
				"DHAT wrote?" },
	.has_values = true,
	.open = open_dhat,
	.read = read_input,
	.close = close_dhat,
};
