/*
 * The output of jfr print --json --stack-depth 2048.
 *
 *     { "recording": { "events": [{
 *       "type": "jdk.ExecutionSample",
 *       "values": {
 *         "startTime": "2026-11-23T01:18:13.000000000Z",
 *         "sampledThread": { "osName": "main", "javaName": "main", ... },
 *         "stackTrace": { "truncated": false, "frames": [{
 *           "method": { "type": { "name": "java/util/Map", ... }, "name": "put",
 *                       "descriptor": "()V", ... },
 *           "lineNumber": 12, "bytecodeIndex": 3, "type": "Interpreted" }, ...] } } },
 *       ...] } }
 */
#include "collapse/formats/jfr/json.h"

#include <stdlib.h>

#include "collapse/formats/jfr/json_stack.h"
#include "collapse/formats/jfr/wanted.h"
#include "lib/base/xalloc.h"

/* How deep jfr print goes unless --stack-depth says something else. */
#define PRINTED_DEPTH 5

static struct fg_sink *sink_of(const struct jfr_reading *r)
{
	return r->j->sink;
}

static bool is(struct fg_str s, const char *text)
{
	return fg_str_eq(s, fg_str_from(text));
}

/* ---- events */

static void read_thread(struct jfr_reading *r)
{
	enum fg_json_kind kind;

	fg_buf_clear(&r->thread);
	fg_buf_clear(&r->name);
	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "javaName"))
			jfr_json_text(r, &r->thread);
		else if (is(r->json.text, "osName"))
			jfr_json_text(r, &r->name);
		else
			jfr_json_skip(r);
	if (!r->thread.len)
		fg_buf_add_str(&r->thread, fg_buf_str(&r->name));
}

static void add_scalar(struct jfr_reading *r, struct fg_str name)
{
	struct jfr_scalar s = { .name = r->text.len, .name_len = name.len };
	struct fg_str text;

	fg_buf_add_str(&r->text, name);
	text = fg_json_value(&r->json);
	if (!text.ptr)
		return;
	s.text = r->text.len;
	s.text_len = text.len;
	fg_buf_add_str(&r->text, text);
	FG_GROW(r->scalars, r->alloc, r->count + 1);
	r->scalars[r->count++] = s;
}

static void read_values(struct jfr_reading *r)
{
	enum fg_json_kind kind;
	bool sampled = false;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind)) {
		bool is_sampled = is(r->json.text, "sampledThread");

		if (is(r->json.text, "stackTrace")) {
			r->may_have_stack = true;
			jfr_json_stack(r);
		} else if (is_sampled ||
			   (!sampled && is(r->json.text, "eventThread"))) {
			sampled = is_sampled;
			read_thread(r);
		} else {
			add_scalar(r, r->json.text);
		}
	}
}

static struct fg_str name_of(const struct jfr_reading *r, const struct jfr_scalar *s)
{
	return fg_str_of(r->text.ptr + s->name, s->name_len);
}

static struct fg_str text_of(const struct jfr_reading *r, const struct jfr_scalar *s)
{
	return fg_str_of(r->text.ptr + s->text, s->text_len);
}

/* ---- numbers, and times: "PT1H2M3.5S" of ISO 8601 */

/* Cuts "12" and its unit off "12H": false where it does not start so. */
static bool cut_part(struct fg_str *s, char unit, struct fg_str *number)
{
	size_t at = fg_str_find_char(*s, unit);

	if (at == s->len)
		return false;
	*number = fg_str_before(*s, at);
	*s = fg_str_from_pos(*s, at + 1);
	return true;
}

/* "PT1H2M1.5S", in nanoseconds; false where it is none, or negative. */
static bool read_duration(struct fg_str s, struct fg_sum *weight)
{
	static const struct {
		char unit;
		uint64_t seconds;
	} parts[] = { { 'H', 3600 }, { 'M', 60 }, { 'S', 1 } };
	struct fg_count count;
	struct fg_str number;
	uint64_t ns;

	*weight = (struct fg_sum){ 0, 0 };
	if (!fg_str_cut_start(&s, FG_STR("PT")) || !s.len)
		return false;
	for (size_t i = 0; i < FG_COUNT_OF(parts); i++) {
		if (!cut_part(&s, parts[i].unit, &number))
			continue;
		if (fg_count_parse(number, &count) || fg_count_scale(count, 9, &ns))
			return false;
		fg_sum_add_sum(weight,
			       fg_sum_mul((struct fg_sum){ ns, 0 }, parts[i].seconds));
	}
	return !s.len;
}

/* A whole number, or a time in nanoseconds; false where it is neither, or negative. */
static bool read_amount(struct fg_str text, struct fg_sum *weight)
{
	weight->high = 0;
	return !fg_str_u64(text, &weight->low) || read_duration(text, weight);
}

/* ---- what they weigh */

/* What the event weighs; false where it does not say so. */
static bool weigh(struct jfr_reading *r, struct fg_sum *weight)
{
	struct fg_str wanted = fg_buf_str(&r->j->weight);
	bool counts = !wanted.len;

	*weight = (struct fg_sum){ 1, 0 };
	if (counts)
		wanted = FG_STR("samples");
	for (size_t i = 0; i < r->count; i++)
		if (fg_str_eq(name_of(r, &r->scalars[i]), wanted))
			return read_amount(text_of(r, &r->scalars[i]), weight);
	return counts;
}

/* What may be counted of the first event that is wanted: 0, or -1. */
static int choose(struct jfr_reading *r)
{
	struct jfr_values values;
	struct fg_sum weight;
	int status;

	jfr_values_start(&values);
	for (size_t i = 0; i < r->count; i++) {
		struct fg_str text = text_of(r, &r->scalars[i]);

		if (read_amount(text, &weight))
			jfr_values_add(&values, name_of(r, &r->scalars[i]),
				       fg_str_starts(text, FG_STR("P")) ? FG_STR("ns") :
									  FG_STR(""));
	}
	status = jfr_values_choose(r->j, &values);
	jfr_values_release(&values);
	return status;
}

/* ---- the recording */

/* Counts the event that was read: 0, or -1. */
static int add_event(struct jfr_reading *r)
{
	struct jfr_owner stack = {
		.thread = jfr_thread_of(r->j, fg_buf_str(&r->thread)),
		.found = !r->has_stack ? JFR_STACK_NONE :
			 r->cut	       ? JFR_STACK_CUT :
					 JFR_STACK_WHOLE,
		.count = 1,
	};
	size_t depth = fg_stack_depth(fg_sink_stack(sink_of(r)));

	if (!r->j->chosen && choose(r))
		return -1;
	if (!weigh(r, &stack.weight)) {
		fg_sink_lose(sink_of(r), JFR_UNWEIGHTED, 1);
		fg_sink_clear(sink_of(r));
		return 0;
	}
	if (depth > r->deepest)
		r->deepest = depth;
	jfr_add_stack(r->j, &stack);
	return 0;
}

/* An object of which the first bracket was read: 0, or -1. */
static int read_event(struct jfr_reading *r)
{
	enum fg_json_kind kind;
	bool wanted = false;

	fg_buf_clear(&r->type);
	fg_buf_clear(&r->text);
	fg_buf_clear(&r->thread);
	r->count = 0;
	r->may_have_stack = r->has_stack = r->cut = false;
	while (fg_json_more(&r->json, &kind)) {
		if (is(r->json.text, "type")) {
			jfr_json_text(r, &r->type);
			wanted = jfr_wants(r->j, fg_buf_str(&r->type));
		} else if (is(r->json.text, "values") && wanted) {
			read_values(r);
		} else {
			jfr_json_skip(r);
		}
	}
	if (kind == FG_JSON_ERROR) {
		fg_sink_clear(sink_of(r));
		return 0;
	}
	r->j->any = true;
	jfr_saw(r->j, fg_buf_str(&r->type), 1);
	if (!wanted || !r->may_have_stack)
		return 0;
	if (!r->j->settled)
		jfr_settle(r->j, fg_buf_str(&r->type));
	r->j->settled = true;
	return add_event(r);
}

static int read_events(struct jfr_reading *r)
{
	enum fg_json_kind kind;
	int status = 0;

	if (!fg_json_enter(&r->json, FG_JSON_ARRAY))
		return 0;
	while (!status && fg_json_more(&r->json, &kind))
		if (kind == FG_JSON_OBJECT)
			status = read_event(r);
		else
			fg_json_skip(&r->json, kind);
	return status;
}

static int read_recording(struct jfr_reading *r)
{
	enum fg_json_kind kind;
	int status = 0;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return 0;
	while (!status && fg_json_more(&r->json, &kind))
		if (is(r->json.text, "events"))
			status = read_events(r);
		else
			jfr_json_skip(r);
	return status;
}

static int read_all(struct jfr_reading *r)
{
	enum fg_json_kind kind;
	int status = 0;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return 0;
	while (!status && fg_json_more(&r->json, &kind))
		if (is(r->json.text, "recording"))
			status = read_recording(r);
		else
			jfr_json_skip(r);
	return status;
}

static void release(struct jfr_reading *r)
{
	fg_json_release(&r->json);
	fg_buf_release(&r->type);
	fg_buf_release(&r->text);
	free(r->scalars);
	fg_buf_release(&r->thread);
	fg_buf_release(&r->class);
	fg_buf_release(&r->name);
	fg_buf_release(&r->descriptor);
	fg_buf_release(&r->frame_type);
	fg_buf_release(&r->line);
	fg_buf_release(&r->frame);
}

int jfr_json_read(struct jfr *j, struct fg_reader *reader, const struct fg_block *start)
{
	struct jfr_reading r = { .j = j };
	struct fg_diag *diag = fg_sink_diag(j->sink);
	const struct fg_place at = { fg_sink_at(j->sink)->input, 0 };
	int status;

	fg_json_init_reader(&r.json, reader, start);
	status = read_all(&r);
	if (!status && fg_json_next(&r.json) == FG_JSON_ERROR) {
		if (r.json.cut)
			fg_sink_warn_cut(j->sink, "the JSON does not end");
		else
			status = fg_json_report(&r.json, at.input, diag);
	}
	if (!status && r.deepest == PRINTED_DEPTH)
		fg_warn(diag, &at,
			"no stack has more than %d frames: jfr print cuts them unless "
			"it is given --stack-depth 2048",
			PRINTED_DEPTH);
	release(&r);
	return status;
}
