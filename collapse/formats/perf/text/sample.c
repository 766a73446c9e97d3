/* Opens samples, adds their frames, and counts them. */
#include "collapse/formats/perf/text/sample.h"

#include "collapse/formats/perf/text/callers.h"
#include "collapse/formats/perf/text/deferred.h"
#include "collapse/formats/perf/text/dso.h"
#include "collapse/formats/perf/text/header_frame.h"
#include "collapse/formats/perf/text/inlined.h"
#include "collapse/formats/perf/text/name.h"
#include "collapse/formats/perf/text/offcpu.h"
#include "collapse/formats/perf/text/order.h"
#include "collapse/formats/perf/text/other_lines.h"
#include "collapse/formats/perf/text/parallelism.h"
#include "collapse/formats/perf/text/payload.h"
#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/task.h"
#include "collapse/formats/perf/text/wall.h"
#include "collapse/roots.h"
#include "collapse/values.h"

/* ---- the end of a sample */

/* Counts a sample that options keep, or hands it to --off-cpu or --wall. */
static void keep_sample(struct perf *p)
{
	struct perf_sample *s = &p->sample;
	struct fg_tally *t = p->tally;

	if (s->start != PERF_NO_HEADER && !s->roots.count &&
	    !fg_stack_depth(p->stack)) {
		t->dropped++;
		t->nameless++;
		return;
	}
	perf_order_vote(p);
	if (s->start == PERF_NO_HEADER) {
		fg_sink_count_orphan(p->sink);
		return;
	}
	if (p->offcpu) {
		perf_offcpu_hold(p);
		return;
	}
	if (p->wall) {
		perf_wall_keep(p);
		return;
	}
	t->kept++;
	if (s->weight)
		fg_sink_count(p->sink, &s->roots, s->weight);
}

void perf_sample_use_flat_frame(struct perf *p)
{
	struct perf_sample *s = &p->sample;

	if (s->flat == PERF_FLAT_NOTED && !s->frames) {
		perf_sample_add_frame(p, &s->flat_frame);
		s->flat = PERF_FLAT_USED;
	} else if (s->flat == PERF_FLAT_NOTED) {
		s->flat = PERF_FLAT_NONE;
	}
}

/* Returns true if the sample has no chain, although others in the input have one. */
static bool is_cut_header(const struct perf *p)
{
	const struct perf_sample *s = &p->sample;
	const struct fg_tally *t = p->tally;

	return !s->frames && s->stage != PERF_TAIL && s->column_0 &&
	       s->start == PERF_TIMED_HEADER && (p->any_blank || t->chains || !t->kept);
}

/* Reports the header of the sample as a malformed line. */
static void report_header(struct perf *p)
{
	struct fg_place at = { p->at->input, p->sample.line };

	fg_sink_malformed_at(p->sink, at, fg_buf_str(&p->texts.header));
}

/*
 * Notes a period that no counter reaches. It is the negative difference of two values.
 */
static void check_period(struct perf *p)
{
	const struct perf_sample *s = &p->sample;
	struct perf_oversized *o = &p->oversized;

	if (s->weight <= INT64_MAX || p->samples->weighs != FG_WEIGHT_PERIOD)
		return;
	if (!o->count++) {
		o->first = s->weight;
		o->place = (struct fg_place){ p->at->input, s->line };
	}
}

/*
 * Like keep_sample(), but if the user frames are still to come, the sample waits for
 * them.
 */
static void keep_or_wait(struct perf *p)
{
	check_period(p);
	switch (p->sample.user_frames) {
	case PERF_USER_HERE:
		keep_sample(p);
		break;
	case PERF_USER_LATER:
		if (p->offcpu || p->wall)
			keep_sample(p);
		else
			perf_deferred_hold(p);
		break;
	case PERF_USER_ONLY:
		p->tally->samples--;
		perf_deferred_complete(p);
		break;
	}
}

/* Counts the sample by its fate: as kept, left out or dropped. */
static void end_sample(struct perf *p, enum perf_next next)
{
	struct perf_sample *s = &p->sample;
	struct fg_tally *t = p->tally;

	if (s->start == PERF_UNTIMED_HEADER && !s->frames) {
		t->samples--;
		report_header(p);
		return;
	}
	switch (s->fate) {
	case PERF_DESELECTED:
		t->deselected++;
		/* fall through */
	case PERF_OTHER_EVENT:
		t->ignored++;
		break;
	case PERF_UNWEIGHTED:
		t->dropped++;
		t->unweighted++;
		break;
	case PERF_KEPT:
		if (next == PERF_NEXT_CUT ||
		    (next == PERF_NEXT_END && is_cut_header(p)))
			t->dropped++;
		else
			keep_or_wait(p);
		break;
	}
}

void perf_sample_close(struct perf *p, enum perf_next next)
{
	struct perf_sample *s = &p->sample;
	bool has_chain;

	if (s->stage == PERF_BETWEEN)
		return;
	perf_sample_use_flat_frame(p);
	if (p->inlined)
		perf_inlined_push(p, perf_order_is_root_first(p));
	has_chain = s->frames > 0 && s->flat != PERF_FLAT_USED;
	p->tally->chains += has_chain;
	if (s->frames >= FG_PD_CHAIN_MAX)
		perf_callers_note_depth(&p->callers, s->frames);
	if (p->callers.is_usual && has_chain)
		p->callers.samples += s->fate == PERF_KEPT;
	else
		perf_callers_note_chain(p);
	end_sample(p, next);
	s->stage = PERF_BETWEEN;
	s->flat = PERF_FLAT_NONE;
	p->fast = PERF_FAST_NONE;
}

/* ---- the start of a sample */

void perf_sample_choose_fast_path(struct perf *p)
{
	const struct perf_sample *s = &p->sample;

	if (p->lookup || s->stage == PERF_TAIL || s->stage == PERF_UNDECIDED ||
	    (s->frames && !s->indented))
		p->fast = PERF_FAST_NONE;
	else if (s->fate == PERF_KEPT || s->fate == PERF_UNWEIGHTED)
		p->fast = PERF_FAST_KEEP;
	else
		p->fast = PERF_FAST_SKIP;
}

void perf_sample_start(struct perf *p, enum perf_start start)
{
	perf_sample_close(p, PERF_NEXT_LINE);
	p->sample = (struct perf_sample){
		.stage = start == PERF_UNTIMED_HEADER ? PERF_UNDECIDED : PERF_OPEN,
		.start = start,
		.line = p->at->line,
		.weight = 1,
	};
	fg_buf_clear(&p->texts.flat);
	fg_buf_clear(&p->texts.event);
	fg_buf_clear(&p->texts.header);
	fg_stack_clear(p->stack);
	p->tally->samples++;
	p->inlined_left = fg_sink_frame_budget(p->sink);
}

/* Sets the weight by --weight. Returns false if the sample lacks that field. */
static bool read_weight(const struct perf *p, const struct perf_header *h,
			struct fg_str payload, uint64_t *weight)
{
	const struct fg_samples_options *o = p->samples;

	*weight = o->weighs == FG_WEIGHT_PERIOD || o->weighs == FG_WEIGHT_LATENCY ?
			  h->sample.weight :
			  1;
	return o->weighs != FG_WEIGHT_FIELD ||
	       !perf_payload_number(payload, fg_str_from(o->weight), weight);
}

/* --trace-field: adds values of the payload as frames next to the leaf. */
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
 * Notes a frame on the header line. It is only used if no line with a frame follows.
 * Returns the payload, which is before the frame.
 */
static struct fg_str note_flat_frame(struct perf *p, const struct perf_header *h)
{
	struct perf_sample *s = &p->sample;
	struct perf_header copy = *h;

	if (h->fields_only ||
	    fg_str_find(h->after_event, FG_STR(" (")) == h->after_event.len)
		return h->after_event;
	fg_buf_add_str(&p->texts.flat, h->after_event);
	copy.after_event = fg_buf_str(&p->texts.flat);
	if (!perf_frame_of_header(&copy, &s->flat_frame))
		return h->after_event;
	s->flat = PERF_FLAT_NOTED;
	return fg_str_before(h->after_event,
			     (size_t)(s->flat_frame.pc.ptr - copy.after_event.ptr));
}

/*
 * Counts the event of the sample, and leaves the sample out if the event is not wanted.
 * Call it when the line is surely a header.
 */
static void decide(struct perf *p, struct fg_str event)
{
	struct perf_sample *s = &p->sample;

	if (!fg_events_keep(p->events, event))
		s->fate = PERF_OTHER_EVENT;
}

/*
 * Copies a header without a time stamp. The line may be something else, so its event is
 * not counted before a frame follows. Returns the text after the event.
 */
static struct fg_str put_off_decision(struct perf *p, const struct perf_header *h,
				      struct fg_str line)
{
	fg_buf_add_str(&p->texts.header, fg_str_before(line, FG_QUOTED_MAX + 1));
	fg_buf_add_str(&p->texts.event, h->sample.event);
	return h->after_event;
}

void perf_sample_open(struct perf *p, struct perf_header *h, struct fg_str line)
{
	struct perf_sample *s = &p->sample;
	struct fg_str payload;

	if (h->time.ptr &&
	    (p->offcpu || p->wall || p->samples->header || fg_sink_wants_time(p->sink)))
		h->sample.has_time = !fg_read_seconds(h->time, &h->sample.time);
	perf_sample_start(p, h->timed ? PERF_TIMED_HEADER : PERF_UNTIMED_HEADER);
	if (!h->fields_only) /* recording.c keeps memo values, so the memo must stay */
		perf_forget_frames(p);
	if (p->samples->every)
		perf_order_settle(p); /* a slice may be written now */
	s->fate = fg_sink_selects(p->sink, &h->sample) ? PERF_KEPT : PERF_DESELECTED;
	s->malformed = h->malformed;
	s->column_0 = line.ptr[0] != ' ';
	s->is_bare = s->column_0 && h->timed && !h->after_event.len;
	if (!p->callers.in_kernel && !p->callers.user_only)
		perf_callers_note_event(&p->callers, h->sample.event);
	if (h->timed) {
		if (h->malformed)
			fg_sink_malformed(p->sink, line);
		if (!p->wall)
			decide(p, h->sample.event);
		payload = note_flat_frame(p, h);
	} else {
		payload = put_off_decision(p, h, line);
	}
	s->in_quotes = perf_payload_is_open(payload);
	if (p->offcpu)
		perf_offcpu_open(p, h, h->timed ? payload : line);
	if (p->wall)
		perf_wall_open(p, h, payload);
	if (p->parallelism)
		perf_parallelism_open(p, h);
	if (s->fate == PERF_KEPT) {
		fg_sink_set_roots(p->sink, &h->sample, &s->roots);
		add_trace_fields(p, payload);
		if (!read_weight(p, h, payload, &s->weight))
			s->fate = PERF_UNWEIGHTED;
	}
	if (fg_str_starts(h->sample.comm, FG_STR("java")))
		s->variant |= PERF_VARIANT_JAVA;
	if (h->fields_only)
		s->variant |= PERF_VARIANT_RECORDED;
	perf_sample_choose_fast_path(p);
}

/*
 * Opens the record like a sample, because its frames are read like those of a sample.
 */
void perf_sample_open_user_frames(struct perf *p, uint64_t cookie)
{
	perf_sample_start(p, PERF_TIMED_HEADER);
	p->sample.user_frames = PERF_USER_ONLY;
	p->sample.cookie = cookie;
	perf_sample_choose_fast_path(p);
}

void perf_sample_see_task(struct perf *p, const struct perf_task *task)
{
	if (p->offcpu && task->change == PERF_TASK_IN)
		perf_offcpu_back(p, task->tid, task->time);
	if (p->wall)
		perf_wall_record(p, task);
	if (p->parallelism)
		perf_parallelism_record(p->parallelism, task);
}

/* ---- frames */

/* Notes a frame for order.c, which checks both ends of the chain. */
static void note_frame(struct perf_sample *s, const struct perf_frame *f, uint8_t flags)
{
	bool high = f->pc.len == 16 && !memcmp(f->pc.ptr, "ffff", 4);

	perf_sample_note_frame(s, s->frames++, (struct perf_end_frame){ high, flags });
	/*
	 * if unwinding failed, the last address may be wrong, most often -1; so check
	 * the frame's DSO or name, too
	 */
	if (high && !s->first.kernel)
		s->last.kernel = f->dso_kind == PERF_DSO_GIVEN ?
					 perf_dso_is_kernel(f->dso) :
					 !(flags & PERF_MEMO_UNNAMED);
}

/* Accepts the line without a time stamp as a header, because a frame follows. */
static void decide_late(struct perf *p)
{
	fg_sink_saw_header(p->sink);
	if (p->sample.malformed)
		report_header(p);
	decide(p, fg_buf_str(&p->texts.event));
	p->sample.stage = PERF_OPEN;
}

void perf_sample_add_frame(struct perf *p, struct perf_frame *f)
{
	struct perf_sample *s = &p->sample;
	struct fg_memo_value value;

	if (s->stage == PERF_UNDECIDED)
		decide_late(p);
	if (fg_str_starts(f->after_pc, FG_STR("(cookie) ("))) {
		s->user_frames = PERF_USER_LATER;
		fg_str_hex(f->pc, &s->cookie);
		return;
	}
	if (s->fate == PERF_OTHER_EVENT || s->fate == PERF_DESELECTED) {
		s->frames++;
		return;
	}
	perf_frame_split(f);
	value = perf_frames_of(p, f, s->variant);
	note_frame(s, f, value.flags);
	if (p->inlined)
		perf_inlined_hold(p->inlined, f, value, s->last.kernel);
	else
		perf_push(p, value);
}

void perf_sample_add_source_line(struct perf *p, struct fg_str line)
{
	struct perf_sample *s = &p->sample;
	bool held = p->inlined && !perf_inlined_is_empty(p->inlined);

	if (!p->options->srcline || !(held || fg_stack_depth(p->stack)) ||
	    s->source_of == s->frames)
		return;
	s->source_of = s->frames;
	if (held)
		perf_inlined_hold_source(p->inlined, line);
	else
		perf_name_source_line(p, line);
}
