/* Default behaviour: what each line means for the sample that is open. */
#include "collapse/perf/sample.h"

#include <stddef.h>
#include <string.h>

#include "collapse/symbols/addr2line.h"
#include "collapse/perf/perf.h"
#include "collapse/perf/deferred.h"
#include "collapse/perf/name.h"
#include "collapse/perf/noise.h"
#include "collapse/perf/payload.h"
#include "collapse/roots.h"

static const struct fg_str java = FG_STR_INIT("java");

/* ---- the end of a sample */

/*
 * A vote for the other order needs what no chain has that was printed leaf first, even
 * if unwinding failed half-way.
 */
static void vote_on_order(struct perf *p)
{
	const struct perf_sample *s = &p->sample;

	if (s->frames < 2)
		return;
	if (s->first.kernel != s->last.kernel)
		p->votes[s->first.kernel ? 0 : 1]++;
	else if (s->last.entry)
		p->votes[0]++;
	else if (s->first.entry && !s->first.called && s->last.named)
		p->votes[1]++;
}

static void keep_sample(struct perf *p)
{
	struct perf_sample *s = &p->sample;

	if (s->orphan) {
		fg_sink_count_orphan(p->sink);
		vote_on_order(p);
		return;
	}
	if (!s->roots.count && !fg_stack_depth(&p->sink->stack)) {
		p->sink->tally.dropped++;
		p->sink->tally.nameless++;
		return;
	}
	p->sink->tally.kept++;
	vote_on_order(p);
	if (s->period)
		fg_sink_count(p->sink, &s->roots, s->period);
}

static void add_frame(struct perf *p, struct perf_frame *f);

/* The frame on the header line, where there is no other. */
static void use_flat_frame(struct perf *p)
{
	struct perf_sample *s = &p->sample;

	if (s->has_flat && !s->frames) {
		add_frame(p, &s->flat);
		s->was_flat = true;
	}
	s->has_flat = false;
}

/* A chain was to follow, unless no sample has one. */
static bool is_cut_header(const struct perf *p)
{
	const struct perf_sample *s = &p->sample;

	return !s->frames && !s->tail && s->column_0 && s->strong &&
	       (p->any_blank || p->sink->tally.chains || !p->sink->tally.kept);
}

/* Its header is an odd line. */
static void report_header(struct perf *p)
{
	struct fg_place at = { p->sink->at.input, p->sample.line };

	fg_sink_odd_line(p->sink, at, fg_buf_str(&p->sample.header));
}

/* What a closed sample comes to. `at_end`: the input ends here. */
static void settle(struct perf *p, bool at_end, bool cut)
{
	struct perf_sample *s = &p->sample;

	use_flat_frame(p);
	p->sink->tally.chains += s->frames > 0 && !s->was_flat;
	if (!s->strong && !s->orphan && !s->frames) {
		p->sink->tally.samples--;
		report_header(p);
	} else if (!s->keep) {
		p->sink->tally.ignored++;
		p->sink->tally.deselected += s->deselected;
	} else if (s->unweighted) {
		p->sink->tally.dropped++;
		p->sink->tally.unweighted++;
	} else if (at_end && (cut || is_cut_header(p))) {
		p->sink->tally.dropped++;
	} else if (s->is_deferred) {
		p->sink->tally.samples--;
		perf_deferred_complete(p);
	} else if (s->has_cookie) {
		perf_deferred_hold(p);
	} else {
		keep_sample(p);
	}
}

static void close_sample(struct perf *p, bool at_end, bool cut)
{
	if (!p->sample.open)
		return;
	settle(p, at_end, cut);
	p->sample.open = false;
	p->sample.has_flat = false;
	p->frames = PERF_FRAMES_SCALAR;
}

/* ---- the start of a sample */

/* Lets frames of the usual shape take the fast path, where that is the same. */
static void choose_frames(struct perf *p)
{
	const struct perf_sample *s = &p->sample;

	if (p->addr2line || s->tail || s->undecided || (s->frames && !s->indented))
		p->frames = PERF_FRAMES_SCALAR;
	else if (!s->keep)
		p->frames = PERF_FRAMES_SKIP;
	else
		p->frames = PERF_FRAMES_KEEP;
}

static void start_sample(struct perf *p)
{
	struct perf_sample *s = &p->sample;

	close_sample(p, false, false);
	memset(s, 0, offsetof(struct perf_sample, line));
	fg_buf_clear(&s->flat_text);
	fg_buf_clear(&s->event);
	fg_buf_clear(&s->header);
	s->open = true;
	s->keep = true;
	s->period = 1;
	s->line = p->sink->at.line;
	fg_stack_clear(&p->sink->stack);
	p->sink->tally.samples++;
}

/* The weight that --weight asks for; false where the sample has no such field. */
static bool read_weight(const struct perf *p, const struct perf_header *h,
			struct fg_str payload, uint64_t *weight)
{
	const struct fg_samples_options *o = p->sink->samples;

	*weight = o->weighs == FG_WEIGHT_PERIOD ? h->sample.weight : 1;
	return o->weighs != FG_WEIGHT_FIELD ||
	       !perf_payload_number(payload, fg_str_from(o->weight), weight);
}

/* --trace-field: values of the payload as frames next to the leaf. */
static void add_trace_fields(struct perf *p, struct fg_str payload)
{
	const struct fg_opt_list *fields = &p->options->trace_field;

	for (size_t i = fields->count; i-- > 0;) {
		struct fg_str value;

		if (!perf_payload_field(payload, fg_str_from(fields->items[i]),
					&value) ||
		    !value.len)
			continue;
		fg_buf_clear(&p->scratch);
		fg_add_word(&p->scratch, value);
		perf_run_add(p, fg_buf_str(&p->scratch));
		fg_sink_mark(p->sink, p->run.items[0], FG_MARK_VALUE);
		perf_push(p, perf_run_end(p));
	}
}

/*
 * Notes a frame on the header line itself, used only if nothing else follows.
 * Returns what is before it: the payload.
 */
static struct fg_str note_flat_frame(struct perf *p, const struct perf_header *h)
{
	struct perf_sample *s = &p->sample;
	struct perf_header copy = *h;

	if (fg_str_find(h->rest, FG_STR(" (")) == h->rest.len)
		return h->rest;
	fg_buf_add_str(&s->flat_text, h->rest);
	copy.rest = fg_buf_str(&s->flat_text);
	s->has_flat = perf_frame_of_header(&copy, &s->flat);
	if (!s->has_flat)
		return h->rest;
	return fg_str_before(h->rest, (size_t)(s->flat.pc.ptr - copy.rest.ptr));
}

/* Whether the sample is kept; counts its event. */
static void decide(struct perf *p, struct fg_str event, bool wanted)
{
	struct perf_sample *s = &p->sample;

	s->undecided = false;
	s->keep = fg_events_keep(p->sink->events, event);
	s->deselected = s->keep && !wanted;
	s->keep = s->keep && wanted;
}

static void open_sample(struct perf *p, struct perf_header *h, struct fg_str line)
{
	struct perf_sample *s = &p->sample;
	bool wanted;
	struct fg_str payload;

	if (fg_sink_wants_time(p->sink))
		h->sample.has_time = !fg_read_seconds(h->time, &h->sample.time);
	wanted = fg_sink_selects(p->sink, &h->sample);
	start_sample(p);
	s->odd = h->odd;
	s->strong = h->strong;
	s->column_0 = line.ptr[0] != ' ';
	if (h->strong) {
		if (h->odd)
			fg_sink_odd_line(p->sink, p->sink->at, line);
		decide(p, h->sample.event, wanted);
	} else {
		/* it may be no header at all: its event does not count yet */
		s->undecided = true;
		s->deselected = !wanted;
		fg_buf_add_str(&s->header, fg_str_before(line, FG_QUOTED_MAX + 1));
		fg_buf_add_str(&s->event, h->sample.event);
	}
	payload = h->strong ? note_flat_frame(p, h) : h->rest;
	s->in_quotes = perf_payload_is_open(payload);
	if (s->keep) {
		s->unweighted = !read_weight(p, h, payload, &s->period);
		fg_sink_set_roots(p->sink, &h->sample, &s->roots);
		add_trace_fields(p, payload);
	}
	if (fg_str_starts(h->sample.comm, java))
		s->variant = PERF_VARIANT_JAVA;
	choose_frames(p);
}

/* The user frames of samples seen before are read as a sample is. */
static void open_deferred(struct perf *p, uint64_t cookie)
{
	start_sample(p);
	p->sample.is_deferred = true;
	p->sample.strong = true;
	p->sample.cookie = cookie;
	choose_frames(p);
}

/* Few samples look like a record: after the event of most, nothing follows. */
static bool may_be_record(const struct perf_header *h)
{
	struct fg_str event = h->sample.event;

	return h->rest.len || !event.len || event.ptr[0] == 'P' || event.ptr[0] == 'm';
}

static void strong_header(struct perf *p, struct perf_header *h, struct fg_str line)
{
	bool record = may_be_record(h);
	uint64_t cookie;

	if (record && perf_is_timed_record(h, line)) {
		p->sink->tally.lost += perf_lost_events(line);
		close_sample(p, false, false);
	} else if (record && perf_read_cookie(line, &cookie)) {
		open_deferred(p, cookie);
	} else {
		p->sink->any_header = true;
		open_sample(p, h, line);
	}
}

static void weak_header(struct perf *p, struct fg_str line)
{
	struct perf_header h;

	if (perf_header_weak(line, &h))
		open_sample(p, &h, line);
}

/* ---- frames */

static struct perf_end_frame end_frame(const struct perf_frame *f, uint8_t flags)
{
	struct perf_end_frame end = {
		.kernel = f->pc.len == 16 && !memcmp(f->pc.ptr, "ffff", 4),
		.entry = (flags & PERF_MEMO_ENTRY) != 0,
		.named = f->symbol.len && !fg_str_eq(f->symbol, FG_STR("[unknown]")),
	};

	return end;
}

static void note_end_frame(struct perf_sample *s, const struct perf_frame *f,
			   uint8_t flags)
{
	s->last = end_frame(f, flags);
	if (!s->frames++) {
		s->first = s->last;
		s->first.called = s->first.entry && perf_is_clone(f->symbol);
		return;
	}
	if (s->frames == 2 && s->last.entry)
		s->first.called = false; /* start_thread, by clone */
	/* an unwinder that fails may end with any address, -1 most often */
	if (s->last.kernel && !s->first.kernel)
		s->last.kernel = f->dso_kind == PERF_DSO_GIVEN ?
					 perf_dso_is_kernel(f->dso) :
					 s->last.named;
}

/* --inline: the functions that addr2line knows at the address. */
static bool add_inlined(struct perf *p, struct perf_frame *f, struct fg_str with_offset)
{
	struct fg_addr2line_query query = { f->pc, with_offset, f->dso };

	if (!p->addr2line || f->dso_kind != PERF_DSO_GIVEN || perf_dso_is_jit(f->dso) ||
	    !f->dso.len || f->dso.ptr[0] == '[')
		return false;
	fg_buf_clear(&p->key);
	if (!fg_addr2line_frames(p->addr2line, &query, &p->key))
		return false;
	perf_name_inlined(p, f, fg_buf_str(&p->key));
	perf_note_skipped_after(p, f->symbol);
	perf_push(p, perf_run_end(p));
	return true;
}

/* The symbol as printed, with its offset. */
static struct fg_str symbol_with_offset(const struct perf_frame *f)
{
	size_t len = f->symbol.len;

	while (len < f->rest.len && f->rest.ptr[len] != ' ')
		len++;
	return fg_str_before(f->rest, len);
}

static void add_frame(struct perf *p, struct perf_frame *f)
{
	struct perf_sample *s = &p->sample;
	struct perf_memo_value value;

	if (s->undecided) {
		if (s->odd)
			report_header(p);
		decide(p, fg_buf_str(&s->event), !s->deselected);
	}
	if (fg_str_starts(f->rest, FG_STR("(cookie) ("))) {
		s->has_cookie = true;
		fg_str_hex(f->pc, &s->cookie);
		return;
	}
	if (!s->keep) {
		s->frames++;
		return;
	}
	perf_frame_split(f);
	value = perf_frames_of(p, f, s->variant);
	note_end_frame(s, f, value.flags);
	if (!add_inlined(p, f, symbol_with_offset(f)))
		perf_push(p, value);
}

/* A row of --fields +srcline: "  file.c:12", below its frame. */
static void add_source_line(struct perf *p, struct fg_str line)
{
	struct fg_buf *b = &p->scratch;
	uint32_t *leaf, id;

	if (!p->options->srcline || !fg_stack_depth(&p->sink->stack) ||
	    p->sample.source_of == p->sample.frames)
		return;
	p->sample.source_of = p->sample.frames;
	line = fg_str_trim(line);
	if (fg_str_cut_end(&line, FG_STR("(inlined)")))
		line = fg_str_trim_right(line);
	leaf = &p->sink->stack.ids[p->sink->stack.start];
	fg_buf_clear(b);
	fg_buf_add_str(b, fg_intern_name(&p->sink->names, *leaf));
	fg_buf_add_char(b, ':');
	perf_add_unbracketed(b, line); /* "libc.so.6[29d8f]": none known */
	if (b->ptr[b->len - 1] == ':')
		return;
	for (size_t i = 0; i < b->len; i++)
		if (b->ptr[i] == ';')
			b->ptr[i] = ':';
	id = fg_intern(&p->sink->names, fg_buf_str(b));
	if (fg_sink_has_mark(p->sink, *leaf, FG_MARK_BASE))
		fg_sink_mark(p->sink, id, FG_MARK_BASE);
	*leaf = id;
}

/* ---- lines */

static bool is_source_line(const struct perf *p, struct fg_str line)
{
	return (p->sample.frames || p->sample.has_flat) && line.len > 2 &&
	       line.ptr[0] == ' ' && line.ptr[1] == ' ' && line.ptr[2] != ' ';
}

/* Two tabs are before what perf prints below a frame. */
static bool is_frame(struct fg_str line, struct perf_frame *f)
{
	return !fg_str_starts(line, FG_STR("\t\t")) && perf_frame_is(line, f);
}

static void line_in_sample(struct perf *p, struct fg_str line)
{
	struct perf_sample *s = &p->sample;
	bool indented = line.ptr[0] == '\t';
	struct perf_frame f;

	if (is_frame(line, &f) &&
	    (indented || (f.rest.len && !(s->frames && s->indented)))) {
		if (!s->frames)
			s->indented = indented;
		add_frame(p, &f);
	} else if (is_source_line(p, line)) {
		use_flat_frame(p);
		add_source_line(p, line);
	} else if (perf_is_tail(line)) {
		s->tail = true;
	} else if (!s->strong && !s->frames && !s->orphan) {
		weak_header(p, line);
		return;
	} else {
		fg_sink_odd_line(p->sink, p->sink->at, line);
	}
	choose_frames(p);
}

static void line_between_samples(struct perf *p, struct fg_str line)
{
	struct perf_frame f;

	if (line.ptr[0] == '\t' && is_frame(line, &f)) {
		start_sample(p);
		p->sample.orphan = true;
		p->sample.indented = true;
		add_frame(p, &f);
		choose_frames(p);
	} else if (line.ptr[0] != '\t') {
		weak_header(p, line);
	}
}

/* A line that has no time stamp. */
static void line_without_time(struct perf *p, struct fg_str line)
{
	struct perf_frame f;
	/* whatever its symbol reads like */
	bool frame = line.ptr[0] == '\t' && is_frame(line, &f);

	if (!frame && (line.ptr[0] == '#' || perf_is_remark(line)))
		return;
	if (!frame && perf_is_record(line)) {
		p->sink->tally.lost += perf_lost_events(line);
		close_sample(p, false, false);
	} else if (!p->sample.open) {
		line_between_samples(p, line);
	} else if (!p->sample.tail) {
		line_in_sample(p, line);
	} else if (!fg_is_blank(line.ptr[0]) || perf_header_starts_with_id(line)) {
		weak_header(p, line);
	}
}

/* Whether the line goes on with a string that the header line began. */
static bool is_in_quotes(struct perf *p, struct fg_str line)
{
	struct perf_sample *s = &p->sample;

	if (!s->open || !s->in_quotes || (line.len && line.ptr[0] == '\t'))
		return false;
	s->in_quotes = !perf_payload_closes(line);
	return true;
}

static bool is_strong_header(struct fg_str line, struct perf_header_memo *memo,
			     struct perf_header *h)
{
	return line.len && line.ptr[0] != '\t' && perf_header_strong(line, memo, h) &&
	       (h->sample.tid.ptr || !perf_is_source_code(line));
}

bool perf_sample_is_start(struct fg_str line)
{
	struct perf_header h;

	fg_str_cut_end(&line, FG_STR("\r"));
	return is_strong_header(line, NULL, &h);
}

void perf_sample_line(struct perf *p, struct fg_str line)
{
	struct perf_header h;

	fg_str_cut_end(&line, FG_STR("\r"));
	if (is_strong_header(line, &p->headers, &h)) {
		strong_header(p, &h, line);
	} else if (is_in_quotes(p, line)) {
		return;
	} else if (!fg_str_trim_left(line).len) {
		p->sample.has_flat = false;
		p->any_blank |= p->sample.open;
		close_sample(p, false, false);
	} else {
		line_without_time(p, line);
	}
}

void perf_sample_end_of_input(struct perf *p, struct fg_str cut)
{
	const struct perf_sample *s = &p->sample;
	/* after a tail or a one-line sample comes the header of the next */
	bool in_next = cut.len && (!s->open || s->tail ||
				   (s->has_flat && !s->frames && cut.ptr[0] != '\t'));

	if (in_next && p->sink->tally.samples) {
		p->sink->tally.samples++;
		p->sink->tally.dropped++;
	}
	close_sample(p, true, cut.len && !in_next);
}
