/*
 * Where a grammar's stacks go: names, the stack that is being built, counts.
 *
 * A format without samples adds frames, leaf first, perhaps roots, and ends each stack
 * with fg_sink_add:
 *
 *     fg_sink_frame(sink, name);
 *     fg_sink_root(sink, thread);
 *     fg_sink_add(sink, 1);
 *
 * One with samples takes the steps of its own: fg_sink_selects, fg_events_keep,
 * fg_sink_set_roots, and fg_sink_count at the end of each.
 *
 * What options ask of samples and stacks, and what is said of lost ones, happens behind
 * these calls.
 */
#ifndef FG_COLLAPSE_SINK_H
#define FG_COLLAPSE_SINK_H

#include "collapse/format.h"
#include "collapse/path.h"
#include "collapse/roots.h"
#include "collapse/select.h"
#include "collapse/sink_rules.h"
#include "collapse/stack.h"
#include "collapse/tally.h"

/* What the end of a run has to know of a frame; bits. */
enum fg_mark {
	FG_MARK_BASE = 1, /* its callers are left out */
	FG_MARK_VALUE = 2, /* no function, but a value at the leaf */
};

/*
 * A name with more bytes is cut, because any number of stacks may share it: a small
 * profile could stand for gigabytes of output.
 */
#define FG_NAME_MAX ((size_t)64 << 10)

struct fg_sink;

/* All are borrowed. NULL after reporting an option that is wrong. */
struct fg_sink *fg_sink_new(const struct fg_format *format,
			    const struct fg_common_options *common,
			    const struct fg_samples_options *samples,
			    struct fg_diag *diag);
void fg_sink_free(struct fg_sink *s);

/* ---- what a grammar works on; the sink's as long as it is */

/* The stack that is being built. */
struct fg_stack *fg_sink_stack(struct fg_sink *s);

/* The names of frames, by id. */
struct fg_intern *fg_sink_names(struct fg_sink *s);

/* What became of the input so far. */
struct fg_tally *fg_sink_tally(struct fg_sink *s);

/*
 * The line being read, for messages. A grammar of lines finds it counted; one of blocks
 * or parts counts.
 */
struct fg_place *fg_sink_at(struct fg_sink *s);

struct fg_diag *fg_sink_diag(struct fg_sink *s);

/* Lines before the stacks, from a grammar of stacks. */
struct fg_buf *fg_sink_header(struct fg_sink *s);

/* ---- how stacks are written, where that is not as of others */

/* Before the first name. */
void fg_sink_set_rules(struct fg_sink *s, const struct fg_sink_rules *rules);

/* All stacks turn out to be in the other order of frames than the format says. */
void fg_sink_reverse(struct fg_sink *s);

/* ---- for grammars without samples */

/*
 * Adds a caller to the stack: `name` without blanks at its ends, which stay where a
 * format has values, ';' as ':', and "[unknown]" where nothing is left.
 */
void fg_sink_frame(struct fg_sink *s, struct fg_str name);

/*
 * The same where only the function's file is known: the frame is "[libx.so]" for its
 * path, and "[vdso]" for "[vdso]".
 */
void fg_sink_module(struct fg_sink *s, struct fg_str path);

/* Adds a root frame, root first, such as a thread. (values.c) */
void fg_sink_root(struct fg_sink *s, struct fg_str name);

/* The same of the id of its frame, where many stacks have the root. (values.c) */
void fg_sink_root_id(struct fg_sink *s, uint32_t id);

/*
 * When the stack was, in nanoseconds of whatever clock, for a format that has times.
 * Only needed where fg_sink_wants_time; then of all stacks, chosen or not, and before
 * they are added. It holds up to fg_sink_add, or the next path.
 */
void fg_sink_set_time(struct fg_sink *s, uint64_t ns);

/*
 * The same of a part of the stack's weight, in its unit, which is not rounded: of a
 * stack that several samples had. Its parts come to what fg_sink_add_sum adds.
 */
void fg_sink_add_time(struct fg_sink *s, uint64_t ns, struct fg_sum part);

/*
 * The same of a stack that weighs the nanoseconds of an interval, or of several, one
 * after another: each slice gets those that are in it.
 */
void fg_sink_add_span(struct fg_sink *s, uint64_t from, uint64_t to);

/* Counts the stack, which is empty afterwards. */
void fg_sink_add(struct fg_sink *s, uint64_t weight);

/* The same for a weight that may have decimals. */
void fg_sink_add_count(struct fg_sink *s, struct fg_count weight);

/* The same for a weight that was added up, in units of 10^-decimals. */
void fg_sink_add_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals);

/*
 * Like fg_sink_add_sum(), for a weight that is less than 0, as in a difference of two
 * profiles: takes it off what the stack counts. A stack that counts less than 0 in the
 * end is left out, and the end of the run says so.
 */
void fg_sink_take_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals);

/*
 * Counts a stack that the grammar keeps, which stays as it is. All stacks of a grammar
 * come so, or none.
 */
void fg_sink_add_path(struct fg_sink *s, const struct fg_path *path,
		      struct fg_sum weight, unsigned decimals);

/* Says that the path will soon be counted, so that memory can be fetched meanwhile. */
void fg_sink_expect_path(const struct fg_sink *s, const struct fg_path *path);

/* Forgets the stack. */
void fg_sink_clear(struct fg_sink *s);

/* ---- for grammars with samples */

/* Whether fg_sample.time is needed, or fg_sink_set_time. */
bool fg_sink_wants_time(const struct fg_sink *s);

/* Something was at that time, though no stack is counted: slices may start there. */
void fg_sink_see_time(struct fg_sink *s, uint64_t ns);

/* A time that stands for all of its slice; 0 without --slice. */
uint64_t fg_sink_slice_start(const struct fg_sink *s, uint64_t time);

/*
 * The clock of all times showed `time` when it was `start`, in nanoseconds since 1970.
 * Of several the first counts.
 */
void fg_sink_set_clock(struct fg_sink *s, uint64_t time, uint64_t start);

/*
 * What was recorded, for the header of folded(5); of inputs that differ, none is. An
 * empty one says nothing.
 */
void fg_sink_set_command(struct fg_sink *s, struct fg_str command);

/* Interns `name` as fg_sink_frame shows it. */
uint32_t fg_sink_name(struct fg_sink *s, struct fg_str name);

/* Marks a frame with bits of enum fg_mark. */
void fg_sink_mark(struct fg_sink *s, uint32_t id, unsigned marks);

/* Whether a frame has that mark. */
bool fg_sink_has_mark(const struct fg_sink *s, uint32_t id, enum fg_mark mark);

/* Whether a sample is chosen by all but its event. */
bool fg_sink_selects(struct fg_sink *s, const struct fg_sample *sample);

/* Whether it is no use to read on: a failure that is reported, now or at the end. */
bool fg_sink_stops(const struct fg_sink *s);

/* The root frames that options ask for. */
void fg_sink_set_roots(struct fg_sink *s, const struct fg_sample *sample,
		       struct fg_roots *roots);

/* Counts the stack under root frames; it stays, with them on it. */
void fg_sink_count(struct fg_sink *s, const struct fg_roots *roots, uint64_t weight);

/* Counts the stack where no sample of the whole input has a header. */
void fg_sink_count_orphan(struct fg_sink *s);

/* Stacks without a header count only if no sample of the whole input has one. */
void fg_sink_saw_header(struct fg_sink *s);

/* After the last sample: what stacks without a header come to. */
void fg_sink_end_orphans(struct fg_sink *s);

struct fg_events *fg_sink_events(struct fg_sink *s);

/* ---- what happened */

/* A line that is not understood: the one that is being read, or another. */
void fg_sink_odd(struct fg_sink *s, struct fg_str line);
void fg_sink_odd_line(struct fg_sink *s, struct fg_place at, struct fg_str line);

/* A sample or stack that is incomplete. */
void fg_sink_drop(struct fg_sink *s);

/* One that options leave out. */
void fg_sink_leave_out(struct fg_sink *s);

/* Stacks that are set aside, by their weight. */
void fg_sink_set_aside(struct fg_sink *s, uint64_t weight);

/* Entries that are no stacks. */
void fg_sink_pass_over(struct fg_sink *s, uint64_t count);

/* Adds events that the profiler lost, by its own account. */
void fg_sink_lose_events(struct fg_sink *s, uint64_t count);

/*
 * Like fg_sink_lose_events(), for a count of samples alone. Both counts may be of the
 * same loss, so the larger one is reported.
 */
void fg_sink_lose_samples(struct fg_sink *s, uint64_t count);

/* The input is not whole, of which there was a warning. */
void fg_sink_is_cut(struct fg_sink *s);

/* Why nothing was kept, where the grammar knows it; borrowed. */
void fg_sink_set_cause(struct fg_sink *s, const char *cause);

/* Why what was kept means nothing, where that is so; borrowed. */
void fg_sink_set_fault(struct fg_sink *s, const char *fault);

/*
 * Whether the line that is read lacks its line feed, so that more of it may have been
 * cut; a grammar may clear that as harmless.
 */
bool fg_sink_is_unended(const struct fg_sink *s);
void fg_sink_set_unended(struct fg_sink *s, bool unended);

/*
 * Warns that the input may have been cut short, and why it seems so. What was read of
 * the last stack still counts; with --strict it is a failure.
 */
void fg_sink_may_be_cut(struct fg_sink *s, const char *why);

/* ---- for the run */

/* With --slice: 0, or -1 after reporting that no sample has a time. (report.c) */
int fg_sink_check_times(const struct fg_sink *s);

/* 0, or -1 after reporting that the sum of a stack is full. (report.c) */
int fg_sink_check_sums(const struct fg_sink *s);

/* After the last sample: writes the folded stacks. How many lines there are. */
size_t fg_sink_write(struct fg_sink *s, struct fg_out *out);

/*
 * Says what was lost, if anything, at the end of a run that wrote `lines_written`.
 * Returns 0, or -1 after reporting why nothing could be kept, or that --strict does not
 * allow what was lost. (report.c)
 */
int fg_sink_report(const struct fg_sink *s, size_t lines_written);

#endif
