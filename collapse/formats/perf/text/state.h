/*
 * The state of a run that reads the output of perf script; private to
 * collapse/formats/perf/text/.
 *
 * The text comes in blocks (perf_block). Each line of a block changes the open sample,
 * `p->sample`, which starts empty:
 *
 *     app 4242/4243 [003] 100.000001:  250000 cycles:u:   perf_sample_open(): an id for
 *                                                         each root frame, the weight
 *             7f1a2b3c4d5e do_work+0x1e (/usr/bin/app)    its name becomes a frame id,
 *             55d0c0ffee00 main+0x2b (/usr/bin/app)       added to `p->stack`
 *                                                         perf_sample_close(): counts
 *
 * A line goes to `p->line`, unless it is a frame of the usual shape and `p->fast` allows
 * the fast path. A symbol is made into names by `p->name`, once; after that the memo has
 * its frame ids. Options like --off-cpu and --wall take the closed sample instead of the
 * sink and count it later; recordings (perf.data) arrive as the same calls of sample.h.
 *
 * README.md says which file does what.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_STATE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_STATE_H

#include "collapse/formats/perf/text/cmdline.h"
#include "collapse/formats/perf/text/comms.h"
#include "collapse/formats/perf/text/frame.h"
#include "collapse/formats/perf/text/header.h"
#include "collapse/formats/perf/text/options.h"
#include "collapse/memo.h"
#include "collapse/samples.h"
#include "lib/base/intern.h"
#include "lib/base/reader.h"

struct perf;
struct perf_deferred;
struct perf_inlined;
struct perf_offcpu;
struct perf_parallelism;
struct perf_wall;

/* One line, without '\n'. */
typedef void perf_line_fn(struct perf *p, struct fg_str line);

/* Works out the frames of a symbol and adds them to p->run, root first. */
typedef void perf_name_fn(struct perf *p, const struct perf_frame *f, unsigned variant);

/* ---- what was worked out before */

/* What a result depends on besides the text. */
enum perf_variant {
	PERF_VARIANT_JAVA = 1, /* the comm starts with "java" */
	PERF_VARIANT_KERNEL = 2, /* the DSO is the kernel, and that is shown */
	PERF_VARIANT_JIT = 4, /* the DSO is a JIT's, and that is shown */
	PERF_VARIANT_RECORDED = 8, /* from perf.data: the symbol is as it should be */
	PERF_VARIANT_ELF = 16, /* as perf printed it of an ELF file, to be put right */
	PERF_VARIANT_INLINED = 32, /* a function that was inlined, without its class */
};

enum perf_memo_flag {
	/* 1 is FG_MEMO_RUN */
	PERF_MEMO_BY_DSO = 2, /* no frame: to be looked up with its DSO */
	PERF_MEMO_ENTRY = 4, /* the symbol is one where threads start */
	PERF_MEMO_CLONE = 8, /* it is clone, which may be called too */
	PERF_MEMO_UNNAMED = 16, /* there is no symbol */
};

/* A list of frame ids. A zeroed struct is empty; free `items` in the end. */
struct perf_ids {
	uint32_t *items;
	size_t count;
	size_t alloc;
};

/* The DSO that a symbol was in when it came last, and its frames there. */
struct perf_in_dso {
	uint32_t dso;
	struct fg_memo_value value;
};

/* Frames of symbols that may have other names in another DSO. */
struct perf_by_dso {
	struct fg_intern dsos;
	struct perf_in_dso *last; /* by id of the symbol's memo value */
	size_t count;
	size_t last_alloc;
	struct fg_intern pairs; /* of such an id and a DSO's */
	struct fg_memo_value *values; /* by id of the pair */
	size_t values_alloc;
};

/* The last frame without a symbol. */
struct perf_unknown {
	char line[FG_READER_PADDING]; /* from the symbol on, '\n' and all */
	size_t len; /* 0: there was none */
	struct fg_memo_value value;
};

/* ---- the sample that is open */

/* What the open sample says of its thread, which leaves the CPU. */
struct perf_leaving {
	uint64_t pid; /* of the thread, as the kernel counts them */
	uint64_t tid; /* the same as perf has it, in a namespace; 0 where unknown */
	uint64_t time;
	bool timed;
};

/* How far the open sample has been read. */
enum perf_stage {
	PERF_BETWEEN, /* none is open */
	PERF_UNDECIDED, /* a header without a time stamp: none unless frames follow */
	PERF_OPEN, /* a header, frames */
	PERF_TAIL, /* what perf prints below a chain: registers and the like */
	PERF_STAGES,
};

/* What it starts with. */
enum perf_start { PERF_TIMED_HEADER, PERF_UNTIMED_HEADER, PERF_NO_HEADER };

/* What becomes of it, as far as is known. */
enum perf_fate {
	PERF_KEPT,
	PERF_OTHER_EVENT, /* left out: its event is not kept */
	PERF_DESELECTED, /* left out by options other than the event */
	PERF_UNWEIGHTED, /* lacks the field that is to be its weight */
};

/* A frame on the header line itself, the sample's only one if no line is a frame. */
enum perf_flat { PERF_FLAT_NONE, PERF_FLAT_NOTED, PERF_FLAT_USED };

/* User frames that come in a record of their own. */
enum perf_user_frames {
	PERF_USER_HERE,
	PERF_USER_LATER, /* the sample waits for those of its cookie */
	PERF_USER_ONLY, /* this is no sample, but what others wait for */
};

/* What the first and the last frame of a chain say of its order. */
struct perf_end_frame {
	bool kernel; /* it is in the kernel, as far as its address tells */
	uint8_t flags; /* enum perf_memo_flag */
};

/* The sample whose lines are being read. All zero: none is. */
struct perf_sample {
	enum perf_stage stage;
	enum perf_start start;
	enum perf_fate fate;
	enum perf_flat flat;
	enum perf_user_frames user_frames;
	bool column_0; /* its header is not indented */
	bool is_bare; /* the same, and nothing follows the event */
	bool odd; /* its header was not understood as a whole */
	bool in_quotes; /* a string in its payload goes on in the next line */
	bool in_record; /* the line before was of a record that is no sample */
	bool indented; /* its first frame line started with a tab */
	unsigned variant; /* PERF_VARIANT_JAVA, PERF_VARIANT_RECORDED */
	uint64_t line; /* of the header */
	uint64_t weight;
	uint64_t until; /* of a wait, when it ended, or 0 */
	uint64_t frames; /* frame lines */
	uint64_t source_of; /* the frame that the last source line was of */
	uint64_t cookie;
	struct perf_leaving leaving; /* with --off-cpu */
	struct fg_roots roots;
	struct fg_memo_value perl_root; /* --compat=perl: the comm */
	struct perf_frame flat_frame;
	struct perf_end_frame first, second, last;
};

/* Texts of the open sample that outlive their lines. */
struct perf_sample_texts {
	struct fg_buf flat; /* what flat_frame borrows from */
	struct fg_buf event; /* of a header without a time stamp */
	struct fg_buf header; /* likewise, for a message if it turns out to be none */
};

/* What becomes of the frame lines that follow. */
enum perf_fast {
	PERF_FAST_NONE, /* they go to the line function */
	PERF_FAST_KEEP, /* those of the usual shape are frames of the sample */
	PERF_FAST_SKIP, /* those of the usual shape do not matter */
};

/* Notes a frame, which is the last one for now. */
static inline void perf_sample_note_frame(struct perf_sample *s, uint64_t index,
					  struct perf_end_frame frame)
{
	if (index == 0)
		s->first = frame;
	else if (index == 1)
		s->second = frame;
	s->last = frame;
}

/* Periods that are too large to be true. */
struct perf_oversized {
	uint64_t count;
	uint64_t first;
	struct fg_place place; /* of the first */
};

/* --compat=perl --srcline: rows that are still to come. */
struct perf_srclines {
	unsigned due;
	size_t next; /* the frame in p->run that the next one is of */
};

/* What was seen of chains in the text so far. All zero: nothing. */
struct perf_callers {
	uint64_t samples; /* whose chains were to be printed */
	uint64_t without; /* callers, of those */
	bool in_kernel, in_user; /* some frame is there */
	bool user_only; /* some event has no samples in the kernel */
	bool by_copies; /* perf script --header says --call-graph dwarf */
	bool is_usual; /* chains that have frames need only be counted */
	bool is_recording; /* it says itself which chains are cut off */
	uint64_t full, above; /* chains of as many frames as are kept, and of more */
};

/* ---- the run */

struct perf {
	struct fg_sink *sink;
	const struct perf_options *options;
	const struct fg_samples_options *samples;

	/* the sink's, which each frame needs */
	struct fg_stack *stack;
	struct fg_intern *names;
	struct fg_tally *tally;
	struct fg_place *at;
	struct fg_events *events;
	struct fg_diag *diag;

	perf_line_fn *line;
	perf_name_fn *name;

	/* what spans samples */
	struct perf_deferred *deferred;
	struct perf_offcpu *offcpu; /* NULL without --off-cpu */
	struct perf_wall *wall; /* NULL without --wall */
	struct perf_parallelism *parallelism; /* NULL if no option asks for it */
	uint64_t votes[2]; /* on the order of chains: leaf first, root first */
	uint64_t votes_before[2]; /* where this input starts */
	bool orders[2]; /* which of both some input has */
	bool caller_first; /* stacks are reversed, as chains came root first */
	bool was_caller_first; /* they were, in slices that are written */
	bool no_parameters; /* C++ functions are printed without them */
	struct perf_oversized oversized;
	struct perf_recorded recorded;
	struct perf_callers callers;
	bool names_ended; /* threads that have ended keep their command */
	uint64_t source_line; /* where the last source line is; 0: there was none */
	bool any_blank; /* a blank line ended a sample: chains were to be printed */
	struct fg_addr2line *addr2line; /* NULL without --inline */
	struct perf_inlined *inlined; /* the same */
	uint64_t *room; /* the sink's, for inlined functions */

	/* what was worked out before */
	struct perf_header_memo headers;
	struct perf_comms commands;
	struct fg_memo memo;
	struct fg_runs runs;
	struct perf_unknown unknown;
	struct perf_by_dso by_dso;

	/* the sample that is open */
	struct perf_sample sample;
	struct perf_sample_texts texts;
	enum perf_fast fast;
	struct perf_srclines srclines;

	/* room for work */
	struct perf_ids run; /* the ids that `name` is making */
	struct fg_buf scratch; /* for the text of a name */
	struct fg_buf key; /* for the text of a memo entry */
};

#endif
