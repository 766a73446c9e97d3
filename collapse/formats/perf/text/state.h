/*
 * The state of a run that reads the output of perf script. Private to this folder.
 *
 * The text comes in blocks of lines (block.h). Each line does something to the open
 * sample, p->sample:
 *
 *     app 4242/4243 [003] 100.000001:  250000 cycles:u:
 *
 * opens it: perf_sample_open() decides if the options keep it (its fate), and what its
 * weight and its root frames are.
 *
 *             7f1a2b3c4d5e do_work+0x1e (/usr/bin/app)
 *             55d0c0ffee00 main+0x2b (/usr/bin/app)
 *
 * are its frames, leaf first. p->name turns a symbol into names of frames once; from
 * then on the memo has their ids, which go to p->stack. A blank line or the next header
 * closes the sample: perf_sample_close() hands p->stack to the sink, which counts it.
 * With --off-cpu and --wall it is handed to offcpu.c or wall.c instead, which count it
 * when they know how long the thread waited or ran.
 *
 * Nearly all lines are frames of one shape, and p->fast says what the fast path of
 * block.c does with them. All other lines go to p->line.
 *
 * A recording, perf.data, calls the same functions of sample.h (recording.c).
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
#include "lib/base/map.h"
#include "lib/base/reader.h"

struct perf;
struct perf_deferred;
struct perf_inlined;
struct perf_offcpu;
struct perf_parallelism;
struct perf_wall;

/* Handles one line, without '\n'. */
typedef void perf_line_fn(struct perf *p, struct fg_str line);

/* Works out the frames of a symbol and adds them to p->run, root first. */
typedef void perf_name_fn(struct perf *p, const struct perf_frame *f, unsigned variant);

/* ---- names that were worked out before */

/* Bits of a memo key: the frames of a symbol depend on these, too. */
enum perf_variant {
	PERF_VARIANT_JAVA = 1, /* the comm starts with "java" */
	PERF_VARIANT_KERNEL = 2, /* mark the name with _[k] */
	PERF_VARIANT_JIT = 4, /* mark the name with _[j] */
	PERF_VARIANT_RECORDED =
		8, /* from perf.data: no perf script changed the symbol */
	PERF_VARIANT_ELF = 16, /* perf script may have changed it (elfname.h) */
	PERF_VARIANT_INLINED = 32, /* an inlined function: printed without its class */
};

/* Flags of a memo value, besides FG_MEMO_RUN. */
enum perf_memo_flag {
	/* the value's id is not a frame but an index in perf_by_dso.last */
	PERF_MEMO_BY_DSO = 2,
	PERF_MEMO_ENTRY = 4, /* threads or programs start in this function */
	PERF_MEMO_CLONE = 8, /* this is clone(), which the parent thread calls, too */
	PERF_MEMO_UNNAMED = 16, /* there is no symbol */
};

/* A list of frame ids. A zeroed struct is empty; free `items` in the end. */
struct perf_ids {
	uint32_t *items;
	size_t count;
	size_t alloc;
};

/* The DSO in which a symbol was seen last, and its frames there. */
struct perf_in_dso {
	uint32_t dso;
	struct fg_memo_value value;
};

/* Frames of symbols that have other names in another DSO, like "[unknown]". */
struct perf_by_dso {
	struct fg_intern dsos;
	struct perf_in_dso *last; /* indexed by the symbol's id in the memo */
	size_t count;
	size_t last_alloc;
	struct fg_map pairs; /* a symbol's id and a DSO's id -> index in `values` */
	struct fg_memo_value *values;
	size_t values_alloc;
};

/* The last frame line without a symbol. Most such lines come several times in a row. */
struct perf_unknown {
	/* the text from the symbol to the '\n', included */
	char line[FG_READER_PADDING];
	size_t len; /* 0 if there was no such line */
	struct fg_memo_value value;
};

/* ---- the open sample */

/* A thread that leaves its CPU, as a sample of sched:sched_switch says. */
struct perf_leaving {
	uint64_t pid; /* the thread's number in the kernel */
	uint64_t tid; /* its number in perf's pid namespace; 0 if unknown */
	uint64_t time;
	bool timed; /* `time` is known */
};

/* The part of the open sample that the reader has reached. */
enum perf_stage {
	PERF_BETWEEN, /* no sample is open */
	/* after a line without a time that may be a header: frames must follow */
	PERF_UNDECIDED,
	PERF_OPEN, /* after a header or a frame */
	PERF_TAIL, /* after registers or the like, which perf prints below a chain */
	PERF_STAGES,
};

/* The kind of line that opened the sample. */
enum perf_start { PERF_TIMED_HEADER, PERF_UNTIMED_HEADER, PERF_NO_HEADER };

/* The fate of the sample, as far as we know it: counted, left out or dropped. */
enum perf_fate {
	PERF_KEPT,
	PERF_OTHER_EVENT, /* left out: its event is not wanted */
	PERF_DESELECTED, /* left out by other options */
	PERF_UNWEIGHTED, /* dropped: it lacks the field that --weight names */
};

/* A frame on the header line. It is only used if no line with a frame follows. */
enum perf_flat { PERF_FLAT_NONE, PERF_FLAT_NOTED, PERF_FLAT_USED };

/*
 * The place of the user frames. They may come in a later record with the same cookie
 * (deferred.h).
 */
enum perf_user_frames {
	PERF_USER_HERE,
	PERF_USER_LATER, /* the sample waits for its user frames */
	/* this is no sample but a record with the user frames that samples wait for */
	PERF_USER_ONLY,
};

/* A frame at an end of a chain, by which we tell the chain's order. */
struct perf_end_frame {
	bool kernel; /* its address is in the kernel */
	uint8_t flags; /* enum perf_memo_flag */
};

/* The sample whose lines are being read. */
struct perf_sample {
	enum perf_stage stage;
	enum perf_start start;
	enum perf_fate fate;
	enum perf_flat flat;
	enum perf_user_frames user_frames;
	bool column_0; /* its header line is not indented */
	/* `column_0` is set, and nothing follows the event in the header line */
	bool is_bare;
	bool malformed; /* a part of its header was not understood */
	bool in_quotes; /* a string in its payload continues in the next line */
	bool in_record; /* the line before was a record, like PERF_RECORD_MMAP2 */
	bool indented; /* its first frame line started with a tab */
	unsigned variant; /* PERF_VARIANT_JAVA, PERF_VARIANT_RECORDED */
	uint64_t line; /* the number of the header line */
	uint64_t weight;
	/* when the wait that the sample counts ended; 0 if it counts no wait */
	uint64_t until;
	uint64_t frames; /* the number of frame lines so far */
	uint64_t source_of; /* value of `frames` at the last source line */
	uint64_t cookie; /* not set if user_frames is PERF_USER_HERE */
	struct perf_leaving leaving; /* with --off-cpu */
	struct fg_roots roots;
	struct fg_memo_value perl_root; /* --compat=perl: the comm */
	struct perf_frame flat_frame; /* not set if flat is PERF_FLAT_NONE */
	struct perf_end_frame first, second, last;
};

/* Makes `frame`, the frame at `index`, the last one of the sample so far. */
static inline void perf_sample_note_frame(struct perf_sample *s, uint64_t index,
					  struct perf_end_frame frame)
{
	if (index == 0)
		s->first = frame;
	else if (index == 1)
		s->second = frame;
	s->last = frame;
}

/* Copies of text that the open sample needs after its header line is gone. */
struct perf_sample_texts {
	struct fg_buf flat; /* the text that flat_frame borrows */
	struct fg_buf event; /* the event of a header without a time */
	/* the line of such a header, to report it if no frame follows */
	struct fg_buf header;
};

/* Tells the fast path what to do with frame lines of the usual shape. */
enum perf_fast {
	PERF_FAST_NONE, /* leaves them to p->line */
	PERF_FAST_KEEP, /* adds them to the open sample */
	PERF_FAST_SKIP, /* skips them */
};

/* ---- things noted over many samples, for warnings */

/* Periods that are too large to be true. */
struct perf_oversized {
	uint64_t count;
	uint64_t first; /* the first such period */
	struct fg_place place; /* the line that it is on */
};

/* --compat=perl --srcline: source lines that are still to come. */
struct perf_srclines {
	unsigned due;
	/* index in p->run of the frame that the next source line belongs to */
	size_t next;
};

/* Facts about the chains so far, to find out if callers are missing (callers.h). */
struct perf_callers {
	uint64_t samples; /* samples that should have a chain */
	uint64_t without; /* samples that should have a chain but lack callers */
	bool in_kernel, in_user; /* some frame was in the kernel, some in user space */
	bool user_only; /* some event has no samples in the kernel */
	bool by_copies; /* perf script --header says --call-graph dwarf */
	bool is_usual; /* the chains are as usual, so only `samples` is still counted */
	/* the input is perf.data, whose reader knows itself which chains are cut off */
	bool is_recording;
	uint64_t full,
		/*
		 * numbers of chains with exactly FG_PD_CHAIN_MAX frames, and with more
		 */
		above;
};

/*
 * The order of chains (order.h). Index 0 is for chains that are leaf first, 1 for root
 * first.
 */
struct perf_chain_order {
	uint64_t votes[2]; /* in the whole run */
	uint64_t votes_before[2]; /* in earlier inputs */
	bool in_inputs[2]; /* in some input, most chains had this order */
	bool is_reversed; /* the sink reverses stacks now */
	bool was_reversed; /* the sink has written a slice with reversed stacks */
};

/* ---- the run */

struct perf {
	struct fg_sink *sink;
	const struct perf_options *options;
	const struct fg_samples_options *samples;

	/* parts of the sink that each frame needs */
	struct fg_stack *stack;
	struct fg_intern *names;
	struct fg_tally *tally;
	struct fg_place *at;
	struct fg_events *events;
	struct fg_diag *diag;

	/* our own behaviour, or that of the Perl script (compat.c) */
	perf_line_fn *line;
	perf_name_fn *name;

	/* the open sample */
	struct perf_sample sample;
	struct perf_sample_texts texts;
	enum perf_fast fast;
	struct perf_srclines srclines;

	/* names that were worked out before */
	struct perf_header_memo headers;
	struct perf_comms comms;
	struct fg_memo memo;
	struct fg_runs runs; /* for values of the memo and of by_dso */
	struct perf_unknown unknown;
	struct perf_by_dso by_dso;

	/* parts for options, NULL without them */
	struct perf_offcpu *offcpu; /* --off-cpu */
	struct perf_wall *wall; /* --wall */
	struct perf_parallelism *parallelism; /* --weight latency, --root parallelism */
	struct fg_lookup *lookup; /* --inline, --lines */
	struct perf_inlined *inlined; /* --inline, --lines */

	/* things that span samples */
	struct perf_deferred *deferred;
	struct perf_chain_order order;
	struct perf_oversized oversized;
	struct perf_recorded recorded;
	struct perf_callers callers;
	bool names_ended; /* give samples of ended threads their command (comms.h) */
	bool no_parameters; /* this perf script prints C++ functions without them */
	bool any_blank; /* a blank line ended a sample, so samples have chains */
	uint64_t source_line; /* the number of the last source line, or 0 */
	/*
	 * the number of inlined functions that the sink still allows; points into the
	 * sink
	 */
	uint64_t *inlined_left;

	/* scratch */
	struct perf_ids run; /* the frames that p->name has made so far */
	struct fg_buf scratch; /* the text of a name */
	/* names joined with ';', like those of a lookup or of the Perl script */
	struct fg_buf key;
};

#endif
