/*
 * The inside of the sink, and its life: for the core, not for grammars.
 */
#ifndef FG_COLLAPSE_SINK_INTERNAL_H
#define FG_COLLAPSE_SINK_INTERNAL_H

#include "collapse/format.h"
#include "collapse/roots.h"
#include "collapse/select.h"
#include "collapse/sink_rules.h"
#include "collapse/slices.h"
#include "collapse/stack.h"
#include "collapse/tally.h"
#include "lib/base/out.h"

/* A part of what a stack weighs. */
struct fg_part {
	uint64_t time;
	struct fg_sum weight;
};

/* The frame budget at the start. */
#define FG_FRAMES_AT_FIRST (UINT64_C(1) << 25)

struct fg_sink {
	const struct fg_format *format;
	const struct fg_common_options *common;
	const struct fg_samples_options *samples;
	struct fg_diag *diag;

	/* what grammars see */
	struct fg_intern names;
	struct fg_stack stack; /* that is being built */
	uint64_t frame_budget; /* see fg_sink_frame_budget() */
	struct fg_tally tally;
	struct fg_place at; /* the line being read */
	struct fg_buf header; /* lines before the stacks */
	struct fg_buf command; /* that was recorded, unless several were */
	bool mixed_commands;
	struct fg_events *events;

	/* what they said */
	struct fg_sink_rules rules;
	bool root_first; /* the frames of all stacks were added root first */
	bool any_header; /* a sample had one, so that stacks without are no samples */
	bool unended; /* the line being read lacks its line feed */
	const char *cause; /* why nothing was kept */
	const char *fault; /* why what was kept means nothing */
	bool has_value; /* one was chosen of what may be counted */
	struct fg_buf value, value_unit; /* which, see collapse/values.h */
	struct fg_buf other_value; /* of the first that counts something else: that */
	const char *other_input; /* where that is */
	bool listed; /* --weight list: `header` is the whole result, and */
	/* `value` has the names, each with a NUL behind it */
	bool stops; /* no use to read on: what failed is reported */
	bool unwanted; /* --thread left out some stacks */

	struct fg_buf first_bytes; /* of the input, to guess what it is */
	struct fg_buf text; /* room for a name */
	size_t long_names; /* bytes of those of fg_sink_charge_name() */
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
	struct fg_timeline timeline; /* of one of these: */
	struct fg_sequence *sequence; /* NULL without --time-order */
	struct fg_slices *slices; /* NULL without --slice and --every */
	struct fg_out *out; /* where those go that have ended; NULL without --every */
	bool started; /* the header is written */
	size_t lines; /* that are written */
	uint64_t written_samples; /* of the tally, when they were */
	struct fg_part *parts; /* of the stack that is being built, when they were */
	size_t part_count, part_alloc;
	struct fg_selection *selection; /* NULL where all samples are wanted */
	struct fg_filter *filter; /* NULL where all stacks are wanted */
};

/* Returns true if a frame has one of these bits of enum fg_mark. */
static inline bool fg_sink_is_marked(const struct fg_sink *s, uint32_t id,
				     unsigned marks)
{
	return id < s->marks_alloc && (s->marks[id] & marks);
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
	bool minus; /* it is subtracted */
};

/* Counts the stack under root frames, and its times. The root frames stay on it. */
void fg_sink_count_weight(struct fg_sink *s, const struct fg_roots *roots,
			  struct fg_sink_weight weight);

/* Writes the folded stacks after the last sample. Returns the number of lines. */
size_t fg_sink_write(struct fg_sink *s, struct fg_out *out);

#endif
