/* Stacks in the output of jfr print --json, for json.c. */
#include "collapse/formats/jfr/json_stack.h"

#include "collapse/formats/jfr/name.h"

static struct fg_sink *sink_of(const struct jfr_reading *r)
{
	return r->j->sink;
}

static bool is(struct fg_str s, const char *text)
{
	return fg_str_eq(s, fg_str_from(text));
}

void jfr_json_skip(struct jfr_reading *r)
{
	fg_json_skip(&r->json, fg_json_next(&r->json));
}

void jfr_json_text(struct jfr_reading *r, struct fg_buf *to)
{
	fg_buf_clear(to);
	fg_buf_add_str(to, fg_json_value(&r->json));
}

/* ---- frames */

/* The member "name" of an object. */
static void read_name(struct jfr_reading *r, struct fg_buf *to)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "name"))
			jfr_json_text(r, to);
		else
			jfr_json_skip(r);
}

static void read_method(struct jfr_reading *r)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "type"))
			read_name(r, &r->class);
		else if (is(r->json.text, "name"))
			jfr_json_text(r, &r->name);
		else if (is(r->json.text, "descriptor"))
			jfr_json_text(r, &r->descriptor);
		else
			jfr_json_skip(r);
}

static void add_frame(struct jfr_reading *r)
{
	struct jfr_method method = {
		.class = fg_buf_str(&r->class),
		.name = fg_buf_str(&r->name),
		.descriptor = fg_buf_str(&r->descriptor),
		.frame_type = fg_buf_str(&r->frame_type),
		.line = -1,
	};
	uint64_t line;

	if (!fg_str_u64(fg_buf_str(&r->line), &line) && line <= INT32_MAX)
		method.line = (int32_t)line;
	fg_buf_clear(&r->frame);
	jfr_add_name(&r->frame, &method, r->j->frames.srcline);
	fg_sink_frame(sink_of(r), fg_buf_str(&r->frame));
}

/* An object whose first bracket was read. */
static void read_frame(struct jfr_reading *r)
{
	enum fg_json_kind kind;

	fg_buf_clear(&r->class);
	fg_buf_clear(&r->name);
	fg_buf_clear(&r->descriptor);
	fg_buf_clear(&r->frame_type);
	fg_buf_clear(&r->line);
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "method"))
			read_method(r);
		else if (is(r->json.text, "lineNumber"))
			jfr_json_text(r, &r->line);
		else if (is(r->json.text, "type"))
			jfr_json_text(r, &r->frame_type);
		else
			jfr_json_skip(r);
	add_frame(r);
}

static void read_frames(struct jfr_reading *r)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(&r->json, FG_JSON_ARRAY))
		return;
	while (fg_json_more(&r->json, &kind))
		if (kind == FG_JSON_OBJECT)
			read_frame(r);
		else
			fg_json_skip(&r->json, kind);
}

void jfr_json_stack(struct jfr_reading *r)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	fg_sink_clear(sink_of(r));
	r->has_stack = true;
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "frames"))
			read_frames(r);
		else if (is(r->json.text, "truncated"))
			r->cut = fg_json_enter(&r->json, FG_JSON_TRUE);
		else
			jfr_json_skip(r);
}
