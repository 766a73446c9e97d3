/* Handles each line: opens samples at headers, adds frames, passes on records. */
#include "collapse/formats/perf/text/lines.h"

#include "collapse/formats/perf/text/callers.h"
#include "collapse/formats/perf/text/other_lines.h"
#include "collapse/formats/perf/text/payload.h"
#include "collapse/formats/perf/text/sample.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/task.h"
#include "lib/base/utf8.h"

/* ---- headers with a time stamp */

/*
 * Returns true if a line may be a record, like "app 4242 100.000001: PERF_RECORD_LOST
 * lost 42", or a metric, like "...: metric: 12.5". Returns false for most samples,
 * because nothing follows their event.
 */
static bool may_be_record(const struct perf_header *h)
{
	struct fg_str event = h->sample.event;

	return h->after_event.len || !event.len || event.ptr[0] == 'P' ||
	       event.ptr[0] == 'm';
}

/* Counts the events that perf record lost, if the record says so. */
static void count_lost(struct perf *p, struct fg_str record)
{
	if (fg_str_has(record, FG_STR("PERF_RECORD_LOST_SAMPLES")))
		fg_sink_skip(p->sink, FG_SKIP_LOST_SAMPLES, perf_lost_events(record));
	else
		fg_sink_skip(p->sink, FG_SKIP_LOST, perf_lost_events(record));
}

/* Forgets the headers whose commands have to be settled again. */
static void forget_headers(struct perf *p, struct fg_id tid, enum perf_comm_news news)
{
	struct fg_id all = { 0, false };

	if (news != PERF_COMM_KNOWN)
		perf_header_forget(&p->headers, news == PERF_COMM_CHANGED ? tid : all);
}

/*
 * If the command is missing (":4242", because the thread has ended), replaces it by the
 * last command that we know.
 */
static void settle_command(struct perf *p, struct perf_header *h)
{
	if (!h->recalled && p->names_ended)
		forget_headers(p, h->sample.tid,
			       perf_comms_settle(&p->comms, &h->sample));
}

/* Handles a record, which ends the sample. Indented lines may follow it. */
static void take_record(struct perf *p, struct fg_str line)
{
	count_lost(p, line);
	perf_sample_close(p, PERF_NEXT_LINE);
	p->sample.in_record = true;
}

/* Handles a record that says that a thread begins, ends, gets a name, runs or waits. */
static void take_task(struct perf *p, const struct perf_task *task)
{
	if (p->names_ended && task->thread.comm.len &&
	    (task->change == PERF_TASK_BEGINS || task->change == PERF_TASK_NAMED))
		forget_headers(
			p, (struct fg_id){ (int64_t)task->tid, true },
			perf_comms_name(&p->comms, task->tid, task->thread.comm));
	if (task->exec)
		perf_recorded_program(&p->recorded, p->sink, task->thread.comm);
	perf_sample_see_task(p, task);
}

/*
 * Handles a line with a time stamp: a sample, a record, or the user frames of other
 * samples.
 */
static void timed_header(struct perf *p, struct perf_header *h, struct fg_str line)
{
	bool record = may_be_record(h);
	struct perf_task task;
	uint64_t cookie;

	settle_command(p, h);
	if (record && perf_is_timed_record(h, line)) {
		take_record(p, line);
		if (perf_task_read(h, line, &task))
			take_task(p, &task);
	} else if (record && perf_read_cookie(line, &cookie)) {
		perf_sample_open_user_frames(p, cookie);
	} else {
		fg_sink_saw_header(p->sink);
		perf_sample_open(p, h, line);
	}
}

/* ---- lines without a time stamp: an action for each kind of line in each stage */

enum kind {
	KIND_FRAME,
	KIND_SOURCE, /* "  main.c:12", the source line of the frame above */
	KIND_TAIL, /* registers and the like, below a chain (perf_is_tail) */
	KIND_OTHER,
	KINDS,
};

/*
 * Returns true for a frame. Lines that start with two tabs may look like frames, but
 * belong to the frame above them.
 */
static bool is_frame(struct fg_str line, struct perf_frame *f)
{
	return !fg_str_starts(line, FG_STR("\t\t")) && perf_frame_is(line, f);
}

static bool is_source_line(const struct perf_sample *s, struct fg_str line)
{
	return (s->frames || s->flat == PERF_FLAT_NOTED) && line.len > 2 &&
	       line.ptr[0] == ' ' && line.ptr[1] == ' ' && line.ptr[2] != ' ';
}

/*
 * Returns true if a frame may have lost its tab, for example in a paste. "401136 main
 * (/bin/app)" has one space after the address, and without a symbol, "401136
 * (/bin/app)" has two. A header that is only a pid may have more spaces after it.
 */
static bool may_lack_tab(const struct perf_sample *s, struct fg_str rest)
{
	if (s->stage == PERF_BETWEEN || (s->frames && s->indented) || !rest.len)
		return false;
	return rest.ptr[0] != ' ' || fg_str_starts(rest, FG_STR(" ("));
}

/* Returns the kind of a line. All frames of a sample start with a tab, or none does. */
static enum kind kind_of(const struct perf_sample *s, struct fg_str line,
			 struct perf_frame *f)
{
	bool indented = line.ptr[0] == '\t';

	if (is_frame(line, f) && (indented || may_lack_tab(s, f->after_pc)))
		return KIND_FRAME;
	if (is_source_line(s, line))
		return KIND_SOURCE;
	return perf_is_tail(line) ? KIND_TAIL : KIND_OTHER;
}

typedef void action(struct perf *p, struct fg_str line, struct perf_frame *f);

static void take_frame(struct perf *p, struct fg_str line, struct perf_frame *f)
{
	if (!p->sample.frames)
		p->sample.indented = line.ptr[0] == '\t';
	perf_sample_add_frame(p, f);
}

/* Handles a frame without a header, as perf script -F ip,sym prints it. */
static void take_orphan(struct perf *p, struct fg_str line, struct perf_frame *f)
{
	perf_sample_start(p, PERF_NO_HEADER);
	take_frame(p, line, f);
}

static void take_source_line(struct perf *p, struct fg_str line, struct perf_frame *f)
{
	(void)f;
	p->source_line = p->at->line;
	perf_sample_use_flat_frame(p);
	perf_sample_add_source_line(p, line);
}

static void start_tail(struct perf *p, struct fg_str line, struct perf_frame *f)
{
	(void)line;
	(void)f;
	p->sample.stage = PERF_TAIL;
}

static void note_odd_line(struct perf *p, struct fg_str line, struct perf_frame *f)
{
	(void)f;
	fg_sink_malformed(p->sink, line);
}

/*
 * Opens a sample if the line looks like a header without a time stamp, "app 4242
 * cycles:".
 */
static void try_header(struct perf *p, struct fg_str line, struct perf_frame *f)
{
	struct perf_header h;

	(void)f;
	if (line.ptr[0] == '\t' || !perf_header_untimed(line, &h))
		return;
	settle_command(p, &h);
	perf_sample_open(p, &h, line);
}

/*
 * Returns true for "   4242 cycles:", which may be a header without a comm: the id ends
 * in the same column as all ids that perf prints.
 */
static bool starts_with_id(struct fg_str line)
{
	struct fg_str s = fg_str_trim_left(line);
	size_t end;

	if (fg_str_starts(s, FG_STR("-")))
		s = fg_str_from_pos(s, 1);
	end = line.len - s.len + fg_str_span(s, fg_is_digit);
	return line.len && line.ptr[0] == ' ' && s.len && fg_is_digit(s.ptr[0]) &&
	       (end == 5 || end == 7) &&
	       (end == line.len || line.ptr[end] == ' ' || line.ptr[end] == '/');
}

/*
 * Handles a line below a tail. An indented line belongs to the tail; any other line is
 * a header.
 */
static void leave_tail(struct perf *p, struct fg_str line, struct perf_frame *f)
{
	if (!fg_is_blank(line.ptr[0]) || starts_with_id(line))
		try_header(p, line, f);
}

/* clang-format off */
static action *const actions[PERF_STAGES][KINDS] = {
	/*                   frame        source line       tail        other */
	[PERF_BETWEEN]   = { take_orphan, try_header,       try_header, try_header },
	[PERF_UNDECIDED] = { take_frame,  take_source_line, start_tail, try_header },
	[PERF_OPEN]      = { take_frame,  take_source_line, start_tail, note_odd_line },
	[PERF_TAIL]      = { leave_tail,  leave_tail,       leave_tail, leave_tail },
};
/* clang-format on */

/*
 * Reads these two lines of perf script --header, which exist after perf record -k
 * CLOCK:
 *
 *     # reference time: 2026-11-23 15:20:16.68 = 1795447216.682722 (TOD)
 *       = 44688.929467388 (monotonic)
 */
static void read_clock(struct perf *p, struct fg_str line)
{
	struct fg_str since_1970 = FG_STR(" (TOD) = "), date, time;
	uint64_t start, ns;

	if (!fg_str_cut_start(&line, FG_STR("# reference time: ")))
		return;
	date = fg_str_before(line, fg_str_find(line, since_1970));
	time = fg_str_from_pos(line, date.len + since_1970.len);
	date = fg_str_from_pos(date, fg_str_rfind_char(date, ' ') + 1);
	if (!fg_read_seconds(date, &start) &&
	    !fg_read_seconds(fg_str_cut(&time, ' '), &ns))
		fg_sink_set_clock(p->sink, ns, start);
}

/* Reads "# cmdline : /usr/bin/perf record -g -- ./app --fast " and "# event : ...". */
static void read_command(struct perf *p, struct fg_str line)
{
	if (fg_str_starts(line, FG_STR("# event : "))) {
		p->recorded.with_program |=
			fg_str_has(line, FG_STR("enable_on_exec = 1"));
		perf_callers_note_header(&p->callers, line);
	}
	if (fg_str_cut_start(&line, FG_STR("# cmdline : ")))
		perf_recorded_line(&p->recorded, p->sink, line);
}

/*
 * Returns true if an indented line belongs to the record above it: "   old bytes: 0f".
 * A header without a time, "  app 42 cycles:u: ", ends in a colon.
 */
static bool goes_on(struct fg_str line)
{
	return fg_is_blank(line.ptr[0]) && fg_str_has(line, FG_STR(": ")) &&
	       !fg_str_ends(fg_str_trim_right(line), FG_STR(":"));
}

static void line_without_time(struct perf *p, struct fg_str line)
{
	struct perf_frame f;
	/* with a tab it is a frame, no matter what its symbol looks like */
	bool frame = line.ptr[0] == '\t' && is_frame(line, &f);

	if (!frame && line.ptr[0] == '#') {
		read_clock(p, line);
		read_command(p, line);
		return;
	}
	if (!frame && perf_is_remark(line))
		return;
	if (!frame && perf_is_record(line)) {
		take_record(p, line);
		return;
	}
	if (!frame && p->sample.in_record && goes_on(line))
		return;
	p->sample.in_record = false;
	actions[p->sample.stage][kind_of(&p->sample, line, &f)](p, line, &f);
	perf_sample_choose_fast_path(p);
}

/* ---- lines */

/*
 * Returns true if the line continues a string of the payload: `msg="two` on the header
 * line, `lines"` on this one. Notes if the string ends here.
 */
static bool is_in_quotes(struct perf *p, struct fg_str line)
{
	struct perf_sample *s = &p->sample;

	if (!s->in_quotes || (line.len && line.ptr[0] == '\t'))
		return false;
	s->in_quotes = !perf_payload_closes(line);
	return true;
}

void perf_lines_line(struct perf *p, struct fg_str line)
{
	struct perf_header h;

	line = fg_utf8_skip_mark(line);
	fg_str_cut_end(&line, FG_STR("\r"));
	if (perf_header_starts(line, &p->headers, &h)) {
		timed_header(p, &h, line);
	} else if (is_in_quotes(p, line)) {
		return;
	} else if (!fg_str_trim_left(line).len) {
		p->any_blank |= p->sample.stage != PERF_BETWEEN;
		p->sample.flat = PERF_FLAT_NONE;
		p->sample.in_record = false;
		perf_sample_close(p, PERF_NEXT_LINE);
	} else {
		line_without_time(p, line);
	}
}

/* Returns true if the last chain lacks the blank line after it, or its line feed. */
static bool may_lack_callers(const struct perf *p)
{
	return p->sample.stage == PERF_OPEN && p->sample.frames &&
	       (p->any_blank || fg_sink_is_unended(p->sink));
}

/* Returns true for "app 4242 [000] 100.000001: 250000 cycles: ". */
static bool ends_before_chain(struct fg_str cut)
{
	struct perf_header h;

	return fg_str_ends(cut, FG_STR(": ")) && perf_header_starts(cut, NULL, &h) &&
	       h.sample.event.len && !h.after_event.len;
}

/*
 * Warns if perf script seems to have died. perf 7 asks addr2line before it prints a
 * chain or a source line. Without addr2line it dies of SIGPIPE, and its output ends
 * just there.
 */
static bool report_death(struct perf *p, struct fg_str cut)
{
	static const char died[] = "perf script seems to have died at the last sample, "
				   "as it does without addr2line";
	const struct fg_place at = { p->at->input, 0 };

	if (ends_before_chain(cut))
		fg_warn(p->diag, &at,
			"%s: use perf script --no-inline, or install binutils", died);
	else if (!cut.len && fg_sink_is_unended(p->sink) && p->source_line &&
		 p->source_line != p->at->line)
		fg_warn(p->diag, &at, "%s: install binutils", died);
	else
		return false;
	fg_sink_set_cut(p->sink);
	return true;
}

void perf_lines_end_of_input(struct perf *p, struct fg_str cut)
{
	const struct perf_sample *s = &p->sample;
	/* after a tail or a sample of one line, the cut line is the next header */
	bool in_next =
		cut.len &&
		(s->stage == PERF_BETWEEN || s->stage == PERF_TAIL ||
		 (s->flat == PERF_FLAT_NOTED && !s->frames && cut.ptr[0] != '\t'));

	if (in_next && p->tally->samples) {
		p->tally->samples++;
		p->tally->dropped++;
	}
	if (!report_death(p, cut) && !cut.len && may_lack_callers(p))
		fg_sink_warn_cut(p->sink, "the last sample does not end in a blank "
					  "line");
	fg_sink_set_unended(p->sink, false);
	perf_sample_close(p, cut.len && !in_next ? PERF_NEXT_CUT : PERF_NEXT_END);
}
