/*
 * What a sink is made of: for the files that work on it from its start to its end.
 */
#ifndef FG_COLLAPSE_SINK_STATE_H
#define FG_COLLAPSE_SINK_STATE_H

#include "collapse/counts.h"
#include "collapse/format.h"
#include "collapse/roots.h"
#include "collapse/select.h"
#include "collapse/sequence.h"
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

/* Of frame_room, at the start. */
#define FG_FRAMES_AT_FIRST (UINT64_C(1) << 25)

struct fg_sink {
	const struct fg_format *format;
	const struct fg_common_options *common;
	const struct fg_samples_options *samples;
	struct fg_diag *diag;

	/* what grammars see */
	struct fg_intern names;
	struct fg_stack stack; /* that is being built */
	uint64_t frame_room; /* see fg_sink_frame_room() */
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
	size_t long_names; /* bytes of those of fg_sink_has_name_room() */
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
	struct fg_placed_list placed; /* of one of these: */
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

/*
 * With --slice, adds s->parts of a stack, which are in units larger by `factor`. The
 * weight of `item` is not used. (sink_time.c)
 */
void fg_sink_note_parts(struct fg_sink *s, struct fg_placed item, uint64_t factor);

/*
 * Writes the lines of all slices so far, which have ended, and forgets their stacks;
 * with --every. (fold.c)
 */
void fg_sink_write_slices(struct fg_sink *s);

#endif
