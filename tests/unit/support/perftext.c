/* Prints samples and frames of a recording like perf script. */
#include "tests/unit/support/perftext.h"

#include <inttypes.h>

static bool print_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct perf_text *t = data;
	struct fg_out *o = &t->out;

	t->has_chain = s->has & FG_PERFDATA_HAS_CHAIN;
	fg_out_add_str(o, s->comm);
	fg_out_addf(o, " %5d ", (int)s->tid);
	if (s->has & FG_PERFDATA_HAS_CPU)
		fg_out_addf(o, "[%03u] ", s->cpu);
	if (s->has & FG_PERFDATA_HAS_TIME)
		fg_out_addf(o, "%5" PRIu64 ".%06" PRIu64 ": ", s->time / 1000000000,
			    s->time / 1000 % 1000000);
	if (!(s->has & FG_PERFDATA_IS_TRACEPOINT))
		fg_out_addf(o, "%10" PRIu64 " ", s->period);
	fg_out_add_str(o, s->event);
	fg_out_add_str(o, t->has_chain ? FG_STR(": \n") : FG_STR(": "));
	return true;
}

static void print_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct perf_text *t = data;
	struct fg_out *o = &t->out;

	fg_out_addf(o, t->has_chain ? "\t%16" PRIx64 " " : " %16" PRIx64 " ",
		    t->has_chain ? f->address : f->pc);
	fg_out_add_str(o, f->symbol);
	if (!fg_str_eq(f->symbol, FG_STR("[unknown]")))
		fg_out_addf(o, "+0x%" PRIx64, f->offset);
	fg_out_add_str(o, FG_STR(" ("));
	fg_out_add_str(o, f->inlined ? FG_STR("inlined") : f->dso);
	fg_out_add_str(o, t->has_chain ? FG_STR(")\n") : FG_STR(")"));
}

static void print_end(void *data)
{
	struct perf_text *t = data;

	fg_out_add_char(&t->out, '\n');
}

struct fg_perfdata_sink perf_text_sink(struct perf_text *t)
{
	return (struct fg_perfdata_sink){ .sample = print_sample,
					  .frame = print_frame,
					  .end = print_end,
					  .data = t };
}
