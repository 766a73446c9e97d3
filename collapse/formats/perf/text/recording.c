/*
 * Reads a recording, perf.data: opens samples and adds frames, like the reader of text
 * does.
 */
#include "collapse/formats/perf/text/recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/text/name.h"
#include "collapse/formats/perf/text/parallelism.h"
#include "collapse/formats/perf/text/sample.h"
#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/task.h"
#include "lib/base/inputs.h"
#include "lib/base/xalloc.h"

/* The size of the buffer for an address in hexadecimal. */
#define PC_SIZE 24

/*
 * The frames of a symbol and DSO. Index 1 is for samples whose comm is Java's, and 0
 * for all others.
 */
struct named {
	struct fg_memo_value value[2];
	bool has[2];
};

struct recording {
	struct perf *perf;
	struct named *named; /* indexed by the id of the frame */
	size_t alloc;
	struct fg_buf text; /* "symbol+0xoffset (dso)" */
};

/*
 * Returns the weight of a sample. A tracepoint counts 1 unless the user asks for
 * periods, because perf script prints periods of tracepoints only if it is asked to.
 */
static uint64_t weight_of(const struct perf *p, const struct fg_perfdata_sample *s)
{
	bool asked = p->samples->weight && p->samples->weighs == FG_WEIGHT_PERIOD;

	return s->has & FG_PERFDATA_IS_TRACEPOINT && !asked ? 1 : s->period;
}

/*
 * Returns the comm as we would read it from text. The kernel cuts "Runtime worker 12"
 * to "Runtime worker ", and we cannot see the last space in the columns of the text.
 */
static struct fg_str comm_of_text(struct fg_str comm)
{
	return fg_str_trim(comm);
}

static bool start_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct perf *p = ((struct recording *)data)->perf;
	struct perf_header h = {
		.sample = { .comm = comm_of_text(s->comm),
			    .event = s->event,
			    .has_time = s->has & FG_PERFDATA_HAS_TIME,
			    .time = s->time,
			    .weight = weight_of(p, s) },
		.after_event = s->payload,
		.fields_only = true,
		.timed = true,
	};

	if (s->has & FG_PERFDATA_HAS_TASK) {
		h.sample.pid = (struct fg_id){ s->pid, true };
		h.sample.tid = (struct fg_id){ s->tid, true };
	}
	if (s->has & FG_PERFDATA_HAS_CPU)
		h.sample.cpu = (struct fg_id){ s->cpu, true };
	fg_sink_saw_header(p->sink);
	p->at->line++;
	perf_sample_open(p, &h, FG_STR(" "));
	return p->sample.fate == PERF_KEPT;
}

/*
 * Returns a frame like the reader of text makes it. It borrows `pc`, which gets the
 * address, and is valid until the next call.
 */
static struct perf_frame
frame_of_text(struct recording *r, const struct fg_perfdata_frame *f, char pc[PC_SIZE])
{
	struct perf_frame frame = { .symbol = f->symbol,
				    .dso = f->dso,
				    .dso_kind = f->inlined ? PERF_DSO_INLINED :
							     PERF_DSO_GIVEN };
	int len = snprintf(pc, PC_SIZE, "%" PRIx64, f->address);

	frame.pc = fg_str_of(pc, (size_t)len);
	fg_buf_clear(&r->text);
	fg_buf_add_str(&r->text, f->symbol);
	fg_buf_addf(&r->text, "+0x%" PRIx64, f->offset);
	frame.after_pc = fg_buf_str(&r->text);
	return frame;
}

/* Returns the frames of a symbol with its source line, which --context shows. */
static struct fg_memo_value frame_with_source(struct recording *r,
					      const struct fg_perfdata_frame *f,
					      const struct perf_frame *frame)
{
	fg_buf_clear(&r->text);
	fg_buf_add_str(&r->text, f->symbol);
	fg_buf_replace(&r->text, 0, ';', ':');
	fg_buf_add_char(&r->text, ':');
	fg_buf_add_str(&r->text, f->source);
	perf_name_inlined(r->perf, frame, fg_buf_str(&r->text));
	perf_note_skipped_after(r->perf, f->symbol);
	return perf_run_end(r->perf);
}

/* Returns the frames of a symbol with the source line that --lines shows. */
static struct fg_memo_value frame_with_line(struct recording *r,
					    const struct fg_perfdata_frame *f,
					    const struct perf_frame *frame)
{
	struct perf *p = r->perf;

	if (f->inlined) {
		fg_buf_clear(&r->text);
		fg_buf_add_str(&r->text, f->symbol);
		fg_buf_replace(&r->text, 0, ';', ':');
		perf_name_inlined(p, frame, fg_buf_str(&r->text));
		perf_note_skipped_after(p, f->symbol);
	} else {
		perf_run_add_value(p, perf_frames_of(p, frame, p->sample.variant));
	}
	perf_name_line(p, f->source);
	return perf_run_end(p);
}

static struct fg_memo_value work_out(struct recording *r,
				     const struct fg_perfdata_frame *f,
				     const struct perf_frame *frame)
{
	struct perf *p = r->perf;

	if (!f->source.len)
		return perf_frames_of(p, frame, p->sample.variant);
	return p->options->lines ? frame_with_line(r, f, frame) :
				   frame_with_source(r, f, frame);
}

/* Returns the frames of a symbol and DSO. They are worked out only once. */
static struct fg_memo_value frames_of(struct recording *r,
				      const struct fg_perfdata_frame *f)
{
	struct perf *p = r->perf;
	bool java = p->sample.variant & PERF_VARIANT_JAVA;
	size_t had = r->alloc;
	struct perf_frame frame;
	struct named *named;
	char pc[PC_SIZE];

	FG_GROW(r->named, r->alloc, (size_t)f->id + 1);
	if (r->alloc > had)
		memset(r->named + had, 0, (r->alloc - had) * sizeof(*r->named));
	named = &r->named[f->id];
	if (!named->has[java] || p->options->addrs) {
		frame = frame_of_text(r, f, pc);
		named->value[java] = work_out(r, f, &frame);
		named->has[java] = true;
	}
	return named->value[java];
}

/*
 * Adds a frame. Chains are always leaf first in perf.data, so they do not vote on the
 * order.
 */
static void add_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct recording *r = data;

	r->perf->order.in_inputs[0] = true;
	r->perf->sample.frames++;
	if (!f->inlined || perf_charge_inlined(r->perf, 1))
		perf_push_inlined(r->perf, frames_of(r, f));
}

/*
 * Adds frames that are in r->named already, because an earlier sample of the same comm
 * had them.
 */
static void add_callers(void *data, const uint32_t *ids, size_t count)
{
	struct recording *r = data;
	bool java = r->perf->sample.variant & PERF_VARIANT_JAVA;

	r->perf->sample.frames += count;
	for (size_t i = 0; i < count; i++)
		perf_push_inlined(r->perf, r->named[ids[i]].value[java]);
}

static void end_sample(void *data)
{
	perf_sample_close(((struct recording *)data)->perf, PERF_NEXT_LINE);
}

static bool stops(void *data)
{
	return fg_sink_has_failed(((struct recording *)data)->perf->sink);
}

static void set_clock(void *data, uint64_t time, uint64_t start)
{
	fg_sink_set_clock(((struct recording *)data)->perf->sink, time, start);
}

static void set_command(void *data, struct fg_str words)
{
	struct perf *p = ((struct recording *)data)->perf;

	perf_recorded_line(&p->recorded, p->sink, words);
}

static void set_program(void *data, struct fg_str comm)
{
	struct perf *p = ((struct recording *)data)->perf;

	p->recorded.with_program = true;
	perf_recorded_program(&p->recorded, p->sink, comm);
}

static void change_thread(void *data, const struct fg_perfdata_thread *t)
{
	static const enum perf_task_change changes[] = {
		[FG_PERFDATA_IN] = PERF_TASK_IN,
		[FG_PERFDATA_OUT] = PERF_TASK_OUT,
		[FG_PERFDATA_PREEMPTED] = PERF_TASK_PREEMPTED,
		[FG_PERFDATA_BEGINS] = PERF_TASK_BEGINS,
		[FG_PERFDATA_NAMED] = PERF_TASK_NAMED,
		[FG_PERFDATA_ENDS] = PERF_TASK_ENDS,
	};
	struct perf_task task = {
		.change = changes[t->change],
		.tid = (uint64_t)t->tid,
		.time = t->time,
		.thread = { .comm = comm_of_text(t->comm),
			    .pid = { t->pid, t->pid >= 0 },
			    .cpu = { t->cpu, t->has & FG_PERFDATA_HAS_CPU } },
	};

	if (t->tid > 0)
		perf_sample_see_task(((struct recording *)data)->perf, &task);
}

static bool wants_payloads(const struct perf *p)
{
	return p->offcpu || p->wall || p->options->trace_field.count ||
	       p->samples->weighs == FG_WEIGHT_FIELD;
}

/* Returns the wanted uses of debug information, enum fg_perfdata_debug. */
static unsigned debug_wanted(const struct perf_options *o)
{
	return (o->inlined ? FG_PERFDATA_INLINES : 0) |
	       (o->inlined && o->context ? FG_PERFDATA_LINES : 0) |
	       (o->lines ? FG_PERFDATA_PATHS : 0);
}

static int refuse_compat(struct fg_sink *sink, const char *input)
{
	struct fg_buf argument = FG_BUF_INIT;

	fg_add_input_argument(&argument, input);
	fg_error(fg_sink_diag(sink), fg_sink_at(sink),
		 "--compat=perl reads only text: use perf script --no-inline -i %s",
		 fg_buf_cstr(&argument));
	fg_buf_release(&argument);
	return -1;
}

int perf_recording_read(void *state, struct fg_str head, int fd, const char *input)
{
	struct recording r = { .perf = state };
	struct fg_sink *sink = r.perf->sink;
	struct fg_perfdata pd = {
		.fd = fd,
		.name = input,
		.head = head,
		.helper = r.perf->options->helper,
		.debug = debug_wanted(r.perf->options),
		.diag = fg_sink_diag(sink),
		.payloads = wants_payloads(r.perf),
		.sink = { .sample = start_sample,
			  .frame = add_frame,
			  .callers = r.perf->options->addrs ? NULL : add_callers,
			  .end = end_sample,
			  .thread = change_thread,
			  .clock = set_clock,
			  .cmdline = set_command,
			  .program = set_program,
			  .stops = stops,
			  .data = &r },
	};
	int status;

	if (r.perf->options->compat == FG_COMPAT_PERL)
		return refuse_compat(sink, input);
	r.perf->callers.is_usual = true; /* we find the callers ourselves */
	r.perf->callers.is_recording = true;
	fg_sink_at(sink)->line = 0;
	status = fg_perfdata_read(&pd);
	fg_sink_at(sink)->line = 0;
	fg_sink_skip(sink, FG_SKIP_LOST, pd.tally.lost);
	fg_sink_skip(sink, FG_SKIP_LOST_SAMPLES, pd.tally.lost_samples);
	r.perf->tally->truncated =
		fg_count_add(r.perf->tally->truncated, pd.tally.truncated);
	r.perf->tally->frameless =
		fg_count_add(r.perf->tally->frameless, pd.tally.frameless);
	if (r.perf->parallelism && pd.tally.switches)
		perf_parallelism_is_recorded(r.perf->parallelism);
	if (pd.tally.cut || pd.tally.damaged || pd.tally.impossible ||
	    pd.tally.small_copies)
		fg_sink_set_cut(sink);
	free(r.named);
	fg_buf_release(&r.text);
	return status;
}

/* ---- the first and the last time */

struct span {
	uint64_t first, last;
	bool any;
};

static bool note_time(void *data, const struct fg_perfdata_sample *s)
{
	struct span *span = data;

	if (!(s->has & FG_PERFDATA_HAS_TIME))
		return false;
	span->first = span->any && span->first < s->time ? span->first : s->time;
	span->last = span->any && span->last > s->time ? span->last : s->time;
	span->any = true;
	return false;
}

static void note_end(void *data)
{
	(void)data;
}

int perf_recording_span(int fd, const char *input, uint64_t *first, uint64_t *last,
			struct fg_diag *diag)
{
	struct fg_diag quiet = *diag;
	struct span span = { .any = false };
	struct fg_perfdata pd = {
		.fd = fd,
		.name = input,
		.head = FG_STR(""),
		.no_symbols = true,
		.diag = &quiet,
		.sink = { .sample = note_time, .end = note_end, .data = &span },
	};
	int status;

	quiet.verbosity = FG_QUIET; /* reading the samples will repeat the warnings */
	status = fg_perfdata_read(&pd);
	diag->errors = quiet.errors;
	if (status)
		return -1;
	if (!span.any)
		return FG_SPAN_UNKNOWN;
	*first = span.first;
	*last = span.last;
	return 0;
}
