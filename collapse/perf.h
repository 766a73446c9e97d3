/*
 * The parts of the perf script collapser; private to collapse/perf*.c.
 *
 * perf.c          the format: options, reading, the end
 * perf_options.c  the options
 * perf_block.c    lines of a block; the fast path for frames
 * perf_sample.c   default behaviour: what a line means for the open sample
 * perf_header.c   the header line of a sample
 * perf_frame.c    a frame line: address, symbol, DSO
 * perf_noise.c    lines that are neither
 * perf_name.c     a symbol as the name of a frame
 * perf_event.c    which events are kept
 * perf_select.c   which samples are kept by comm, pid, tid, cpu, time
 * perf_span.c     when a recording starts and ends
 * perf_root.c     the root frames of a sample
 * perf_payload.c  fields of a tracepoint
 * perf_stack.c    frames of the open sample, as ids
 * perf_fold.c     what becomes of the distinct stacks at the end
 * perf_deferred.c samples whose user frames come in a later record
 * perf_compat.c   --compat=perl: all of that as stackcollapse-perf.pl has it
 * perf_memo.c     raw text of a frame -> frame ids
 * perf_threads.c  chunks of the input, read by several threads
 * perf_merge.c    what several threads have read, put together
 * perf_report.c   what was lost, and why
 *
 * The text is described at the head of perf.c.
 */
#ifndef FG_COLLAPSE_PERF_H
#define FG_COLLAPSE_PERF_H

#include "collapse/addr2line.h"
#include "collapse/perf_memo.h"
#include "lib/counts.h"
#include "lib/opts.h"
#include "lib/reader.h"
#include "lib/regex.h"
#include "lib/stack.h"

enum perf_compat { PERF_COMPAT_NONE, PERF_COMPAT_PERL };
enum perf_order { PERF_ORDER_AUTO, PERF_ORDER_CALLEE, PERF_ORDER_CALLER };
enum perf_recursion {
	PERF_RECURSION_KEEP,
	PERF_RECURSION_DIRECT,
	PERF_RECURSION_CYCLES
};
enum perf_root {
	PERF_ROOT_NONE,
	PERF_ROOT_COMM,
	PERF_ROOT_PID,
	PERF_ROOT_TID,
	PERF_ROOT_CPU,
	PERF_ROOT_EVENT,
};

/* No more root frames than this, whatever --root says. */
#define PERF_ROOTS_MAX 8

/* Compiled regular expressions, owned. */
struct perf_patterns {
	struct fg_regex **items;
	size_t count;
};

struct perf_options {
	bool pid;
	bool tid;
	bool kernel; /* annotate _[k] */
	bool jit; /* annotate _[j] */
	bool all; /* both */
	bool addrs;
	bool inlined;
	bool context;
	bool srcline;
	bool raw_names;
	bool strict;
	bool quiet;
	int verbose;
	int compat; /* enum perf_compat */
	int order; /* enum perf_order */
	int recursion; /* enum perf_recursion */
	bool event_frame;
	bool merge_threads;
	bool dso; /* symbol@dso */
	bool time_order;
	uint64_t max_depth; /* 0: no limit */
	uint64_t threads; /* 0: one a processor */
	const char *time;
	const char *weight; /* NULL: the period */
	struct fg_opt_list comm;
	struct fg_opt_list pid_filter;
	struct fg_opt_list tid_filter;
	struct fg_opt_list cpu;
	struct fg_opt_list trace_field;
	struct fg_opt_list root;
	enum perf_root roots[PERF_ROOTS_MAX]; /* made of the lists when checked */
	size_t root_count;
	struct fg_opt_list event_filter;
	struct fg_opt_list skip_after;
	struct fg_opt_list keep;
	struct fg_opt_list drop;
	struct perf_patterns keep_patterns; /* made of the lists when checked */
	struct perf_patterns drop_patterns;
};

/* ---- perf_options.c: see collapse/format.h */

extern const struct fg_opt perf_option_rows[];

void perf_options_init(void *options, const char *called_as);
void perf_options_release(void *options);
int perf_options_check(void *options, struct fg_diag *diag);
enum fg_verbosity perf_options_verbosity(const void *options);

/* Whether samples are chosen by comm, pid, tid, cpu or time. */
bool perf_options_select(const struct perf_options *o);

/* ---- perf_header.c */

/* A header line taken apart; the strings are borrowed from the line or its memo. */
struct perf_header {
	struct fg_str comm;
	struct fg_str pid; /* .ptr is NULL where none was printed */
	struct fg_str tid; /* likewise; a number without a pid is the tid */
	struct fg_str cpu; /* .ptr is NULL where none was printed */
	struct fg_str time; /* likewise: seconds with 6 or 9 decimals */
	struct fg_str event;
	struct fg_str rest; /* after the event: payload, flags, a flat frame */
	uint64_t period; /* 1 where none was printed */
	bool strong; /* it has a time stamp */
};

/* The text on one side of a time stamp, and what it says. */
struct perf_header_part {
	char text[64];
	size_t len; /* 0: there was none */
	struct perf_header says; /* one side of it, borrowed from `text` */
};

/*
 * Parts that were read before: the same threads take turns, and most samples have the
 * same period.
 */
#define PERF_HEADER_PARTS 64

struct perf_header_memo {
	struct perf_header_part left[PERF_HEADER_PARTS]; /* by hash */
	struct perf_header_part right; /* the last one */
};

/*
 * Reads a line that has a time stamp; false where it is no header. `memo` may be
 * NULL; the next line that is read with it may overwrite what `h` borrows.
 */
bool perf_header_strong(struct fg_str line, struct perf_header_memo *memo,
			struct perf_header *h);

/*
 * Reads a line without a time stamp as a header, by its columns. Almost any
 * line will do, so it counts only where a header is due and a frame follows.
 */
bool perf_header_weak(struct fg_str line, struct perf_header *h);

/* ---- perf_frame.c */

enum perf_dso_kind {
	PERF_DSO_ABSENT, /* perf was told not to print it */
	PERF_DSO_INLINED, /* "(inlined)" stands in its place */
	PERF_DSO_GIVEN,
};

struct perf_frame {
	struct fg_str pc;
	struct fg_str rest; /* all after the address; .ptr is NULL for nothing */
	struct fg_str symbol; /* without +0xOFFSET */
	struct fg_str dso; /* "[unknown]" where there is none */
	enum perf_dso_kind dso_kind;
};

/* Whether the line has the shape of a frame; sets pc and rest. */
bool perf_frame_is(struct fg_str line, struct perf_frame *f);

/* Takes f->rest apart: symbol and DSO. */
void perf_frame_split(struct perf_frame *f);

/* Without one "+0x" and hexadecimal digits at the end. */
struct fg_str perf_strip_offset(struct fg_str symbol);

/* The DSO without the offset that --fields +dsoff adds. */
struct fg_str perf_strip_dso_offset(struct fg_str dso);

/*
 * The frame at the end of the header line of a sample without a call chain,
 * searched in what follows the event. Returns false where there is none.
 */
bool perf_frame_of_header(const struct perf_header *h, struct perf_frame *f);

/* Where the last " (" is; text.len for none. */
size_t perf_last_paren(struct fg_str text);

/* ---- perf_noise.c */

/* Whether perf prints the line after a chain: the sample has no more frames. */
bool perf_is_tail(struct fg_str line);

/* What follows the event without registers, instructions and page sizes. */
struct fg_str perf_without_tail(struct fg_str text);

/* Whether the line is a record that is no sample, or a metric. */
bool perf_is_record(struct fg_str line);

/* Whether the line is one that says nothing about samples. */
bool perf_is_remark(struct fg_str line);
bool perf_is_source_code(struct fg_str line);

/* ---- perf_name.c */

/* What a DSO says about its frames. */
bool perf_dso_is_kernel(struct fg_str dso);
bool perf_dso_is_jit(struct fg_str dso);

/* Whether a function of that name is where a thread or program starts. */
bool perf_is_entry_point(struct fg_str symbol);

/*
 * Whether parentheses of a jitted function's name are part of it, as V8's in Node.js,
 * "LazyCompile:*run app (2).js:12", and Python's, "py::run:/srv/app (2).py".
 */
bool perf_keeps_parentheses(struct fg_str symbol);

/* ---- perf_event.c */

struct perf_events;

struct perf_events *perf_events_new(const struct perf_options *o);
void perf_events_free(struct perf_events *e);

/*
 * Whether samples of `event` are kept; counts the sample. Without a filter the
 * first event of all is kept. An event that was not printed (.len 0) is kept.
 */
bool perf_events_keep(struct perf_events *e, struct fg_str event);

/* Whether it is clear which events are kept: none is the first to come any more. */
bool perf_events_are_settled(const struct perf_events *e);

/* For threads. Gives `e` the first event of `from`, if there is one. */
void perf_events_share_first(struct perf_events *e, const struct perf_events *from);

/* Events that are new from now on came in chunk `number` of the input, below 2^32. */
void perf_events_start_chunk(struct perf_events *e, uint64_t number);

/* Adds the events of `from`, which came first where their chunks say, to `e`. */
void perf_events_absorb(struct perf_events *e, const struct perf_events *from);

/*
 * Appends "'cycles' (12 samples), ..." of the kept or of the ignored events, in the
 * order in which they came first; of a great many the first, and how many more.
 */
void perf_events_list(const struct perf_events *e, bool kept, struct fg_buf *text);

/* ---- perf_select.c */

struct perf_selection;

/* NULL after reporting a wrong option. */
struct perf_selection *perf_selection_new(const struct perf_options *o,
					  struct fg_diag *diag);
void perf_selection_free(struct perf_selection *sel);

/* Whether pids were asked for and no sample had one. */
bool perf_selection_lacks_pids(const struct perf_selection *sel);

/* Whether the sample is wanted, its event apart. */
bool perf_selection_wants(struct perf_selection *sel, const struct perf_header *h);

/* For threads. Whether the first sample's time, if it is needed, is known. */
bool perf_selection_is_settled(const struct perf_selection *sel);

/* Gives `sel` the first sample's time that `from` knows. */
void perf_selection_share_first(struct perf_selection *sel,
				const struct perf_selection *from);

/* Adds what `from` has seen to what `sel` has. */
void perf_selection_absorb(struct perf_selection *sel,
			   const struct perf_selection *from);

/*
 * Percentages of time need the times of the first and of the last sample, in
 * nanoseconds, before the first question.
 */
bool perf_selection_needs_span(const struct perf_selection *sel);
void perf_selection_set_span(struct perf_selection *sel, uint64_t first, uint64_t last);

/*
 * The times of the first and of the last sample in regular files, of which no more than
 * needed is read: 0, or -1 where they cannot be known.
 */
int perf_find_span(const struct fg_opt_list *files, uint64_t *first, uint64_t *last);

/* A header's time in nanoseconds: 0, or -1 where it has none. */
int perf_time_ns(struct fg_str time, uint64_t *ns);

/* Whether `name` fits `pattern`, in which '*' is any text and '?' any byte. */
bool perf_glob(struct fg_str pattern, struct fg_str name);

/* ---- perf_payload.c */

/* The value of the field `name` in `name=value ...`; false where there is none. */
bool perf_payload_field(struct fg_str text, struct fg_str name, struct fg_str *value);

/* The same as a number, decimal or 0x...: 0, or -1. */
int perf_payload_number(struct fg_str text, struct fg_str name, uint64_t *number);

/*
 * Whether a string in the payload goes on in the next line; and whether that line
 * has its end.
 */
bool perf_payload_is_open(struct fg_str text);
bool perf_payload_closes(struct fg_str line);

/* ---- the state of one run */

/* What becomes of the frame lines that follow. */
enum perf_frames {
	PERF_FRAMES_SCALAR, /* they go to the line function */
	PERF_FRAMES_KEEP, /* those of the usual shape are frames of the sample */
	PERF_FRAMES_SKIP, /* those of the usual shape do not matter */
};

/* A vote on the order of chains needs the first and the last frame line. */
struct perf_end_frame {
	bool kernel;
	bool entry;
};

/* The sample whose lines are being read. */
struct perf_sample {
	bool open;
	bool tail; /* only register dumps and the like are left of it */
	bool keep;
	bool undecided; /* without a time stamp: kept or not when a frame comes */
	bool strong; /* its header has a time stamp */
	bool column_0; /* its header is not indented */
	bool orphan; /* frames without a header */
	bool indented; /* its first frame line started with a tab */
	bool has_root; /* --compat=perl: a comm was read */
	bool has_flat; /* `flat` is a frame, used if no other line is */
	bool was_flat; /* `flat` has become a frame */
	bool in_quotes; /* a string in its payload goes on in the next line */
	bool has_cookie; /* its user frames come later */
	bool is_deferred; /* it is such frames */
	bool deselected; /* options other than the event leave it out */
	bool unweighted; /* it lacks the field that is to be its weight */
	unsigned variant; /* PERF_VARIANT_JAVA or 0 */
	uint64_t frames; /* frame lines */
	uint64_t source_of; /* the frame that the last source line was of */
	uint64_t cookie;
	struct perf_memo_value root;
	size_t root_depth; /* how many frames `root` is */
	struct perf_end_frame first, last;

	/* what is from here on is not zeroed when a sample starts */
	uint64_t line; /* of the header */
	uint64_t period;
	struct perf_frame flat;
	struct fg_buf flat_text; /* what `flat` borrows from */
	struct fg_buf event; /* of an undecided sample */
	struct fg_buf header; /* its text, kept where it may turn out odd */
};

/* The last frame without a symbol. */
struct perf_unknown {
	char line[FG_READER_PADDING]; /* from the symbol on, '\n' and all */
	size_t len; /* 0: there was none */
	struct perf_memo_value value;
};

/* The frames of a symbol whose DSO is no JIT's, and is one. */
struct perf_by_kind {
	struct perf_memo_value of[2];
};

/* The last DSO of a name that depends on its kind, as printed. */
struct perf_last_dso {
	struct fg_buf text;
	bool is_jit;
};

/* A set of frame ids. A zeroed struct is empty; free `has` in the end. */
struct perf_id_set {
	bool *has; /* by id */
	size_t alloc;
};

/* How many samples there were and what became of them. */
struct perf_tally {
	uint64_t samples; /* headers that opened a sample */
	uint64_t kept;
	uint64_t ignored; /* of events that were not asked for */
	uint64_t deselected; /* those ignored that are of kept events */
	uint64_t dropped; /* cut short, or without the field that is the weight */
	uint64_t nameless; /* those dropped that have neither root nor chain */
	uint64_t unweighted; /* those dropped for want of that field */
	uint64_t chains; /* those that had frame lines of their own */
	uint64_t lost; /* events that perf record lost, by its own account */
	uint64_t odd_lines; /* not understood */
	uint64_t odd_chunk; /* of the first one, its place in there, and its text */
	struct fg_place odd_place;
	struct fg_buf odd_text;
};

struct perf;

/* One line, without '\n'. */
typedef void perf_line_fn(struct perf *p, struct fg_str line);

/* Works out the frames of a symbol and adds them to p->run, root first. */
typedef void perf_name_fn(struct perf *p, const struct perf_frame *f, unsigned variant);

struct perf_deferred;
struct perf_sequence;

/* All that is known of the input, or of what one thread has read of it. */
struct perf {
	const struct perf_options *options;
	struct fg_diag *diag;
	perf_line_fn *line;
	perf_name_fn *name;

	struct fg_intern names;
	struct fg_counts counts[PERF_ROOTS_MAX + 1]; /* by number of root frames */
	struct fg_counts orphans; /* of frames that no header came before */
	uint64_t orphan_samples;
	struct perf_sequence *sequence; /* NULL without --time-order */
	struct perf_events *events;
	struct perf_selection *selection; /* NULL where all samples are wanted */
	struct fg_addr2line *addr2line; /* NULL without --inline */
	struct perf_deferred *deferred;

	struct perf_header_memo headers;
	struct perf_memo memo;
	struct perf_unknown unknown;
	struct perf_by_kind *by_kind; /* by id of memo values */
	size_t by_kind_count;
	size_t by_kind_alloc;
	struct perf_last_dso last_dso;
	uint32_t *runs; /* of memo values: a length, then ids, root first */
	size_t runs_count;
	size_t runs_alloc;
	uint32_t *run; /* the ids that `name` is making */
	size_t run_count;
	size_t run_alloc;
	struct fg_buf scratch; /* for the text of a name */
	struct fg_buf key; /* for the text of a memo entry */

	struct perf_id_set skipped_after; /* frames that --skip-after means */
	struct perf_id_set trace_values; /* frames that --trace-field made */

	struct fg_stack stack;
	struct perf_sample sample;
	enum perf_frames frames;
	uint64_t votes[2]; /* leaf first, root first */
	unsigned srcline_due; /* --compat=perl --srcline: rows still to come, */
	size_t srcline_next; /* and the frame in `run` that the next one is of */

	struct fg_place at; /* the line being read */
	uint64_t chunk; /* counts what several threads read, and what is between */
	struct fg_buf first_bytes; /* of the input, to guess what it is */
	bool any_header;
	bool any_blank; /* a blank line ended a sample: chains were to be printed */
	struct perf_tally tally;
};

/* ---- perf.c */

/* Empty; diag and options are borrowed. */
void perf_init(struct perf *p, const struct perf_options *o, struct fg_diag *diag);
void perf_release(struct perf *p);

/* ---- perf_threads.c */

/* How many threads there may be, 1 or more. */
size_t perf_thread_count(const struct perf_options *o);

/* Whether several threads may go on with the input: what they find can be merged. */
bool perf_may_share(const struct perf *p);

/*
 * Reads on with several threads as long as it can: to the end of the input that is
 * open, or to where no sample starts for a whole block. The rest is left in `reader`,
 * and `p` knows what it would had it read all by itself. Returns 0, or -1 after
 * reporting that reading failed.
 */
int perf_share(struct perf *p, struct fg_reader *reader);

/*
 * Where whole lines can be cut, so that what comes before has no bearing on what
 * follows: as far behind as possible, or 0.
 */
size_t perf_last_boundary(const struct perf_options *o, struct fg_str bytes);

/* ---- perf_merge.c */

/* Adds all that `from` found, with no sample open, to what `p` has found. */
void perf_absorb(struct perf *p, const struct perf *from);

/* ---- perf_block.c */

/* Reads whole lines; the byte after them is '\n' if they do not end in one. */
void perf_block(struct perf *p, struct fg_str bytes);

/* ---- perf_stack.c */

void perf_id_set_add(struct perf_id_set *set, uint32_t id);
bool perf_id_set_has(const struct perf_id_set *set, uint32_t id);

/* Interns `name`, cut at each ';', and adds the ids to p->run. */
void perf_run_add(struct perf *p, struct fg_str name);

/* Marks the frames in p->run that --skip-after names, as shown or as `symbol`. */
void perf_note_skipped_after(struct perf *p, struct fg_str symbol);

/* The ids in p->run as a memo value; p->run is empty afterwards. */
struct perf_memo_value perf_run_end(struct perf *p);

/* Adds the frames of `value` on the root side of the open stack. */
void perf_push(struct perf *p, struct perf_memo_value value);

/*
 * The frames of a frame line that has been taken apart, by way of the memo;
 * `variant` has no DSO bits yet. Flags of the value are those of the symbol.
 */
struct perf_memo_value perf_frames_of(struct perf *p, const struct perf_frame *f,
				      unsigned variant);

/* The same where `entry` is what the memo has for `key`, symbol and full variant. */
struct perf_memo_value perf_frames_of_key(struct perf *p, const struct perf_frame *f,
					  const struct perf_memo_key *key,
					  const struct perf_memo_entry *entry);

/* A value of `from` as one of `p`; ids[i] is p's id of the frame whose id is i. */
struct perf_memo_value perf_value_from(struct perf *p, const struct perf *from,
				       struct perf_memo_value value,
				       const uint32_t *ids);

/* Appends `s` as one word within one frame: blanks become '_' and ';' becomes ':'. */
void perf_add_word(struct fg_buf *b, struct fg_str s);

/* Appends `line` without its parts in square brackets. */
void perf_add_unbracketed(struct fg_buf *b, struct fg_str line);

/* Whether names depend on the kind of DSO. */
static inline bool perf_is_annotating(const struct perf *p)
{
	return p->options->kernel || p->options->jit;
}

/* The annotation bits for a DSO, as far as --kernel and --jit ask for them. */
unsigned perf_variant_of_dso(struct perf *p, struct fg_str dso);

/* ---- perf_sample.c: default behaviour */

perf_line_fn perf_sample_line;
perf_name_fn perf_sample_name;

/*
 * Whether the line, a header with a time stamp, starts a sample or another record
 * whatever is open.
 */
bool perf_sample_is_start(struct fg_str line);

/* Closes what is open, as such a line would. */
void perf_sample_before_start(struct perf *p);

/*
 * Adds to p->run what addr2line calls the functions of a frame, root first and ';'
 * between them, as frames: tidied, with DSO and annotation as options ask.
 */
void perf_inlined_names(struct perf *p, const struct perf_frame *f,
			struct fg_str names);

/* The end of one input; `cut` is the line that it ends within, if it does. */
void perf_sample_end_of_input(struct perf *p, struct fg_str cut);

/* ---- perf_root.c */

/* The root frames of a sample, and how many there are. */
struct perf_memo_value perf_roots_of(struct perf *p, const struct perf_header *h,
				     size_t *depth);

/* ---- perf_fold.c */

struct perf_sequence *perf_sequence_new(void);
void perf_sequence_free(struct perf_sequence *s);

/* Counts p->stack, whose first `root_depth` frames are roots, with `weight`. */
void perf_fold_add(struct perf *p, size_t root_depth, uint64_t weight);

/*
 * The end of everything: writes the folded stacks, turned round where chains
 * were printed caller first, with recursion and depth as options ask. Returns
 * how many lines there are.
 */
size_t perf_fold_write(struct perf *p, const struct fg_counts_format *format,
		       struct fg_out *out);

/* ---- perf_compat.c: as stackcollapse-perf.pl */

perf_line_fn perf_compat_line;
perf_name_fn perf_compat_name;
bool perf_compat_is_kernel(struct fg_str dso);
bool perf_compat_is_jit(struct fg_str dso);

/* ---- perf_deferred.c */

struct perf_deferred *perf_deferred_new(void);
void perf_deferred_free(struct perf_deferred *d);

/* Holds back the open sample until the frames of its cookie come. */
void perf_deferred_hold(struct perf *p);

/* Completes and adds the samples that wait for the frames of the open record. */
void perf_deferred_complete(struct perf *p);

/* Whether there has been any such sample or record. */
bool perf_deferred_any(const struct perf_deferred *d);

/*
 * For threads, since a cookie's samples and frames may be in different chunks: from
 * now on, in that chunk, samples and records are only put off.
 */
void perf_deferred_put_off(struct perf_deferred *d, uint64_t chunk);

/* Adds what `from` has put off; ids[i] is p's id of the frame whose id is i there. */
void perf_deferred_absorb(struct perf *p, const struct perf *from, const uint32_t *ids);

/* Does all that was put off, in the order of the input. */
void perf_deferred_take_place(struct perf *p);

/* Adds the samples whose frames never came. */
void perf_deferred_flush(struct perf *p);

/* ---- perf_report.c */

/* Notes a line that is not understood. */
void perf_odd_line(struct perf *p, struct fg_place at, struct fg_str line);

/*
 * Says what was lost, if anything. Returns 0, or -1 after reporting why nothing
 * could be kept, or that --strict does not allow what was lost.
 */
int perf_report(const struct perf *p, size_t lines_written);

#endif
