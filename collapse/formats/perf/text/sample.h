/*
 * The sample that is open: its start, its frames, its end.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SAMPLE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SAMPLE_H

#include "collapse/formats/perf/text/state.h"

struct perf_task;

/* How the input goes on behind a sample. */
enum perf_next { PERF_NEXT_LINE, PERF_NEXT_END, PERF_NEXT_CUT /* within it */ };

/* Closes what is open, if anything is: counts it, or what became of it. */
void perf_sample_close(struct perf *p, enum perf_next next);

/* Opens an empty sample; what is open is closed. */
void perf_sample_start(struct perf *p, enum perf_start start);

/* Opens the sample of a header, or the user frames that samples of a cookie need. */
void perf_sample_open(struct perf *p, struct perf_header *h, struct fg_str line);
void perf_sample_open_user_frames(struct perf *p, uint64_t cookie);

/* Passes a record, which is no sample, to the options that follow threads. */
void perf_sample_see_task(struct perf *p, const struct perf_task *task);

/*
 * Stacks are in the order that most chains had so far: root first where [call-graph]
 * order = caller makes perf print them so.
 */
void perf_sample_settle_order(struct perf *p);

/* Lets frames of the usual shape take the fast path, where that is the same. */
void perf_sample_choose_fast_path(struct perf *p);

/* The next frame, of which only address and rest are set. */
void perf_sample_add_frame(struct perf *p, struct perf_frame *f);

/* The frame on the header line is the sample's, where there is no other. */
void perf_sample_use_flat_frame(struct perf *p);

/* A row of --fields +srcline, "  file.c:12", below its frame. */
void perf_sample_add_source_line(struct perf *p, struct fg_str line);

#endif
