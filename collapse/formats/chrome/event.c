/*
 * Reads an event of a trace, and decides what it is:
 *
 *     {"ph": "X", "pid": 1, "tid": 2, "ts": 0, "dur": 50, "name": "f", "args": {...}}
 *
 * Its members come in any order, so we collect them in chrome.event first.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/decimal.h"
#include "collapse/formats/chrome/chrome.h"
#include "collapse/select.h"
#include "lib/base/xalloc.h"

/* ---- threads */

void chrome_add_span(struct chrome_thread *thread, const struct chrome_span *span,
		     int64_t last)
{
	FG_GROW(thread->spans, thread->alloc, thread->count + 1);
	thread->spans[thread->count++] = *span;
	thread->has_ends = thread->has_ends || span->kind == CHROME_BEGIN ||
			   span->kind == CHROME_END;
	if (last > thread->last)
		thread->last = last;
}

/* ---- times */

/*
 * Reads "123.456" fast: most times have no sign and at most three decimals. Returns
 * false for any other form.
 */
static bool read_plain(struct fg_str s, int64_t *ns)
{
	size_t i = 0, point;
	int64_t n = 0;

	if (!s.len || s.len > 19)
		return false;
	for (; i < s.len && i <= 15 && fg_is_digit(s.ptr[i]); i++)
		n = n * 10 + (s.ptr[i] - '0');
	point = i;
	if (!i || i > 15 || (i < s.len && s.ptr[i++] != '.') || s.len - i > 3 ||
	    (point < s.len && i == s.len))
		return false;
	for (unsigned k = 0; k < 3; k++, i++) {
		if (i < s.len && !fg_is_digit(s.ptr[i]))
			return false;
		n = n * 10 + (i < s.len ? s.ptr[i] - '0' : 0);
	}
	*ns = n;
	return true;
}

/* Reads a number of microseconds. */
static struct chrome_time read_time(struct fg_json *j)
{
	struct fg_str text = fg_json_value(j);
	struct chrome_time time = { .known = true };

	if (read_plain(text, &time.ns))
		return time;
	time.known = text.ptr && !fg_decimal_i64(text, 3, &time.ns);
	time.has_ps = time.known && !fg_decimal_i64(text, 6, &time.ps);
	return time;
}

static bool add(int64_t a, int64_t b, int64_t *sum)
{
	if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
		return false;
	*sum = a + b;
	return true;
}

static bool picoseconds(const struct chrome_time *t, int64_t *ps)
{
	if (t->has_ps)
		*ps = t->ps;
	else if (t->ns > INT64_MAX / 1000 || t->ns < INT64_MIN / 1000)
		return false;
	else
		*ps = t->ns * 1000;
	return true;
}

/*
 * Sets *end to the time at which an event ends. Adds the two numbers before it rounds.
 * Returns false on overflow.
 */
static bool end_of(const struct chrome_time *at, const struct chrome_time *duration,
		   int64_t *end)
{
	int64_t a, b, sum;

	if ((at->has_ps || duration->has_ps) && picoseconds(at, &a) &&
	    picoseconds(duration, &b) && add(a, b, &sum)) {
		*end = sum / 1000 + (sum % 1000 >= 500) - (sum % 1000 < -500);
		return true;
	}
	return add(at->ns, duration->ns, end);
}

/* ---- members */

static uint32_t read_id(struct fg_intern *table, struct fg_json *j)
{
	struct fg_str text = fg_json_value(j);

	return fg_intern(table, text.ptr ? text : FG_STR(""));
}

static void read_categories(struct chrome *c, struct fg_json *j)
{
	const struct fg_opt_list *wanted = &c->options->cat;
	struct fg_str rest = fg_json_value(j);

	c->event.category = chrome_category_of(rest);
	if (c->options->gpu) {
		fg_buf_clear(&c->flow);
		fg_buf_add_str(&c->flow, rest);
	}
	if (!wanted->count)
		return;
	c->event.left_out = true;
	while (rest.len) {
		struct fg_str one = fg_str_cut(&rest, ',');

		for (size_t i = 0; i < wanted->count; i++)
			if (fg_glob(fg_str_from(wanted->items[i]), one))
				c->event.left_out = false;
	}
}

/* Reads the member if --detail names it. Returns false if not. */
static bool read_detail(struct chrome *c, struct fg_json *j)
{
	const struct fg_opt_list *wanted = &c->options->detail;
	enum fg_json_kind kind;
	size_t i;

	for (i = 0; i < wanted->count; i++)
		if (fg_str_eq(j->text, fg_str_from(wanted->items[i])))
			break;
	if (i == wanted->count)
		return false;
	fg_buf_clear(&c->details[i]);
	kind = fg_json_next(j);
	if (kind == FG_JSON_STRING)
		fg_buf_add_str(&c->details[i], j->text);
	fg_json_skip(j, kind);
	return true;
}

static void read_text(struct fg_buf *b, struct fg_json *j)
{
	struct fg_str text = fg_json_value(j);

	fg_buf_clear(b);
	fg_buf_add_str(b, text);
}

static void read_args(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind)) {
		if (fg_str_eq(j->text, FG_STR("avg ms")))
			c->event.is_sum = true;
		if (chrome_read_link(c, j) || read_detail(c, j))
			continue;
		if (fg_str_eq(j->text, FG_STR("name")))
			c->event.args_name = read_id(&c->names, j);
		else if (fg_str_eq(j->text, FG_STR("filename")))
			read_text(&c->file, j);
		else if (fg_str_eq(j->text, FG_STR("line")))
			fg_str_u64(fg_json_value(j), &c->event.line);
		else if (fg_str_eq(j->text, FG_STR("data")) &&
			 (c->options->source == CHROME_AUTO ||
			  c->options->source == CHROME_PROFILE))
			chrome_read_data(c, j);
		else
			fg_json_skip(j, fg_json_next(j));
	}
}

static void read_member(struct chrome *c, struct fg_json *j)
{
	struct chrome_event *e = &c->event;
	struct fg_str name = j->text;

	if (fg_str_eq(name, FG_STR("ph"))) {
		struct fg_str text = fg_json_value(j);

		e->phase = text.len == 1 ? text.ptr[0] : '\0';
	} else if (fg_str_eq(name, FG_STR("ts"))) {
		e->at = read_time(j);
	} else if (fg_str_eq(name, FG_STR("dur"))) {
		e->duration = read_time(j);
	} else if (fg_str_eq(name, FG_STR("pid"))) {
		e->process = read_id(&c->pids, j);
	} else if (fg_str_eq(name, FG_STR("tid"))) {
		e->tid = read_id(&c->tids, j);
	} else if (fg_str_eq(name, FG_STR("name"))) {
		e->name = read_id(&c->names, j);
	} else if (fg_str_eq(name, FG_STR("cat"))) {
		read_categories(c, j);
	} else if (fg_str_eq(name, FG_STR("args"))) {
		read_args(c, j);
	} else if (fg_str_eq(name, FG_STR("sf"))) {
		read_text(&c->frame, j);
	} else if (fg_str_eq(name, FG_STR("id"))) {
		read_text(&c->id, j);
	} else if (fg_str_eq(name, FG_STR("bp"))) {
		e->is_inside = fg_str_eq(fg_json_value(j), FG_STR("e"));
	} else {
		fg_json_skip(j, fg_json_next(j));
	}
}

/* ---- deciding what an event is */

/* Returns the id of the frame that the event stands for. */
static uint32_t frame_of(struct chrome *c)
{
	struct fg_str name = fg_intern_name(&c->names, c->event.name);
	bool detailed = false;

	FG_GROW(c->frames_by_name, c->frame_alloc, c->names.count);
	while (c->frame_count < c->names.count)
		c->frames_by_name[c->frame_count++] = CHROME_NO_NAME;
	for (size_t i = 0; i < c->options->detail.count; i++)
		detailed = detailed || c->details[i].len;
	if (!fg_str_trim(name).len)
		name = FG_STR("(anonymous)");
	if (!detailed && c->event.line && fg_sink_shows_file(c->sink, name))
		return fg_sink_name_at(c->sink, name, fg_buf_str(&c->file),
				       c->event.line);
	if (!detailed) {
		if (c->frames_by_name[c->event.name] == CHROME_NO_NAME)
			c->frames_by_name[c->event.name] = fg_sink_name(c->sink, name);
		return c->frames_by_name[c->event.name];
	}
	fg_buf_clear(&c->text);
	fg_buf_add_str(&c->text, name);
	for (size_t i = 0; i < c->options->detail.count; i++)
		if (c->details[i].len) {
			fg_buf_add_char(&c->text, ' ');
			fg_buf_add_str(&c->text, fg_buf_str(&c->details[i]));
		}
	return fg_sink_name(c->sink, fg_buf_str(&c->text));
}

static void take_names(struct chrome *c)
{
	const struct chrome_event *e = &c->event;
	struct fg_str name = fg_intern_name(&c->names, e->name);

	if (e->args_name == CHROME_NO_NAME)
		return;
	if (fg_str_eq(name, FG_STR("thread_name"))) {
		uint32_t id = chrome_thread_of(c, e->process, e->tid);

		c->threads[id].name = e->args_name;
	} else if (fg_str_eq(name, FG_STR("process_name"))) {
		FG_GROW(c->process_names, c->process_alloc, c->pids.count);
		while (c->process_count < c->pids.count)
			c->process_names[c->process_count++] = CHROME_NO_NAME;
		c->process_names[e->process] = e->args_name;
	}
}

/* Takes a complete event, which is not left out. */
static void take_whole(struct chrome *c, bool is_gpu)
{
	const struct chrome_event *e = &c->event;
	struct chrome_span span = { .start = e->at.ns };
	uint32_t id;

	if (!e->duration.known || !end_of(&e->at, &e->duration, &span.end) ||
	    span.end < span.start) {
		fg_sink_lose(c->sink, "durations that are negative or not numbers", 1);
		return;
	}
	span.name = frame_of(c);
	if (is_gpu) {
		chrome_take_kernel(c, span.end, span.name);
		return;
	}
	id = chrome_thread_of(c, e->process, e->tid);
	chrome_add_span(&c->threads[id], &span, span.end);
	chrome_take_launch(c, id);
}

static void take_span(struct chrome *c, bool is_gpu)
{
	const struct chrome_event *e = &c->event;
	struct chrome_span span = { .start = e->at.ns, .end = e->at.ns };
	struct chrome_thread *thread;
	uint32_t id;

	c->has_spans |= !e->left_out;
	if (!e->at.known) {
		if (!e->left_out)
			fg_sink_lose(c->sink, "events without a time", 1);
		return;
	}
	if (e->phase == 'X' && !e->left_out) {
		take_whole(c, is_gpu);
		return;
	}
	id = chrome_thread_of(c, e->process, e->tid);
	thread = &c->threads[id];
	if (e->phase == 'X') {
		chrome_take_launch(c, id);
	} else if (e->phase == 'B') {
		span.kind = CHROME_BEGIN;
		span.end = e->name;
		span.name = e->left_out ? CHROME_NO_NAME : frame_of(c);
		chrome_add_span(thread, &span, span.start);
		chrome_take_launch(c, id);
	} else {
		span.kind = CHROME_END;
		span.end = e->left_out;
		span.name = e->name;
		chrome_add_span(thread, &span, span.start);
	}
}

static void take_event(struct chrome *c)
{
	const struct chrome_event *e = &c->event;
	bool keeps_spans = c->options->source == CHROME_EVENTS ||
			   (c->options->source == CHROME_AUTO && !c->has_profile);
	bool keeps_samples = c->options->source == CHROME_SAMPLES ||
			     c->options->source == CHROME_AUTO;
	bool is_span = e->phase == 'X' || e->phase == 'B' || e->phase == 'E';
	enum chrome_category side = is_span ? chrome_side(c) : CHROME_CAT_NEITHER;

	c->any_asynchronous |= e->phase && strchr("bneSTpF", e->phase);
	c->any_span |= side == CHROME_CAT_CPU;
	c->any_gpu |= side == CHROME_CAT_GPU;
	if (e->phase == 'M')
		take_names(c);
	else if (e->phase == 'P' && c->frame.len && keeps_samples && !e->left_out)
		chrome_take_sample(c);
	else if (e->phase && strchr("stf", e->phase))
		chrome_take_flow(c);
	else if (side == CHROME_CAT_GPU && c->options->gpu && !e->left_out)
		take_span(c, true);
	else if (side == CHROME_CAT_GPU)
		c->gpu_left_out += !e->left_out;
	else if (side == CHROME_CAT_CPU && keeps_spans && !e->is_sum &&
		 (e->phase != 'X' || !e->left_out || c->options->gpu))
		/*
		 * this includes ends that --cat leaves out, because an end may lack the
		 * category of its begin, and with --gpu launches
		 */
		take_span(c, false);
	chrome_take_data(c);
}

bool chrome_read_event(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	c->event = (struct chrome_event){
		.duration.known = true,
		.args_name = CHROME_NO_NAME,
		.left_out = c->options->cat.count,
		.correlation = CHROME_NO_KEY,
		.external = CHROME_NO_KEY,
	};
	fg_buf_clear(&c->id);
	fg_buf_clear(&c->frame);
	fg_buf_clear(&c->file);
	fg_buf_clear(&c->flow);
	for (size_t i = 0; i < c->options->detail.count; i++)
		fg_buf_clear(&c->details[i]);
	while (fg_json_more(j, &kind))
		read_member(c, j);
	if (!j->error) {
		take_event(c);
	} else if (c->event.v8) {
		fg_v8_release(c->event.v8);
		free(c->event.v8);
	}
	return !j->error;
}
