/*
 * The counts of a run: how many samples it kept, and what it skipped and lost.
 *
 * Grammars add to them with fg_sink_skip(), fg_sink_malformed() and fg_sink_lose();
 * report.c turns them into the messages at the end.
 */
#ifndef FG_COLLAPSE_TALLY_H
#define FG_COLLAPSE_TALLY_H

#include "collapse/counts.h"
#include "lib/base/buf.h"
#include "lib/base/count.h"
#include "lib/base/diag.h"

/* Why something in the input is not counted. The first two count samples or stacks. */
enum fg_skip {
	/*
	 * Samples that are incomplete: cut off or lost. Reported; an error with
	 * --strict.
	 */
	FG_SKIP_DROPPED,

	/* Samples that an option of the user excludes. */
	FG_SKIP_LEFT_OUT,

	/*
	 * Samples of threads that wait or are idle; the amount is their weight.
	 * Reported with the format's hint, which names the option that keeps them.
	 */
	FG_SKIP_IDLE,

	/*
	 * Entries of the input that have no stack, such as a plain counter. Reported.
	 */
	FG_SKIP_NO_STACK,

	/* Events that the profiler says it lost. Reported. */
	FG_SKIP_LOST,

	/*
	 * Samples that the profiler says it lost. FG_SKIP_LOST may count the same ones,
	 * so only the larger of the two is reported.
	 */
	FG_SKIP_LOST_SAMPLES,
};

/* Things of the input that could not be counted, see fg_sink_lose(). */
struct fg_loss {
	const char *what; /* "samples without a stack"; borrowed */
	uint64_t count;
	struct fg_sum weight; /* the sum of their weights; 0 if they have none */
	bool counted; /* they are stacks that are counted, but lack callers */
};

/* A zeroed struct is empty. */
struct fg_tally {
	/* samples in the input, or stacks if the format has no samples */
	uint64_t samples;
	uint64_t kept;
	uint64_t chains; /* kept samples that have frames */
	/* samples that an option left out or whose event is not wanted */
	uint64_t ignored;
	uint64_t deselected; /* ignored samples that an option left out */

	/* Dropped samples, and how many of them were dropped for a special reason. */
	uint64_t dropped;
	uint64_t timeless; /* their time is missing or wrong */
	uint64_t nameless; /* they have neither a root frame nor a call chain */
	uint64_t unweighted; /* they lack the field that --weight names */

	/* The amounts of some reasons of enum fg_skip. They are not in `samples`. */
	uint64_t idle; /* FG_SKIP_IDLE, a weight */
	uint64_t stackless; /* FG_SKIP_NO_STACK */
	uint64_t lost; /* FG_SKIP_LOST */
	uint64_t lost_samples; /* FG_SKIP_LOST_SAMPLES */

	/* Kept samples that lack some callers. */
	uint64_t truncated; /* their outermost callers, because the stack was cut off */
	uint64_t frameless; /* the caller of a function without a frame pointer */

	bool cut; /* the input is incomplete; there was a warning */
	/*
	 * some inlined functions are missing, because a file could not be read to its
	 * end or takes too much memory; there was a warning
	 */
	bool lost_inlined;

	uint64_t malformed; /* the number of malformed lines */
	struct fg_place malformed_place; /* the place of the first malformed line */
	/* the text of the first malformed line, cut and made visible */
	struct fg_buf malformed_text;

	struct fg_shrunk shrunk; /* stacks whose values add up to less than 0 */
	struct fg_loss *losses; /* one for each `what` */
	size_t loss_count, loss_alloc;
};

void fg_tally_release(struct fg_tally *t);

/* Counts `amount` under its reason. */
void fg_tally_skip(struct fg_tally *t, enum fg_skip reason, uint64_t amount);

/* Counts a malformed line. Shows it if `diag` is verbose. */
void fg_tally_malformed(struct fg_tally *t, struct fg_place at, struct fg_str line,
			struct fg_diag *diag);

/* Returns the entry for `what`, made with a count of 0 if it is new. */
struct fg_loss *fg_tally_loss(struct fg_tally *t, const char *what);

#endif
