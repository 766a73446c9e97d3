/*
 * Reads the JSON of pyinstrument -r json: a tree of functions. Times are in seconds,
 * and the time of a function includes its callees.
 *
 *     {"duration": 1.0, "sample_count": 285, "root_frame": {"function": "<module>",
 *      "file_path": "a.py", "line_no": 1, "time": 1.0, "await_time": 0.0,
 *      "children": [{...}, ...]}}
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/decimal.h"
#include "lib/base/json.h"
#include "collapse/rows.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"

enum { TIME, AWAIT, WEIGHTS };

static const struct fg_value values[WEIGHTS] = {
	[TIME] = { FG_STR_INIT("time"), FG_STR_INIT("ns") },
	[AWAIT] = { FG_STR_INIT("await"), FG_STR_INIT("ns") },
};

/* Times are kept in units of 10^-12 s. */
#define SHIFT 12
#define DECIMALS 3 /* decimals of a nanosecond */

/*
 * Times are rounded to 1 us, so those of callees may add up to a little more than that
 * of their caller. We report it from 10 us on.
 */
#define ROUNDED 10000000

/* A function in the tree. Node i belongs to row i. */
struct node {
	uint32_t function, file; /* ids in `texts` */
	uint64_t line;
	int64_t time;
};

struct pyinstrument {
	struct fg_sink *sink;
	int weight;
	struct fg_intern texts;
	struct node *nodes;
	size_t nodes_alloc;
	struct fg_rows rows;
	bool is_session;
};

static void *open_pyinstrument(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct pyinstrument *p = fg_xcalloc(1, sizeof(*p));

	(void)run;
	p->sink = sink;
	fg_intern_init(&p->texts);
	fg_rows_init(&p->rows);
	return p;
}

static void close_pyinstrument(void *state)
{
	struct pyinstrument *p = state;

	fg_intern_release(&p->texts);
	fg_rows_release(&p->rows);
	free(p->nodes);
	free(p);
}

/* ---- reading */

static uint32_t add_node(struct pyinstrument *p, uint32_t parent)
{
	uint32_t row = fg_rows_add(&p->rows, parent, FG_ROWS_NO_FRAME);
	uint32_t empty = fg_intern(&p->texts, FG_STR(""));

	FG_GROW(p->nodes, p->nodes_alloc, (size_t)row + 1);
	p->nodes[row] = (struct node){ empty, empty, 0, 0 };
	return row;
}

static void read_time(struct pyinstrument *p, struct fg_json *j, struct node *node)
{
	struct fg_str text = fg_json_value(j);

	if (text.ptr && fg_decimal_i64(text, SHIFT, &node->time))
		fg_sink_lose(p->sink, "times that are not numbers, or are too large",
			     1);
}

/*
 * Reads a member of a node. If it is "children", only enters the array; read_tree()
 * reads the nodes in it.
 */
static void read_member(struct pyinstrument *p, struct fg_json *j, uint32_t row)
{
	struct node *node = &p->nodes[row];
	struct fg_str name = j->text;

	if (fg_str_eq(name, FG_STR("children")))
		fg_json_enter(j, FG_JSON_ARRAY);
	else if (fg_str_eq(name, FG_STR("function")))
		node->function = fg_intern(&p->texts, fg_json_value(j));
	else if (fg_str_eq(name, FG_STR("file_path")))
		node->file = fg_intern(&p->texts, fg_json_value(j));
	else if (fg_str_eq(name, FG_STR("line_no")))
		fg_str_u64(fg_json_value(j), &node->line);
	else if (fg_str_eq(name,
			   p->weight == AWAIT ? FG_STR("await_time") : FG_STR("time")))
		read_time(p, j, node);
	else
		fg_json_skip(j, fg_json_next(j));
}

/*
 * Reads the tree after its first '{'. It may be deep, so this does not recurse: each
 * row stores its parent.
 */
static void read_tree(struct pyinstrument *p, struct fg_json *j)
{
	uint32_t row;

	fg_rows_clear(&p->rows);
	row = add_node(p, FG_ROWS_ROOT);
	while (row != FG_ROWS_ROOT) {
		enum fg_json_kind kind = fg_json_next(j);

		if (kind == FG_JSON_NAME)
			read_member(p, j, row);
		else if (kind == FG_JSON_OBJECT)
			row = add_node(p, row);
		else if (kind == FG_JSON_OBJECT_END)
			row = p->rows.parents[row];
		else if (kind == FG_JSON_ARRAY)
			fg_json_skip(j, kind);
		else if (kind == FG_JSON_ERROR || kind == FG_JSON_END)
			return;
	}
}

/* ---- writing */

/*
 * Adds to each row the own time of its function, without its callees, in units of
 * 10^-DECIMALS ns.
 */
static void add_own_times(struct pyinstrument *p)
{
	const struct fg_rows *rows = &p->rows;
	int64_t *own = fg_xcalloc(rows->count, sizeof(*own));

	for (size_t i = 0; i < rows->count; i++) {
		int64_t time = p->nodes[i].time > 0 ? p->nodes[i].time : 0;
		uint32_t parent = rows->parents[i];

		own[i] = time;
		if (parent != FG_ROWS_ROOT)
			own[parent] = own[parent] > INT64_MIN + time ?
					      own[parent] - time :
					      INT64_MIN;
	}
	for (size_t i = 0; i < rows->count; i++) {
		if (own[i] > 0)
			fg_rows_add_value(&p->rows, i,
					  (struct fg_sum){ (uint64_t)own[i], 0 });
		else if (own[i] < -ROUNDED)
			fg_sink_lose(p->sink,
				     "functions that took less time than the functions "
				     "they called",
				     1);
	}
	free(own);
}

static void write_tree(struct pyinstrument *p)
{
	for (size_t i = 0; i < p->rows.count; i++) {
		const struct node *node = &p->nodes[i];

		p->rows.frames[i] = fg_sink_name_at(
			p->sink, fg_intern_name(&p->texts, node->function),
			fg_intern_name(&p->texts, node->file), node->line);
	}
	fg_rows_link(&p->rows);
	p->rows.decimals = DECIMALS;
	add_own_times(p);
	fg_rows_write(&p->rows, p->sink, NULL);
}

/* Reads the length of the recording, in seconds. */
static void read_length(struct pyinstrument *p, struct fg_json *j)
{
	int64_t ns;

	if (!fg_decimal_i64(fg_json_value(j), 9, &ns) && ns > 0)
		fg_sink_note_length(p->sink, 0, (uint64_t)ns);
}

static void read_top(struct pyinstrument *p, struct fg_json *j)
{
	if (fg_str_eq(j->text, FG_STR("frame_records"))) {
		p->is_session = true;
	} else if (fg_str_eq(j->text, FG_STR("duration"))) {
		read_length(p, j);
	} else if (!fg_str_eq(j->text, FG_STR("root_frame"))) {
		fg_json_skip(j, fg_json_next(j));
	} else {
		/* "root_frame" is null if nothing was sampled */
		fg_rows_clear(&p->rows);
		if (fg_json_enter(j, FG_JSON_OBJECT))
			read_tree(p, j);
	}
}

static int read_profile(struct pyinstrument *p, struct fg_json *j)
{
	const struct fg_place at = { fg_sink_at(p->sink)->input, 0 };
	enum fg_json_kind kind;

	p->weight = fg_sink_choose_value(p->sink, values, WEIGHTS, TIME);
	if (p->weight < 0)
		return -1;
	while ((kind = fg_json_next(j)) > FG_JSON_END && !p->is_session)
		if (kind == FG_JSON_NAME)
			read_top(p, j);
	if (p->is_session)
		return fg_error(fg_sink_diag(p->sink), &at,
				"this is a saved session of pyinstrument: convert it "
				"first with pyinstrument --load FILE -r json");
	if (kind == FG_JSON_ERROR)
		return fg_json_report(j, at.input, fg_sink_diag(p->sink));
	write_tree(p);
	return 0;
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct pyinstrument *p = state;
	struct fg_json j;
	int status;

	fg_rows_clear(&p->rows);
	fg_json_init_reader(&j, reader, start);
	status = read_profile(p, &j);
	fg_json_release(&j);
	return status;
}

/* ---- the format */

const struct fg_format fg_format_pyinstrument = {
	.kind = &fg_kind_pyinstrument,
	.summary = "Reads what pyinstrument -r json writes, and writes folded stacks.",
	.footer = "Example:\n"
		  "  pyinstrument -r json -o app.json app.py\n"
		  "  collapse-pyinstrument app.json | flamegraph > flame.svg",
	.hints = { .empty = "did pyinstrument fail?",
		   .not_found = "no frame was found: is this what pyinstrument -r json "
				"writes?" },
	.has_values = true,
	.open = open_pyinstrument,
	.read = read_input,
	.close = close_pyinstrument,
};
