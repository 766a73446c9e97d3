/*
 * Reads the output of jfr print --json --stack-depth 2048.
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

#include "collapse/formats/jfr/name.h"
#include "collapse/formats/jfr/wanted.h"
#include "lib/base/json.h"
#include "lib/base/xalloc.h"

/* jfr print writes at most this many frames of a stack without --stack-depth. */
#define PRINTED_DEPTH 5

/* A member of an event that is a number or a string. Offsets are in reading.text. */
struct scalar {
	size_t name, text;
	size_t name_len, text_len;
};

struct reading {
	struct jfr *j;
	struct fg_json json;

	/* the event */
	struct fg_buf type;
	struct fg_buf text; /* names and values of its scalars */
	struct scalar *scalars;
	size_t count;
	size_t alloc;
	struct fg_buf thread;
	bool may_have_stack; /* it has a member "stackTrace", perhaps null */
	bool has_stack;
	bool cut; /* the stack is truncated */

	/* a frame, and the scratch for its name */
	struct fg_buf class, name, descriptor, frame_type, line;
	struct fg_buf frame;

	size_t deepest; /* depth of the deepest stack so far */
};

static struct fg_sink *sink_of(const struct reading *r)
{
	return r->j->sink;
}

static bool is(struct fg_str s, const char *text)
{
	return fg_str_eq(s, fg_str_from(text));
}

/* Skips the next value. */
static void skip(struct reading *r)
{
	fg_json_skip(&r->json, fg_json_next(&r->json));
}

/* Reads the next value into `to` if it is a string or a number. Else `to` is empty. */
static void read_text(struct reading *r, struct fg_buf *to)
{
	fg_buf_clear(to);
	fg_buf_add_str(to, fg_json_value(&r->json));
}

/* ---- stacks */

/* Reads the member "name" of an object. */
static void read_name(struct reading *r, struct fg_buf *to)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "name"))
			read_text(r, to);
		else
			skip(r);
}

static void read_method(struct reading *r)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "type"))
			read_name(r, &r->class);
		else if (is(r->json.text, "name"))
			read_text(r, &r->name);
		else if (is(r->json.text, "descriptor"))
			read_text(r, &r->descriptor);
		else
			skip(r);
}

static void add_frame(struct reading *r)
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
	jfr_add_name(&r->frame, &method, r->j->frames.lines);
	fg_sink_frame(sink_of(r), fg_buf_str(&r->frame));
}

/* Reads a frame; its '{' has been read. */
static void read_frame(struct reading *r)
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
			read_text(r, &r->line);
		else if (is(r->json.text, "type"))
			read_text(r, &r->frame_type);
		else
			skip(r);
	add_frame(r);
}

static void read_frames(struct reading *r)
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

/* Reads a stack trace, and adds its frames to the sink. */
static void read_stack(struct reading *r)
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
			skip(r);
}

/* ---- events */

/* Reads the name of a thread: the Java name, or else the operating system's. */
static void read_thread(struct reading *r)
{
	enum fg_json_kind kind;

	fg_buf_clear(&r->thread);
	fg_buf_clear(&r->name);
	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind))
		if (is(r->json.text, "javaName"))
			read_text(r, &r->thread);
		else if (is(r->json.text, "osName"))
			read_text(r, &r->name);
		else
			skip(r);
	if (!r->thread.len)
		fg_buf_add_str(&r->thread, fg_buf_str(&r->name));
}

/* Keeps the next value with its name, if it is a string or a number. */
static void add_scalar(struct reading *r, struct fg_str name)
{
	struct scalar s = { .name = r->text.len, .name_len = name.len };
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

/* Reads the members of an event. Prefers "sampledThread" to "eventThread". */
static void read_values(struct reading *r)
{
	enum fg_json_kind kind;
	bool sampled = false;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return;
	while (fg_json_more(&r->json, &kind)) {
		bool is_sampled = is(r->json.text, "sampledThread");

		if (is(r->json.text, "stackTrace")) {
			r->may_have_stack = true;
			read_stack(r);
		} else if (is_sampled ||
			   (!sampled && is(r->json.text, "eventThread"))) {
			sampled = is_sampled;
			read_thread(r);
		} else {
			add_scalar(r, r->json.text);
		}
	}
}

static struct fg_str name_of(const struct reading *r, const struct scalar *s)
{
	return fg_str_of(r->text.ptr + s->name, s->name_len);
}

static struct fg_str text_of(const struct reading *r, const struct scalar *s)
{
	return fg_str_of(r->text.ptr + s->text, s->text_len);
}

/* ---- numbers, and times: "PT1H2M3.5S" of ISO 8601 */

/*
 * Cuts "12H" off the start if `unit` is 'H', and stores "12" in *number. Returns false
 * if that unit is missing.
 */
static bool cut_part(struct fg_str *s, char unit, struct fg_str *number)
{
	size_t at = fg_str_find_char(*s, unit);

	if (at == s->len)
		return false;
	*number = fg_str_before(*s, at);
	*s = fg_str_from_pos(*s, at + 1);
	return true;
}

/* Reads "PT1H2M1.5S" as nanoseconds. Returns false if it is malformed or negative. */
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

/*
 * Reads a whole number, or a duration as nanoseconds. Returns false if it is neither.
 */
static bool read_amount(struct fg_str text, struct fg_sum *weight)
{
	weight->high = 0;
	return !fg_str_u64(text, &weight->low) || read_duration(text, weight);
}

/* ---- weights */

/* Sets the weight of the event. Returns false if it lacks the field. */
static bool weigh(struct reading *r, struct fg_sum *weight)
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

/* Chooses the value to count from those of the first wanted event. Returns 0 or -1. */
static int choose(struct reading *r)
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

/* Counts the event. Returns 0, or -1 if the run is over. */
static int add_event(struct reading *r)
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

/* Reads and counts an event; its '{' has been read. Returns 0 or -1. */
static int read_event(struct reading *r)
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
			read_text(r, &r->type);
			wanted = jfr_wants(r->j, fg_buf_str(&r->type));
		} else if (is(r->json.text, "values") && wanted) {
			read_values(r);
		} else {
			skip(r);
		}
	}
	if (kind == FG_JSON_ERROR) {
		fg_sink_clear(sink_of(r));
		return 0;
	}
	r->j->any_recording = true;
	jfr_note_events(r->j, fg_buf_str(&r->type), 1);
	if (!wanted || !r->may_have_stack)
		return 0;
	if (!r->j->event_is_final)
		jfr_choose_type(r->j, fg_buf_str(&r->type));
	r->j->event_is_final = true;
	return add_event(r);
}

static int read_events(struct reading *r)
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

static int read_recording(struct reading *r)
{
	enum fg_json_kind kind;
	int status = 0;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return 0;
	while (!status && fg_json_more(&r->json, &kind))
		if (is(r->json.text, "events"))
			status = read_events(r);
		else
			skip(r);
	return status;
}

static int read_all(struct reading *r)
{
	enum fg_json_kind kind;
	int status = 0;

	if (!fg_json_enter(&r->json, FG_JSON_OBJECT))
		return 0;
	while (!status && fg_json_more(&r->json, &kind))
		if (is(r->json.text, "recording"))
			status = read_recording(r);
		else
			skip(r);
	return status;
}

static void release(struct reading *r)
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
	struct reading r = { .j = j };
	struct fg_diag *diag = fg_sink_diag(j->sink);
	const struct fg_place at = { fg_sink_at(j->sink)->input, 0 };
	int status;

	fg_json_init_reader(&r.json, reader, start);
	status = read_all(&r);
	if (!status && fg_json_next(&r.json) == FG_JSON_ERROR) {
		if (r.json.cut)
			fg_sink_warn_cut(j->sink, "the JSON ends early");
		else
			status = fg_json_report(&r.json, at.input, diag);
	}
	if (!status && r.deepest == PRINTED_DEPTH)
		fg_warn(diag, &at,
			"no stack has more than %d frames: jfr print cuts off deeper "
			"ones unless you give it --stack-depth 2048",
			PRINTED_DEPTH);
	release(&r);
	return status;
}
