/*
 * The sample that is open: its start, its frames, its end.
 */
#ifndef FG_COLLAPSE_PERF_SAMPLE_H
#define FG_COLLAPSE_PERF_SAMPLE_H

#include "collapse/perf/frame.h"
#include "collapse/perf/header.h"
#include "collapse/perf/memo.h"
#include "collapse/perf/offcpu.h"
#include "collapse/sink.h"

struct perf;

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
	bool odd; /* its header was not understood as a whole */
	bool in_quotes; /* a string in its payload goes on in the next line */
	bool indented; /* its first frame line started with a tab */
	unsigned variant; /* PERF_VARIANT_JAVA or 0 */
	uint64_t line; /* of the header */
	uint64_t weight;
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

/* How the input goes on behind a sample. */
enum perf_next { PERF_NEXT_LINE, PERF_NEXT_END, PERF_NEXT_CUT /* within it */ };

/* Closes what is open, if anything is: counts it, or what became of it. */
void perf_sample_close(struct perf *p, enum perf_next next);

/* Opens an empty sample; what is open is closed. */
void perf_sample_start(struct perf *p, enum perf_start start);

/* Opens the sample of a header, or the user frames that samples of a cookie need. */
void perf_sample_open(struct perf *p, struct perf_header *h, struct fg_str line);
void perf_sample_open_user_frames(struct perf *p, uint64_t cookie);

/* Lets frames of the usual shape take the fast path, where that is the same. */
void perf_sample_choose_fast_path(struct perf *p);

/* The next frame, of which only address and rest are set. */
void perf_sample_add_frame(struct perf *p, struct perf_frame *f);

/* The frame on the header line is the sample's, where there is no other. */
void perf_sample_use_flat_frame(struct perf *p);

/* A row of --fields +srcline, "  file.c:12", below its frame. */
void perf_sample_add_source_line(struct perf *p, struct fg_str line);

#endif
