/* Profiles of V8: the nodes, in lists and in trees of any depth. */
#include "collapse/v8.h"
#include "lib/base/xalloc.h"

/* A node that is being read, within others. Texts are places in fg_v8.text. */
struct fg_v8_open {
	uint32_t row;
	size_t text; /* where its texts start */
	size_t name, name_len;
	size_t url, url_len;
	uint64_t line;
};

static struct fg_str text_at(const struct fg_v8 *v, size_t at, size_t len)
{
	return len ? fg_str_of(v->text.ptr + at, len) : FG_STR("");
}

static size_t keep_text(struct fg_v8 *v, struct fg_str text)
{
	size_t at = v->text.len;

	fg_buf_add_str(&v->text, text);
	return at;
}

static uint32_t read_id(struct fg_json *j)
{
	uint64_t id;

	if (fg_str_u64(fg_json_value(j), &id) || id >= FG_V8_NO_ID)
		return FG_V8_NO_ID;
	return (uint32_t)id;
}

static void add_child(struct fg_v8 *v, struct fg_v8_child child)
{
	FG_GROW(v->children, v->child_alloc, v->child_count + 1);
	v->children[v->child_count++] = child;
}

/* ---- members */

/* What both a node and its callFrame may have. */
static bool read_frame_member(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	struct fg_str name = j->text;
	uint64_t line;

	if (fg_str_eq(name, FG_STR("functionName"))) {
		struct fg_str text = fg_json_value(j);

		n->name = keep_text(v, text);
		n->name_len = text.len;
	} else if (fg_str_eq(name, FG_STR("url"))) {
		struct fg_str text = fg_json_value(j);

		n->url = keep_text(v, text);
		n->url_len = text.len;
	} else if (fg_str_eq(name, FG_STR("lineNumber"))) {
		n->line = fg_str_u64(fg_json_value(j), &line) || line == UINT64_MAX ?
				  0 :
				  line + 1;
	} else {
		return false;
	}
	return true;
}

static void read_call_frame(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind))
		if (!read_frame_member(v, n, j))
			fg_json_skip(j, fg_json_next(j));
}

/* A member of a node; children are left to be read, if they are a list. */
static void read_member(struct fg_v8 *v, struct fg_v8_open *n, struct fg_json *j)
{
	struct fg_str name = j->text;

	if (fg_str_eq(name, FG_STR("callFrame"))) {
		read_call_frame(v, n, j);
	} else if (fg_str_eq(name, FG_STR("id"))) {
		v->ids[n->row] = read_id(j);
	} else if (fg_str_eq(name, FG_STR("parent"))) {
		add_child(v, (struct fg_v8_child){ read_id(j), n->row, false });
	} else if (fg_str_eq(name, FG_STR("hitCount"))) {
		fg_str_u64(fg_json_value(j), &v->own[n->row]);
	} else if (fg_str_eq(name, FG_STR("selfSize"))) {
		v->is_heap = true;
		fg_str_u64(fg_json_value(j), &v->own[n->row]);
	} else if (fg_str_eq(name, FG_STR("children"))) {
		fg_json_enter(j, FG_JSON_ARRAY);
	} else if (!read_frame_member(v, n, j)) {
		fg_json_skip(j, fg_json_next(j));
	}
}

/* ---- the tree */

static void start_node(struct fg_v8 *v, size_t depth)
{
	uint32_t parent = depth ? v->open[depth - 1].row : FG_ROWS_ROOT;
	uint32_t row = fg_rows_add(&v->rows, parent, FG_ROWS_NO_FRAME);

	FG_GROW(v->ids, v->ids_alloc, v->rows.count);
	FG_GROW(v->own, v->own_alloc, v->rows.count);
	FG_GROW(v->idle, v->idle_alloc, v->rows.count);
	FG_GROW(v->open, v->open_alloc, depth + 1);
	v->ids[row] = FG_V8_NO_ID;
	v->own[row] = 0;
	v->idle[row] = false;
	v->open[depth] = (struct fg_v8_open){ .row = row, .text = v->text.len };
}

static void end_node(struct fg_v8 *v, struct fg_v8_open *n)
{
	struct fg_str name = text_at(v, n->name, n->name_len);

	v->idle[n->row] = fg_str_eq(name, FG_STR("(idle)"));
	if (!fg_str_trim(name).len)
		name = FG_STR(FG_V8_UNNAMED);
	v->rows.frames[n->row] =
		fg_sink_name_at(v->sink, name, text_at(v, n->url, n->url_len), n->line);
	v->text.len = n->text;
}

void fg_v8_read_nodes(struct fg_v8 *v, struct fg_json *j)
{
	size_t start = j->open.len, depth = 0;
	enum fg_json_kind kind;
	uint64_t id;

	do {
		kind = fg_json_next(j);
		if (kind == FG_JSON_OBJECT)
			start_node(v, depth++);
		else if (kind == FG_JSON_OBJECT_END && depth)
			end_node(v, &v->open[--depth]);
		else if (kind == FG_JSON_NAME)
			read_member(v, &v->open[depth - 1], j);
		else if (kind == FG_JSON_NUMBER && depth && !fg_str_u64(j->text, &id) &&
			 id < FG_V8_NO_ID)
			add_child(v, (struct fg_v8_child){ v->open[depth - 1].row,
							   (uint32_t)id, true });
	} while (kind != FG_JSON_ERROR && j->open.len > start);
	while (depth)
		end_node(v, &v->open[--depth]);
}
