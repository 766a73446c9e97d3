/* A recording, perf.data: samples and frames, as if perf script had printed them. */
#include "collapse/perf/recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/perf/name.h"
#include "collapse/perf/state.h"
#include "collapse/perfdata/perfdata.h"
#include "lib/xalloc.h"

/* The digits of an id, and '-'. */
#define ID_MAX 24

/* The frames of a symbol and DSO, by whether the comm is Java's. */
struct known {
	struct fg_memo_value value[2];
	bool has[2];
};

struct recording {
	struct perf *perf;
	struct known *known; /* by id of the frame */
	size_t alloc;
	struct fg_buf rest; /* "symbol+0xoffset (dso)" */
};

/*
 * In so many columns at least, with zeros, as perf prints CPUs. There are three in each
 * sample, for which printf would take a tenth of all the time.
 */
static struct fg_str print_number(char text[ID_MAX], int64_t number, size_t columns)
{
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	size_t at = ID_MAX;

	do
		text[--at] = (char)('0' + left % 10);
	while ((left /= 10) || ID_MAX - at < columns);
	if (number < 0)
		text[--at] = '-';
	return fg_str_of(text + at, ID_MAX - at);
}

static bool start_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct perf *p = ((struct recording *)data)->perf;
	char pid[ID_MAX], tid[ID_MAX], cpu[ID_MAX];
	struct perf_header h = {
		.sample = { .comm = s->comm,
			    .event = s->event,
			    .has_time = s->has & FG_PERFDATA_HAS_TIME,
			    .time = s->time,
			    .weight = s->period },
		.rest = s->payload,
		.fields_only = true,
		.timed = true,
	};

	if (s->has & FG_PERFDATA_HAS_TASK) {
		h.sample.pid = print_number(pid, s->pid, 1);
		h.sample.tid = print_number(tid, s->tid, 1);
	}
	if (s->has & FG_PERFDATA_HAS_CPU)
		h.sample.cpu = print_number(cpu, s->cpu, 3);
	p->sink->any_header = true;
	p->sink->at.line++;
	perf_sample_open(p, &h, FG_STR(" "));
	return p->sample.fate == PERF_KEPT;
}

/* A frame as the text has it; valid until the next. */
static struct perf_frame
frame_of_text(struct recording *r, const struct fg_perfdata_frame *f, char pc[ID_MAX])
{
	struct perf_frame frame = { .symbol = f->symbol,
				    .dso = f->dso,
				    .dso_kind = f->inlined ? PERF_DSO_INLINED :
							     PERF_DSO_GIVEN };
	int len = snprintf(pc, ID_MAX, "%" PRIx64, f->address);

	frame.pc = fg_str_of(pc, (size_t)len);
	fg_buf_clear(&r->rest);
	fg_buf_add_str(&r->rest, f->symbol);
	fg_buf_addf(&r->rest, "+0x%" PRIx64, f->offset);
	frame.rest = fg_buf_str(&r->rest);
	return frame;
}

/* --context: as where addr2line was asked. */
static struct fg_memo_value frame_with_source(struct recording *r,
					      const struct fg_perfdata_frame *f,
					      const struct perf_frame *frame)
{
	fg_buf_clear(&r->rest);
	fg_buf_add_str(&r->rest, f->symbol);
	for (size_t i = 0; i < r->rest.len; i++)
		if (r->rest.ptr[i] == ';')
			r->rest.ptr[i] = ':';
	fg_buf_add_char(&r->rest, ':');
	fg_buf_add_str(&r->rest, f->source);
	perf_name_inlined(r->perf, frame, fg_buf_str(&r->rest));
	perf_note_skipped_after(r->perf, f->symbol);
	return perf_run_end(r->perf);
}

static struct fg_memo_value frames_of(struct recording *r,
				      const struct fg_perfdata_frame *f)
{
	struct perf *p = r->perf;
	bool java = p->sample.variant & PERF_VARIANT_JAVA;
	size_t had = r->alloc;
	struct perf_frame frame;
	struct known *known;
	char pc[ID_MAX];

	FG_GROW(r->known, r->alloc, (size_t)f->id + 1);
	if (r->alloc > had)
		memset(r->known + had, 0, (r->alloc - had) * sizeof(*r->known));
	known = &r->known[f->id];
	if (!known->has[java] || p->options->addrs) {
		frame = frame_of_text(r, f, pc);
		known->value[java] =
			f->source.len ? frame_with_source(r, f, &frame) :
					perf_frames_of(p, &frame, p->sample.variant);
		known->has[java] = true;
	}
	return known->value[java];
}

/* Recorded chains are leaf first, so their frames have no vote. */
static void add_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct recording *r = data;

	r->perf->sample.frames++;
	perf_push(r->perf, frames_of(r, f));
}

static void end_sample(void *data)
{
	perf_sample_close(((struct recording *)data)->perf, PERF_NEXT_LINE);
}

static void switched_in(void *data, int32_t tid, uint64_t time)
{
	struct perf *p = ((struct recording *)data)->perf;

	if (p->offcpu && tid > 0)
		perf_offcpu_back(p, (uint64_t)tid, time);
}

static bool wants_payloads(const struct perf *p)
{
	return p->offcpu || p->options->trace_field.count ||
	       p->sink->samples->weighs == FG_WEIGHT_FIELD;
}

bool perf_recording_starts(struct fg_str first_bytes)
{
	return fg_perfdata_starts(first_bytes);
}

static enum fg_perfdata_inlines inlines_wanted(const struct perf_options *o)
{
	if (!o->inlined)
		return FG_PERFDATA_NO_INLINES;
	return o->context ? FG_PERFDATA_LINES : FG_PERFDATA_INLINES;
}

int perf_recording_read(void *state, struct fg_str head, int fd, const char *input)
{
	struct recording r = { .perf = state };
	struct fg_sink *sink = r.perf->sink;
	struct fg_perfdata pd = {
		.fd = fd,
		.name = input,
		.head = head,
		.inlines = inlines_wanted(r.perf->options),
		.diag = sink->diag,
		.payloads = wants_payloads(r.perf),
		.sink = { start_sample, add_frame, end_sample, switched_in, &r },
	};
	int status;

	if (r.perf->options->compat == FG_COMPAT_PERL) {
		fg_error(sink->diag, &sink->at,
			 "--compat=perl reads text: use perf script -i %s", input);
		return -1;
	}
	sink->at.line = 0;
	status = fg_perfdata_read(&pd);
	sink->at.line = 0;
	sink->tally.lost += pd.tally.lost;
	sink->tally.cut |= pd.tally.cut || pd.tally.damaged;
	free(r.known);
	fg_buf_release(&r.rest);
	return status;
}

/* The times of samples, while they pass. */
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

/* What is wrong is said when the samples are read. */
static void drop_message(void *data, const char *message)
{
	(void)data;
	(void)message;
}

int perf_recording_span(int fd, uint64_t *first, uint64_t *last)
{
	struct fg_diag silent = { .program = "", .sink = drop_message };
	struct span span = { .any = false };
	struct fg_perfdata pd = {
		.fd = fd,
		.head = FG_STR(""),
		.no_symbols = true,
		.diag = &silent,
		.sink = { .sample = note_time, .end = note_end, .data = &span },
	};

	if (fg_perfdata_read(&pd) || !span.any)
		return -1;
	*first = span.first;
	*last = span.last;
	return 0;
}
