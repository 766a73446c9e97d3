/* The output of `perf script`: the format's options, its run and its end. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/format.h"
#include "collapse/perf.h"
#include "lib/xalloc.h"

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

/* So much of the input is kept to tell what it is when it is no profile. */
#define FIRST_BYTES 1024

static const char *const compat_choices[] = { "none", "perl", NULL };
static const char *const order_choices[] = { "auto", "callee", "caller", NULL };
static const char *const recursion_choices[] = { "keep", "direct", "cycles", NULL };
static const char *const root_choices[] = { "none", "comm", "pid", "tid", "cpu", NULL };

#define FIELD(name) offsetof(struct perf_options, name)

static const struct fg_opt rows[] = {
	{ .kind = FG_OPT_SECTION, .help = "Which samples" },
	{ .kind = FG_OPT_LIST, .name = "event-filter", .arg = "EVENT",
	  .offset = FIELD(event_filter),
	  .help = "keep this event (repeatable; * and ? match); default: the first" },
	{ .kind = FG_OPT_LIST, .name = "comm", .arg = "LIST", .offset = FIELD(comm),
	  .help = "keep these comms (A,B; * and ? match)" },
	{ .kind = FG_OPT_LIST, .name = "pid-filter", .arg = "LIST",
	  .offset = FIELD(pid_filter), .help = "keep these processes (1,5-7)" },
	{ .kind = FG_OPT_LIST, .name = "tid-filter", .arg = "LIST",
	  .offset = FIELD(tid_filter), .help = "keep these threads" },
	{ .kind = FG_OPT_LIST, .name = "cpu", .arg = "LIST", .offset = FIELD(cpu),
	  .help = "keep samples of these cpus" },
	{ .kind = FG_OPT_TEXT, .name = "time", .arg = "A,B", .offset = FIELD(time),
	  .help = "keep samples from A to B: 4242.5, +2s after the first, 10%" },
	{ .kind = FG_OPT_LIST, .name = "keep", .arg = "REGEX", .offset = FIELD(keep),
	  .help = "keep stacks whose folded text matches (repeatable: any)" },
	{ .kind = FG_OPT_LIST, .name = "drop", .arg = "REGEX", .offset = FIELD(drop),
	  .help = "leave out stacks whose folded text matches (repeatable)" },

	{ .kind = FG_OPT_SECTION, .help = "Root frame" },
	{ .kind = FG_OPT_FLAG, .name = "pid", .offset = FIELD(pid),
	  .help = "comm-PID instead of comm" },
	{ .kind = FG_OPT_FLAG, .name = "tid", .offset = FIELD(tid),
	  .help = "comm-PID/TID instead of comm" },

	{ .kind = FG_OPT_LIST, .name = "root", .arg = "WHAT", .offset = FIELD(root),
	  .help = "none, comm (default), pid, tid, cpu; repeatable, in that order" },
	{ .kind = FG_OPT_FLAG, .name = "event-frame", .offset = FIELD(event_frame),
	  .help = "the event as first frame; all events unless filtered" },
	{ .kind = FG_OPT_FLAG, .name = "merge-threads", .offset = FIELD(merge_threads),
	  .help = "comms without trailing numbers: worker-12 is worker" },

	{ .kind = FG_OPT_SECTION, .help = "Weight" },
	{ .kind = FG_OPT_TEXT, .name = "weight", .arg = "WHAT", .offset = FIELD(weight),
	  .help = "period (default), samples, or a field of a tracepoint" },

	{ .kind = FG_OPT_SECTION, .help = "Frames" },
	{ .kind = FG_OPT_FLAG, .name = "kernel", .offset = FIELD(kernel),
	  .help = "mark kernel functions with _[k]" },
	{ .kind = FG_OPT_FLAG, .name = "jit", .offset = FIELD(jit),
	  .help = "mark jitted functions with _[j]" },
	{ .kind = FG_OPT_FLAG, .name = "all", .offset = FIELD(all),
	  .help = "both --kernel and --jit" },
	{ .kind = FG_OPT_FLAG, .name = "addrs", .offset = FIELD(addrs),
	  .help = "show the address where a symbol is missing" },
	{ .kind = FG_OPT_FLAG, .name = "srcline", .offset = FIELD(srcline),
	  .help = "append the source lines of perf script -F +srcline" },
	{ .kind = FG_OPT_FLAG, .name = "inline", .offset = FIELD(inlined),
	  .help = "show inlined functions, by addr2line" },
	{ .kind = FG_OPT_FLAG, .name = "context", .offset = FIELD(context),
	  .help = "with --inline: append file and line" },
	{ .kind = FG_OPT_LIST, .name = "skip-after", .arg = "NAME",
	  .offset = FIELD(skip_after),
	  .help = "leave out the callers of this function (repeatable)" },
	{ .kind = FG_OPT_LIST, .name = "trace-field", .arg = "NAME",
	  .offset = FIELD(trace_field),
	  .help = "the value of a tracepoint's field as leaf (repeatable)" },
	{ .kind = FG_OPT_FLAG, .name = "dso", .offset = FIELD(dso),
	  .help = "symbol@dso for every frame that has both" },
	{ .kind = FG_OPT_UINT, .name = "max-depth", .arg = "N",
	  .offset = FIELD(max_depth),
	  .help = "cut chains to N frames from the root" },
	{ .kind = FG_OPT_CHOICE, .name = "recursion", .arg = "HOW",
	  .offset = FIELD(recursion), .choices = recursion_choices,
	  .help = "keep (default); direct: f;f is f; cycles: f;g;f is f" },
	{ .kind = FG_OPT_FLAG, .name = "raw-names", .offset = FIELD(raw_names),
	  .help = "show symbols as perf printed them" },
	{ .kind = FG_OPT_CHOICE, .name = "order", .arg = "ORDER",
	  .offset = FIELD(order), .choices = order_choices,
	  .help = "of chains in the input: auto (default), callee, caller first" },

	{ .kind = FG_OPT_SECTION, .help = "Behaviour" },
	{ .kind = FG_OPT_FLAG, .name = "time-order", .offset = FIELD(time_order),
	  .help = "a line per run of equal stacks in time order" },
	{ .kind = FG_OPT_UINT, .name = "nthreads", .letter = 'n', .arg = "N",
	  .offset = FIELD(threads), .help = "accepted; one thread is used" },
	{ .kind = FG_OPT_CHOICE, .name = "compat", .arg = "WITH",
	  .offset = FIELD(compat), .choices = compat_choices,
	  .help = "perl: the very output of stackcollapse-perf.pl" },
	{ .kind = FG_OPT_FLAG, .name = "strict", .offset = FIELD(strict),
	  .help = "fail when a line is not understood or a sample is cut" },
	{ .kind = FG_OPT_FLAG, .name = "quiet", .letter = 'q', .offset = FIELD(quiet),
	  .help = "say nothing but errors" },
	{ .kind = FG_OPT_COUNTER, .name = "verbose", .letter = 'v', .value = 1,
	  .offset = FIELD(verbose), .help = "show each line that is not understood" },
	FG_OPT_END,
};

/* ---- --keep and --drop */

/* What --keep and --drop ask of a stack. */
struct filter {
	const struct perf_options *options;
	bool failed;
};

static void free_patterns(struct perf_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		fg_regex_free(patterns->items[i]);
	free(patterns->items);
}

static int compile(struct perf_patterns *patterns, const struct fg_opt_list *texts,
		   const char *option, struct fg_diag *diag)
{
	patterns->items = fg_xcalloc(texts->count, sizeof(*patterns->items));
	for (size_t i = 0; i < texts->count; i++) {
		patterns->items[i] = fg_regex_new(texts->items[i], option, diag);
		if (!patterns->items[i])
			return -1;
		patterns->count++;
	}
	return 0;
}

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

/* ---- options */

static void init_options(void *options, const char *called_as)
{
	struct perf_options *o = options;

	if (!strcmp(called_as, "stackcollapse-perf.pl"))
		o->compat = PERF_COMPAT_PERL;
}

static void release_options(void *options)
{
	struct perf_options *o = options;
	struct fg_opt_list *lists[] = { &o->event_filter, &o->skip_after,  &o->keep,
					&o->drop,	  &o->comm,	   &o->cpu,
					&o->pid_filter,	  &o->tid_filter,  &o->root,
					&o->trace_field };

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		fg_opt_list_release(lists[i]);
	free_patterns(&o->keep_patterns);
	free_patterns(&o->drop_patterns);
}

static bool has_selection(const struct perf_options *o)
{
	return o->comm.count || o->pid_filter.count || o->tid_filter.count ||
	       o->cpu.count || o->time;
}

/* The Perl script has none of these. */
static int check_compat(const struct perf_options *o, struct fg_diag *diag)
{
	if (!o->raw_names && !o->skip_after.count && o->order == PERF_ORDER_AUTO &&
	    !has_selection(o) && !o->root.count && !o->event_frame && !o->weight &&
	    !o->merge_threads && !o->trace_field.count && !o->dso && !o->max_depth &&
	    !o->recursion && !o->time_order)
		return 0;
	fg_error(diag, NULL, "--compat=perl goes with the options of "
			     "stackcollapse-perf.pl, --keep and --drop only");
	return -1;
}

static int add_root(struct perf_options *o, enum perf_root root, struct fg_diag *diag)
{
	if (o->root_count == PERF_ROOTS_MAX) {
		fg_error(diag, NULL, "--root may be given %d times", PERF_ROOTS_MAX - 1);
		return -1;
	}
	o->roots[o->root_count++] = root;
	return 0;
}

static int read_root(struct perf_options *o, const char *text, struct fg_diag *diag)
{
	for (int i = 0; root_choices[i]; i++)
		if (!strcmp(root_choices[i], text))
			return i == PERF_ROOT_NONE ?
				       0 :
				       add_root(o, (enum perf_root)i, diag);
	fg_error(diag, NULL, "--root takes one of none, comm, pid, tid, cpu, not '%s'",
		 text);
	return -1;
}

static int read_roots(struct perf_options *o, struct fg_diag *diag)
{
	if (o->event_frame && add_root(o, PERF_ROOT_EVENT, diag))
		return -1;
	if (!o->root.count)
		return add_root(o, PERF_ROOT_COMM, diag);
	for (size_t i = 0; i < o->root.count; i++)
		if (read_root(o, o->root.items[i], diag))
			return -1;
	return 0;
}

static int check_options(void *options, struct fg_diag *diag)
{
	struct perf_options *o = options;
	struct perf_selection *selection;

	if (o->all)
		o->kernel = o->jit = true;
	if (o->compat == PERF_COMPAT_PERL && check_compat(o, diag))
		return -1;
	if (read_roots(o, diag) ||
	    compile(&o->keep_patterns, &o->keep, "--keep", diag) ||
	    compile(&o->drop_patterns, &o->drop, "--drop", diag))
		return -1;
	selection = perf_selection_new(o, diag);
	perf_selection_free(selection);
	return selection ? 0 : -1;
}

static enum fg_verbosity verbosity(const void *options)
{
	const struct perf_options *o = options;

	return o->quiet ? FG_QUIET : o->verbose ? FG_VERBOSE : FG_NORMAL;
}

/* ---- the run */

static void init_perf(struct perf *p, const struct fg_collapse *run)
{
	const struct perf_options *o = run->options;
	bool perl = o->compat == PERF_COMPAT_PERL;

	memset(p, 0, sizeof(*p));
	p->options = o;
	p->diag = run->diag;
	p->line = perl ? perf_compat_line : perf_sample_line;
	p->name = perl ? perf_compat_name : perf_sample_name;
	p->frames = perl ? PERF_FRAMES_SKIP : PERF_FRAMES_SCALAR;
	fg_intern_init(&p->names);
	for (size_t i = 0; i <= PERF_ROOTS_MAX; i++)
		fg_counts_init(&p->counts[i], 1);
	fg_counts_init(&p->orphans, 1);
	perf_memo_init(&p->memo);
	p->events = perf_events_new(o);
	p->deferred = perf_deferred_new();
	if (o->inlined)
		p->addr2line = fg_addr2line_new(o->context, run->diag);
	if (o->time_order)
		p->sequence = perf_sequence_new();
	if (has_selection(o))
		p->selection = perf_selection_new(o, run->diag);
}

static void release_perf(struct perf *p)
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
	fg_buf_release(&p->tally.odd_text);
	fg_buf_release(&p->first_bytes);
	free(p->runs);
	free(p->run);
}

/*
 * Cuts off a last line without '\n' that does not look whole: perf script was
 * ended while it wrote it.
 */
static bool cut_partial_line(struct fg_str *bytes)
{
	size_t start = fg_str_rfind_char(*bytes, '\n');
	struct fg_str last = fg_str_trim_right(*bytes);

	if (!bytes->len || bytes->ptr[bytes->len - 1] == '\n' ||
	    (last.len && last.ptr[last.len - 1] == ')'))
		return false;
	bytes->len = start < bytes->len ? start + 1 : 0;
	return true;
}

static void read_block(struct perf *p, const struct fg_block *block)
{
	static const struct fg_str byte_order_mark = FG_STR_INIT("\xef\xbb\xbf");
	bool perl = p->options->compat == PERF_COMPAT_PERL;
	struct fg_str bytes = block->bytes;
	bool ends = bytes.ptr[bytes.len - 1] != '\n';
	bool cut = false;

	if (block->first) {
		p->at.input = block->input;
		p->at.line = 0;
	}
	if (p->first_bytes.len < FIRST_BYTES)
		fg_buf_add_str(&p->first_bytes, fg_str_before(bytes, FIRST_BYTES));
	if (block->first && !perl && fg_str_starts(bytes, byte_order_mark))
		bytes = fg_str_from_pos(bytes, byte_order_mark.len);
	if (ends && !perl)
		cut = cut_partial_line(&bytes);
	perf_block(p, bytes);
	if (ends && !perl)
		perf_sample_end_of_input(p, cut);
}

/* Frames before the first header belong to a sample whose header was cut off. */
static void end_orphans(struct perf *p)
{
	if (p->any_header) {
		p->tally.dropped += p->orphan_samples;
	} else {
		p->tally.kept += p->orphan_samples;
		p->tally.chains += p->orphan_samples;
	}
}

/* --time with percentages: of the time from the first sample to the last. */
static int find_span(struct perf *p, const struct fg_collapse *run)
{
	uint64_t first, last;

	if (!p->selection || !perf_selection_needs_span(p->selection))
		return 0;
	if (perf_find_span(run->files, &first, &last)) {
		fg_error(p->diag, NULL, "--time with %% needs regular files that "
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
	int status;

	while ((status = fg_reader_block(run->reader, &block)) > 0) {
		if (block.first && !perl)
			perf_sample_end_of_input(p, false);
		read_block(p, &block);
	}
	if (status < 0)
		return -1;
	if (!perl) {
		perf_sample_end_of_input(p, false);
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
		.skip_zero = !perl,
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

	init_perf(&p, run);
	status = find_span(&p, run);
	if (!status)
		status = read_all(&p, run);
	if (!status)
		status = write_all(&p, run);
	release_perf(&p);
	return status;
}

const struct fg_format fg_format_perf = {
	.name = "perf",
	.summary = "Folds the stacks that perf script prints: reads its output, writes\n"
		   "one line a distinct stack, `comm;root;...;leaf COUNT`.",
	.footer = "Example: perf script | collapse-perf | flamegraph > flame.svg",
	.rows = rows,
	.options_size = sizeof(struct perf_options),
	.init = init_options,
	.release = release_options,
	.check = check_options,
	.verbosity = verbosity,
	.run = run_perf,
};
