/*
 * Default behaviour: what each line means for the sample that is open.
 */
#ifndef FG_COLLAPSE_PERF_SAMPLE_H
#define FG_COLLAPSE_PERF_SAMPLE_H

#include "collapse/perf/frame.h"
#include "collapse/perf/memo.h"
#include "collapse/sink.h"
#include "lib/buf.h"

struct perf;

/* A vote on the order of chains needs the first and the last frame line. */
struct perf_end_frame {
	bool kernel;
	bool entry;
	bool called; /* the first one: an entry that the next frame may have called */
	bool named; /* its symbol is known */
};

/* The sample whose lines are being read. */
struct perf_sample {
	bool open;
	bool tail; /* only register dumps and the like are left of it */
	bool keep;
	bool odd; /* undecided, and not all of its header was understood */
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
	struct perf_memo_value root; /* --compat=perl: the comm */
	struct fg_roots roots;
	struct perf_end_frame first, last;

	/* what is from here on is not zeroed when a sample starts */
	uint64_t line; /* of the header */
	uint64_t period;
	struct perf_frame flat;
	struct fg_buf flat_text; /* what `flat` borrows from */
	struct fg_buf event; /* of an undecided sample */
	struct fg_buf header; /* its text, kept where it may turn out odd */
};

/* What a line without '\n' means. A perf_line_fn. */
void perf_sample_line(struct perf *p, struct fg_str line);

/*
 * Whether the line, a header with a time stamp, starts a sample or another record
 * whatever is open.
 */
bool perf_sample_is_start(struct fg_str line);

/* The end of one input; `cut` is the line that it ends within, if it does. */
void perf_sample_end_of_input(struct perf *p, struct fg_str cut);

#endif
