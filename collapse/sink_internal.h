/*
 * The inside of the sink, and how it is made and freed: for the core, not for grammars.
 */
#ifndef FG_COLLAPSE_SINK_INTERNAL_H
#define FG_COLLAPSE_SINK_INTERNAL_H

#include "collapse/format.h"
#include "collapse/events.h"
#include "collapse/roots.h"
#include "collapse/select.h"
#include "collapse/sink_rules.h"
#include "collapse/slices.h"
#include "collapse/stack.h"
#include "collapse/tally.h"
#include "lib/base/out.h"
#include "lib/profile/quality.h"

/* The input that is being read. */
struct fg_sink_input {
	struct fg_place at; /* the line that is being read */
	bool unended; /* the line has no line feed */
	struct fg_buf first_bytes; /* the start of the input, to guess what it is */
};

/* The value that is counted, if the stacks have several. */
struct fg_sink_value {
	bool chosen; /* fg_sink_choose_value() has chosen a value */
	struct fg_buf name, unit; /* the name and unit of the chosen value */
	struct fg_buf other; /* the message if a later input counts something else */
	const char *other_input; /* the name of that input */
	bool listed; /* --weight list: `header` of the sink is the whole output */
	/* with --weight list: the names of all values, each followed by a NUL */
	struct fg_buf names;
};

/* The command that was recorded. */
struct fg_sink_command {
	struct fg_buf text; /* empty if it is unknown or inputs disagree */
	bool mixed; /* inputs disagree */
};

/* The parts of a stack's weight, each with its time, see fg_sink_add_time(). */
struct fg_sink_parts {
	struct fg_part {
		uint64_t time;
		struct fg_sum weight;
	} * items;
	size_t count, alloc;
};

/* The marks of frames. */
struct fg_sink_marks {
	uint8_t *bits; /* bits of enum fg_mark, indexed by frame id */
	size_t alloc;
};

/* A cache of the root frames of comms. */
struct fg_sink_comms {
	struct fg_intern names;
	uint32_t *roots; /* root frame of each comm, indexed by the id of the comm */
	size_t alloc;
};

/* Stacks without a header, see collapse/samples.h. */
struct fg_sink_orphans {
	struct fg_counts counts;
	uint64_t samples;
	bool any_header; /* a sample has a header, so orphans are dropped */
};

/* Bits of the weights of samples, to know if all weigh the same. */
struct fg_sink_weights {
	uint64_t any; /* bits that are set in any weight */
	uint64_t common; /* bits that are set in all weights */
};

/* The time in which the inputs were recorded, in nanoseconds. */
struct fg_sink_length {
	uint64_t before; /* the sum of the inputs before this one */
	bool any; /* something is known about this input */
	uint64_t from, to;
};

/* The output that was written so far. */
struct fg_sink_output {
	struct fg_out *out; /* gets each slice as it ends; NULL without --every */
	bool started; /* the header has been written */
	size_t lines;
	uint64_t samples; /* tally.samples when the last slice was written */
	uint64_t quality[FG_QUALITY_KINDS]; /* the sum of all lines "# quality:" */
};

/* The frame budget at the start of a run. */
#define FG_FRAMES_AT_FIRST (UINT64_C(1) << 25)

struct fg_sink {
	const struct fg_format *format;
	const struct fg_common_options *common;
	const struct fg_samples_options *samples;
	struct fg_diag *diag;
	struct fg_sink_rules rules;

	struct fg_sink_input input;
	struct fg_tally tally;
	const char *cause; /* see fg_sink_set_cause() */
	const char *fault; /* see fg_sink_set_fault() */
	bool failed; /* the run has failed, and that was reported */

	/* Names of frames. */
	struct fg_intern names;
	struct fg_sink_marks marks;
	size_t long_names; /* bytes charged by fg_sink_charge_name() */
	struct fg_buf scratch; /* for making a name */

	/* The stack that is being built. */
	struct fg_stack stack;
	struct fg_roots roots;
	/* root frames beyond FG_ROOTS_MAX; they become plain frames */
	struct fg_stack more_roots;
	struct fg_sink_parts parts;
	bool root_first; /* the frames of all stacks are added root first */
	uint64_t frame_budget; /* see fg_sink_frame_budget() */

	/* The choice of stacks and samples. */
	struct fg_events *events;
	struct fg_selection *selection; /* NULL if all samples are wanted */
	struct fg_filter *filter; /* NULL if all stacks are wanted */
	bool left_out_threads; /* --thread left out some stacks */

	/* The counts. */
	struct fg_sink_value value;
	struct fg_sink_comms comms;
	/* indexed by the number of root frames */
	struct fg_counts counts[FG_ROOTS_MAX + 1];
	struct fg_sink_orphans orphans;
	unsigned decimals; /* all counts are in units of 10^-decimals */
	struct fg_sink_weights weights;

	/* The times. */
	struct fg_timeline timeline; /* filled by `sequence` or by `slices` */
	struct fg_sequence *sequence; /* NULL without --time-order */
	struct fg_slices *slices; /* NULL without --slice and --every */

	struct fg_sink_command command;
	struct fg_sink_length length;
	struct fg_buf header; /* lines to write before the stacks */
	struct fg_sink_output output;
};

/* Returns true if a frame has one of these bits of enum fg_mark. */
static inline bool fg_sink_is_marked(const struct fg_sink *s, uint32_t id,
				     unsigned marks)
{
	return id < s->marks.alloc && (s->marks.bits[id] & marks);
}

/*
 * Returns a new sink, or NULL after reporting a wrong option. The arguments are
 * borrowed.
 */
struct fg_sink *fg_sink_new(const struct fg_format *format,
			    const struct fg_common_options *common,
			    const struct fg_samples_options *samples,
			    struct fg_diag *diag);
void fg_sink_free(struct fg_sink *s);

struct fg_sink_weight {
	struct fg_sum sum; /* in units of 10^-decimals */
	unsigned decimals;
	bool minus; /* the sum is to be subtracted */
};

/*
 * Adds the root frames to the stack, and counts the stack with its times. Does not
 * empty the stack.
 */
void fg_sink_count_weight(struct fg_sink *s, const struct fg_roots *roots,
			  struct fg_sink_weight weight);

/* Ends an input: the next one was recorded at another time. */
void fg_sink_end_length(struct fg_sink *s);

/* Writes the folded stacks after the last sample. Returns the number of lines. */
size_t fg_sink_write(struct fg_sink *s, struct fg_out *out);

#endif
