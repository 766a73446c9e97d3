/* The output of `perf script`: the format's descriptor, a run from start to end. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/addr2line.h"
#include "collapse/format.h"
#include "collapse/perf.h"
#include "collapse/perf_compat.h"
#include "collapse/perf_deferred.h"
#include "collapse/perf_event.h"
#include "collapse/perf_fold.h"
#include "collapse/perf_name.h"
#include "collapse/perf_select.h"
#include "collapse/perf_span.h"
#include "collapse/perf_threads.h"
#include "lib/progress.h"
#include "lib/regex.h"
#include "lib/utf8.h"

/*
 * The text is made by tools/perf/builtin-script.c of the Linux kernel and
 * described in tools/perf/Documentation/perf-script.txt
 * (https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git):
 *
 *   comm 12345/12346 [003] 4242.123456:     250000 cycles:u:
 *           7f1a2b3c4d5e do_work+0x1e (/usr/bin/app)
 *           55d0c0ffee00 main+0x2b (/usr/bin/app)
 *
 * and a blank line: a header, the frames from the leaf, the end.
 */

/* So many bytes of the input are kept to guess what it is if it is no profile. */
#define FIRST_BYTES 1024

/*
 * A large input is read by several threads: one that has so many bytes left after the
 * first block, or that had so many blocks.
 */
#define LARGE_BYTES ((uint64_t)8 * 1024 * 1024)
#define LARGE_BLOCKS 4

/* ---- --keep and --drop */

/* What --keep and --drop ask of a stack. */
struct filter {
	const struct perf_options *options;
	bool failed;
};

static bool any_matches(struct filter *f, const struct perf_patterns *patterns,
			struct fg_str stack)
{
	for (size_t i = 0; i < patterns->count && !f->failed; i++) {
		int matched = fg_regex_match(patterns->items[i], stack);

		f->failed |= matched < 0;
		if (matched > 0)
			return true;
	}
	return false;
}

static bool is_kept(void *data, struct fg_str stack)
{
	struct filter *f = data;
	const struct perf_options *o = f->options;

	if (f->failed ||
	    (o->keep_patterns.count && !any_matches(f, &o->keep_patterns, stack)))
		return false;
	return !any_matches(f, &o->drop_patterns, stack);
}

/* ---- the run */

void perf_init(struct perf *p, const struct perf_options *o, struct fg_diag *diag)
{
	bool perl = o->compat == PERF_COMPAT_PERL;

	memset(p, 0, sizeof(*p));
	p->options = o;
	p->diag = diag;
	p->line = perl ? perf_compat_line : perf_sample_line;
	p->name = perl ? perf_compat_name : perf_name_symbol;
	p->frames = perl ? PERF_FRAMES_SKIP : PERF_FRAMES_SCALAR;
	fg_intern_init(&p->names);
	for (size_t i = 0; i <= PERF_ROOTS_MAX; i++)
		fg_counts_init(&p->counts[i]);
	fg_counts_init(&p->orphans);
	perf_memo_init(&p->memo);
	p->events = perf_events_new(o);
	p->deferred = perf_deferred_new();
	if (o->inlined)
		p->addr2line = fg_addr2line_new(o->context, diag);
	if (o->time_order)
		p->sequence = perf_sequence_new();
	if (perf_options_select(o))
		p->selection = perf_selection_new(o, diag);
}

void perf_release(struct perf *p)
{
	fg_intern_release(&p->names);
	for (size_t i = 0; i <= PERF_ROOTS_MAX; i++)
		fg_counts_release(&p->counts[i]);
	fg_counts_release(&p->orphans);
	perf_sequence_free(p->sequence);
	perf_selection_free(p->selection);
	perf_memo_release(&p->memo);
	perf_events_free(p->events);
	perf_deferred_free(p->deferred);
	fg_addr2line_free(p->addr2line);
	fg_stack_release(&p->stack);
	fg_buf_release(&p->scratch);
	fg_buf_release(&p->key);
	fg_buf_release(&p->sample.flat_text);
	fg_buf_release(&p->sample.header);
	fg_buf_release(&p->sample.event);
	fg_buf_release(&p->tally.odd_text);
	fg_buf_release(&p->first_bytes);
	free(p->skipped_after.has);
	free(p->trace_values.has);
	free(p->by_kind.items);
	fg_buf_release(&p->last_dso.text);
	free(p->runs.items);
	free(p->run.items);
}

/*
 * Cuts off and returns a last line without '\n' that does not look whole: perf
 * script was ended while it wrote it. Empty where there is none.
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

static void read_block(struct perf *p, const struct fg_block *block)
{
	bool perl = p->options->compat == PERF_COMPAT_PERL;
	struct fg_str bytes = block->bytes;
	bool ends = bytes.ptr[bytes.len - 1] != '\n';
	uint64_t samples = p->tally.samples;
	struct fg_str cut = { NULL, 0 };

	if (block->first) {
		p->at.input = block->input;
		p->at.line = 0;
	}
	fg_buf_add_str(&p->first_bytes,
		       fg_str_before(bytes, FIRST_BYTES - p->first_bytes.len));
	if (block->first && !perl)
		bytes = fg_utf8_skip_mark(bytes);
	if (ends && !perl)
		cut = cut_partial_line(&bytes);
	perf_block(p, bytes);
	if (ends && !perl)
		perf_sample_end_of_input(p, cut);
	fg_progress_add_samples(p->diag->progress, p->tally.samples - samples);
}

/* Frames before the first header belong to a sample whose header was cut off. */
static void end_orphans(struct perf *p)
{
	if (p->any_header)
		p->tally.dropped += p->orphan_samples;
	else
		p->tally.kept += p->orphan_samples;
}

/* --time with percentages: of the time from the first sample to the last. */
static int find_span(struct perf *p, const struct fg_collapse *run)
{
	uint64_t first, last;

	if (!p->selection || !perf_selection_needs_span(p->selection))
		return 0;
	if (perf_find_span(run->files, &first, &last)) {
		fg_error(p->diag, NULL,
			 "--time with %% needs regular files that "
			 "have samples with times");
		return -1;
	}
	perf_selection_set_span(p->selection, first, last);
	return 0;
}

static int read_all(struct perf *p, const struct fg_collapse *run)
{
	bool perl = p->options->compat == PERF_COMPAT_PERL;
	struct fg_block block;
	unsigned blocks = 0;
	int status;

	while ((status = fg_reader_block(run->reader, &block)) > 0) {
		if (block.first && !perl)
			perf_sample_end_of_input(p, fg_str_of(NULL, 0));
		read_block(p, &block);
		blocks = block.first ? 1 : blocks + 1;
		if (blocks == 1 ? !fg_reader_has_left(run->reader, LARGE_BYTES) :
				  blocks % LARGE_BLOCKS != 0)
			continue;
		if (perf_may_share(p) && perf_share(p, run->reader))
			return -1;
	}
	if (status < 0)
		return -1;
	if (!perl) {
		perf_sample_end_of_input(p, fg_str_of(NULL, 0));
		perf_deferred_flush(p);
		end_orphans(p);
	} else if (p->sample.has_root) {
		p->tally.dropped++;
	}
	return 0;
}

static int write_all(struct perf *p, const struct fg_collapse *run)
{
	const struct perf_options *o = p->options;
	bool perl = o->compat == PERF_COMPAT_PERL;
	struct filter filter = { .options = o };
	struct fg_counts_format format = {
		.style = perl ? FG_COUNTS_PERL : FG_COUNTS_EXACT,
		.ahead = perf_thread_count(o) > 1,
		.data = &filter,
	};
	size_t lines;

	if (o->keep.count || o->drop.count)
		format.keep = is_kept;
	lines = perf_fold_write(p, &format, run->out);
	return filter.failed ? -1 : perf_report(p, lines);
}

static int run_perf(const struct fg_collapse *run)
{
	struct perf p;
	int status;

	perf_init(&p, run->options, run->diag);
	status = find_span(&p, run);
	if (!status)
		status = read_all(&p, run);
	if (!status)
		status = write_all(&p, run);
	perf_release(&p);
	return status;
}

const struct fg_format fg_format_perf = {
	.name = "perf",
	.summary =
		"Folds the stacks that perf script prints: reads its output, writes\n"
		"one line for each distinct stack, `comm;root;...;leaf COUNT`.",
	.footer = "Example: perf script | collapse-perf | flamegraph > flame.svg",
	.waiting = "waiting for perf script; "
		   "perf script --no-inline or a fast addr2line helps",
	.rows = perf_option_rows,
	.options_size = sizeof(struct perf_options),
	.init = perf_options_init,
	.release = perf_options_release,
	.check = perf_options_check,
	.verbosity = perf_options_verbosity,
	.run = run_perf,
};
