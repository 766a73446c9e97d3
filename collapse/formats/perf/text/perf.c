/*
 * The descriptor of the format, which is the output of `perf script`. Makes the state
 * of a run, and ends its inputs.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/text/block.h"
#include "collapse/formats/perf/text/callers.h"
#include "collapse/formats/perf/text/compat.h"
#include "collapse/formats/perf/text/deferred.h"
#include "collapse/formats/perf/text/inlined.h"
#include "collapse/formats/perf/text/lines.h"
#include "collapse/formats/perf/text/name.h"
#include "collapse/formats/perf/text/offcpu.h"
#include "collapse/formats/perf/text/order.h"
#include "collapse/formats/perf/text/parallelism.h"
#include "collapse/formats/perf/text/recording.h"
#include "collapse/formats/perf/text/sample.h"
#include "collapse/formats/perf/text/span.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/wall.h"
#include "collapse/symbols/lookup.h"
#include "collapse/symbols/elsewhere.h"
#include "lib/base/xalloc.h"

/*
 * tools/perf/builtin-script.c of the Linux kernel prints the text, and
 * tools/perf/Documentation/perf-script.txt describes it
 * (https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git). A sample is a
 * header, the frames from the leaf on, and a blank line:
 *
 *   comm 12345/12346 [003] 4242.123456:     250000 cycles:u:
 *           7f1a2b3c4d5e do_work+0x1e (/usr/bin/app)
 *           55d0c0ffee00 main+0x2b (/usr/bin/app)
 */

static bool is_perl(const struct perf *p)
{
	return p->options->compat == FG_COMPAT_PERL;
}

static int start_helper(struct fg_collapse *run, void (*end)(int status))
{
	struct perf_options *o = run->own;

	o->helper = fg_elsewhere_start(end);
	return o->helper;
}

static void *open_perf(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct perf *p = fg_xcalloc(1, sizeof(*p));
	const struct perf_options *o = run->own;
	struct fg_sink_rules rules = { .style = FG_COUNTS_EXACT };
	bool perl = o->compat == FG_COMPAT_PERL;
	bool inferno = o->compat == FG_COMPAT_INFERNO;

	p->sink = sink;
	p->stack = fg_sink_stack(sink);
	p->names = fg_sink_names(sink);
	p->tally = fg_sink_tally(sink);
	p->at = fg_sink_at(sink);
	p->events = fg_sink_events(sink);
	p->diag = fg_sink_diag(sink);
	p->samples = &run->samples;
	p->options = o;
	p->line = perl ? perf_compat_line : perf_lines_line;
	p->name = perl ? perf_compat_name : perf_name_symbol;
	p->fast = perl ? PERF_FAST_SKIP : PERF_FAST_NONE;
	fg_memo_init(&p->memo);
	fg_intern_init(&p->by_dso.dsos);
	perf_comms_init(&p->comms);
	p->names_ended = !o->raw_names && o->compat == FG_COMPAT_NONE;
	p->deferred = perf_deferred_new();
	if (o->off_cpu) {
		p->offcpu = perf_offcpu_new();
		if (p->samples->weighs == FG_WEIGHT_PERIOD)
			rules.unit = "ns";
	}
	if (o->wall) {
		p->wall = perf_wall_new(sink);
		rules.event = "thread time";
		rules.unit = "ns";
	}
	if (perf_options_need_parallelism(p->samples))
		p->parallelism = perf_parallelism_new();
	if (o->inlined || o->lines) {
		p->lookup = fg_lookup_new(o->lines   ? FG_INLINES_PATHS :
					  o->context ? FG_INLINES_LINES :
						       FG_INLINES_NAMES,
					  fg_sink_diag(sink));
		p->inlined = perf_inlined_new();
	}
	rules.values_max = o->trace_field.count;
	if (o->skip_after.count)
		rules.cuts_callers = inferno ? FG_CUT_ROOTS : FG_CUT_CALLERS;
	if (inferno)
		fg_events_set_rule(p->events, FG_EVENTS_BY_START);
	if (perl) {
		fg_events_set_rule(p->events, FG_EVENTS_LAST);
		rules.style = FG_COUNTS_PERL;
		rules.may_be_empty = true;
		rules.raw_names = true;
	}
	fg_sink_set_rules(sink, &rules);
	if (o->order == PERF_ORDER_CALLER)
		fg_sink_reverse(sink);
	return p;
}

static void close_perf(void *state)
{
	struct perf *p = state;

	fg_memo_release(&p->memo);
	perf_comms_release(&p->comms);
	perf_deferred_free(p->deferred);
	perf_offcpu_free(p->offcpu);
	perf_wall_free(p->wall);
	perf_parallelism_free(p->parallelism);
	fg_lookup_free(p->lookup);
	perf_inlined_free(p->inlined);
	fg_buf_release(&p->scratch);
	fg_buf_release(&p->key);
	fg_buf_release(&p->texts.flat);
	fg_buf_release(&p->texts.header);
	fg_buf_release(&p->texts.event);
	fg_intern_release(&p->by_dso.dsos);
	fg_map_release(&p->by_dso.pairs);
	free(p->by_dso.last);
	free(p->by_dso.values);
	free(p->runs.items);
	free(p->run.items);
	free(p);
}

/*
 * Cuts an incomplete last line off *bytes and returns it: perf script was killed while
 * it wrote the line. Returns an empty string if the line looks complete without its
 * '\n': "\t401136 main+0x6 (/bin/app)".
 */
static struct fg_str cut_partial_line(struct fg_str *bytes)
{
	size_t start = fg_str_rfind_char(*bytes, '\n');
	struct fg_str line;

	start = start < bytes->len ? start + 1 : 0;
	line = fg_str_from_pos(*bytes, start);
	if (fg_str_ends(fg_str_trim_right(line), FG_STR(")")))
		return fg_str_of(NULL, 0);
	bytes->len = start;
	return line;
}

static void read_block(void *state, const struct fg_block *block)
{
	struct perf *p = state;
	struct fg_str bytes = block->bytes;
	bool ends = bytes.ptr[bytes.len - 1] != '\n';
	struct fg_str cut = { NULL, 0 };

	if (ends && !is_perl(p))
		cut = cut_partial_line(&bytes);
	perf_block(p, bytes);
	if (!ends || is_perl(p))
		return;
	fg_sink_set_unended(p->sink, true);
	perf_lines_end_of_input(p, cut);
}

static void end_input(void *state)
{
	struct perf *p = state;

	if (!is_perl(state))
		perf_lines_end_of_input(state, fg_str_of(NULL, 0));
	if (p->offcpu)
		perf_offcpu_end_input(p);
	if (p->wall)
		perf_wall_end_input(p);
	if (p->parallelism)
		perf_parallelism_end_input(p);
	/* the next input may use the same cookies for other samples */
	if (!is_perl(p))
		perf_deferred_flush(p);
	perf_comms_clear(&p->comms);
	p->recorded = (struct perf_recorded){ .known = false };
	p->source_line = 0;
	p->callers.by_copies = p->callers.is_usual = false;
	p->callers.is_recording = false;
	perf_order_end_input(p); /* now the last sample has voted, too */
}

/*
 * Warns of periods that are too large. perf script up to 6.12 mixes up the counters of
 * several threads if they were recorded with ":S".
 */
static void report_oversized(const struct perf *p)
{
	const struct perf_oversized *o = &p->oversized;

	if (!o->count)
		return;
	fg_warn(p->diag, &o->place,
		"a period of %llu is more than any counter reaches, so counts are "
		"wrong (%llu sample%s): if it was recorded with \":S\", give perf.data "
		"to collapse-perf or record without \":S\"",
		(unsigned long long)o->first, (unsigned long long)o->count,
		o->count == 1 ? "" : "s");
	fg_sink_set_cut(p->sink);
}

static void finish(void *state)
{
	struct perf *p = state;

	if (is_perl(p))
		p->tally->dropped += p->sample.stage != PERF_BETWEEN;
	else
		fg_sink_end_orphans(p->sink);
	if (p->offcpu)
		perf_offcpu_finish(p);
	if (p->wall)
		perf_wall_finish(p);
	perf_order_finish(p);
	report_oversized(p);
	perf_callers_finish(p);
	p->tally->lost_inlined |= fg_lookup_failed(p->lookup);
}

const struct fg_format fg_format_perf = {
	.kind = &fg_kind_perf,
	.summary =
		"Folds stacks: reads the output of perf script, or perf.data itself,\n"
		"writes one line for each distinct stack, `comm;root;...;leaf COUNT`.",
	.footer = "Examples:\n"
		  "  perf script --no-inline | collapse-perf | flamegraph > flame.svg\n"
		  "  collapse-perf perf.data | flamegraph > flame.svg",
	.waiting = "waiting for perf script; perf script --no-inline is faster",
	.hints = {
		.empty = "did perf script fail?",
		.not_found = "no sample was found: is this the output of perf script?",
		.no_chain = "record with perf record -g",
		.no_pids = "perf printed no pids to filter by: "
			   "use perf script -F +pid",
		.no_time = "use perf script -F +time; perf record records times by "
			   "default",
		.lost = "record with a lower -F, or with larger buffers, such as -m "
			"16M",
	},
	.has_samples = true,
	.rows = perf_option_rows,
	.options_size = sizeof(struct perf_options),
	.called_as = perf_options_called_as,
	.check = perf_options_check,
	.start_helper = start_helper,
	.open = open_perf,
	.block = read_block,
	.end_input = end_input,
	.finish = finish,
	.close = close_perf,
	.read_raw = perf_recording_read,
	.span = perf_find_span,
};
