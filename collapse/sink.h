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

#include "collapse/counts.h"
#include "collapse/format.h"
#include "collapse/sample.h"
#include "collapse/select.h"
#include "collapse/sequence.h"
#include "collapse/stack.h"
#include "collapse/tally.h"

/* What the end of a run has to know of a frame; bits of fg_sink.marks. */
enum fg_mark {
	FG_MARK_BASE = 1, /* its callers are left out */
	FG_MARK_VALUE = 2, /* no function, but a value at the leaf */
};

/* What goes above a frame of FG_MARK_BASE; nothing has the mark by default. */
enum fg_cut { FG_CUT_NONE, FG_CUT_CALLERS, FG_CUT_ROOTS /* and root frames */ };

struct fg_sink {
	const struct fg_format *format;
	const struct fg_common_options *common;
	const struct fg_samples_options *samples;
	struct fg_diag *diag;

	/* for grammars */
	struct fg_intern names;
	struct fg_stack stack; /* that is being built */
	struct fg_tally tally;
	struct fg_place at; /* the line being read; a grammar of blocks counts lines */
	struct fg_buf first_bytes; /* of the input, to guess what it is */

	/* set by a grammar where it is so */
	bool root_first; /* the frames of all stacks were added root first */
	bool any_header; /* a sample had one, so that stacks without are no samples */
	bool may_be_empty; /* that nothing is kept is no failure */
	enum fg_cut cuts_callers;
	size_t values_max; /* how many frames of a stack may have FG_MARK_VALUE */
	bool keeps_decimals; /* counts are not rounded to whole numbers */
	enum fg_counts_style style;
	const char *unit; /* of what is counted; NULL: what the events say */
	const char *cause; /* why nothing was kept, where the grammar knows it */

	/* the core's */
	struct fg_buf text; /* room for a name */
	uint8_t *marks; /* by id */
	size_t marks_alloc;
	struct fg_intern comms;
	uint32_t *comm_roots; /* by id of the comm: its root frame */
	size_t comm_roots_alloc;
	struct fg_roots roots; /* of the stack that is being built */
	struct fg_stack more_roots; /* that exceed FG_ROOTS_MAX, and become frames */
	struct fg_counts counts[FG_ROOTS_MAX + 1]; /* by number of root frames */
	struct fg_counts orphans; /* of stacks without a header */
	uint64_t orphan_samples;
	unsigned decimals; /* of all counts */
	uint64_t weights; /* all bits that those of samples have, */
	uint64_t common_weights; /* and those that all of them have */
	struct fg_sequence *sequence; /* NULL without --time-order */
	struct fg_events *events;
	struct fg_selection *selection; /* NULL where all samples are wanted */
	struct fg_filter *filter; /* NULL where all stacks are wanted */
};

/* All are borrowed. NULL after reporting an option that is wrong. */
struct fg_sink *fg_sink_new(const struct fg_format *format,
			    const struct fg_common_options *common,
			    const struct fg_samples_options *samples,
			    struct fg_diag *diag);
void fg_sink_free(struct fg_sink *s);

/* ---- for grammars without samples */

/*
 * Adds a caller to the stack: `name` without blanks at its ends, ';' as ':', and
 * "[unknown]" where nothing is left.
 */
void fg_sink_frame(struct fg_sink *s, struct fg_str name);

/* Adds a root frame, root first, such as a thread. */
void fg_sink_root(struct fg_sink *s, struct fg_str name);

/* Counts the stack, which is empty afterwards. */
void fg_sink_add(struct fg_sink *s, uint64_t weight);

/* The same for a weight that may have decimals. */
void fg_sink_add_count(struct fg_sink *s, struct fg_count weight);

/* The same for a weight that was added up, in units of 10^-decimals. */
void fg_sink_add_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals);

/*
 * Counts a stack that the grammar keeps, which stays as it is. All stacks of a grammar
 * come so, or none.
 */
void fg_sink_add_path(struct fg_sink *s, const struct fg_path *path,
		      struct fg_sum weight, unsigned decimals);

/* Says that the path will soon be counted, so that memory can be fetched meanwhile. */
static inline void fg_sink_expect_path(struct fg_sink *s, const struct fg_path *path)
{
	fg_counts_expect_path(&s->counts[0], path);
}

/* Forgets the stack. */
void fg_sink_clear(struct fg_sink *s);

/* ---- for grammars with samples */

/* Whether fg_sample.time is needed. */
bool fg_sink_wants_time(const struct fg_sink *s);

/* Interns `name` as fg_sink_frame shows it. */
uint32_t fg_sink_name(struct fg_sink *s, struct fg_str name);

/* Marks a frame with bits of enum fg_mark. */
void fg_sink_mark(struct fg_sink *s, uint32_t id, unsigned marks);

/* Whether a frame has that mark. */
static inline bool fg_sink_has_mark(const struct fg_sink *s, uint32_t id,
				    enum fg_mark mark)
{
	return id < s->marks_alloc && (s->marks[id] & mark);
}

/* Whether a sample is chosen by all but its event. */
bool fg_sink_selects(struct fg_sink *s, const struct fg_sample *sample);

/* The root frames that options ask for. */
void fg_sink_set_roots(struct fg_sink *s, const struct fg_sample *sample,
		       struct fg_roots *roots);

/* Counts the stack under root frames; it stays, with them on it. */
void fg_sink_count(struct fg_sink *s, const struct fg_roots *roots, uint64_t weight);

/* Counts the stack where no sample of the whole input has a header. */
void fg_sink_count_orphan(struct fg_sink *s);

/* A line that is not understood. */
void fg_sink_odd_line(struct fg_sink *s, struct fg_place at, struct fg_str line);

/* ---- for the run */

/* After the last sample: writes the folded stacks. How many lines there are. */
size_t fg_sink_write(struct fg_sink *s, struct fg_out *out);

/*
 * Says what was lost, if anything, at the end of a run that wrote `lines_written`.
 * Returns 0, or -1 after reporting why nothing could be kept, or that --strict does not
 * allow what was lost. (report.c)
 */
int fg_sink_report(const struct fg_sink *s, size_t lines_written);

#endif
