/*
 * The open sample: its start, its frames, its end.
 *
 * The readers of text (lines.c) and of recordings (recording.c) call these functions in
 * this order:
 *
 *     perf_sample_open(p, &header, line);
 *     perf_sample_add_frame(p, &frame);       for each frame, leaf first
 *     perf_sample_close(p, PERF_NEXT_LINE);
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SAMPLE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SAMPLE_H

#include "collapse/formats/perf/text/state.h"

struct perf_task;

/* Opens the sample of a header line. Closes the sample before it. */
void perf_sample_open(struct perf *p, struct perf_header *h, struct fg_str line);

/* Opens a record with the user frames of earlier samples that have this cookie. */
void perf_sample_open_user_frames(struct perf *p, uint64_t cookie);

/* Opens a sample with no frames, roots or weight yet. Closes the sample before it. */
void perf_sample_start(struct perf *p, enum perf_start start);

/* Adds the next frame. Only its address and the text after it need be set. */
void perf_sample_add_frame(struct perf *p, struct perf_frame *f);

/* Adds the frame on the header line, if the sample has no other frame so far. */
void perf_sample_use_flat_frame(struct perf *p);

/* Adds a row of --fields +srcline, "  file.c:12", to the frame above it. */
void perf_sample_add_source_line(struct perf *p, struct fg_str line);

/* The input after a sample. */
enum perf_next {
	PERF_NEXT_LINE,
	PERF_NEXT_END,
	PERF_NEXT_CUT, /* the input ends within the sample */
};

/* Closes the open sample, if there is one: counts it, or counts it as left out. */
void perf_sample_close(struct perf *p, enum perf_next next);

/* Decides if frames of the usual shape may take the fast path from here on. */
void perf_sample_choose_fast_path(struct perf *p);

/* Passes a record about a thread to the options that follow threads, like --wall. */
void perf_sample_see_task(struct perf *p, const struct perf_task *task);

#endif
