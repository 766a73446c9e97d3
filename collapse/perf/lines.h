/*
 * Lines, from blocks to what each means for the sample that is open.
 */
#ifndef FG_COLLAPSE_PERF_LINES_H
#define FG_COLLAPSE_PERF_LINES_H

#include "collapse/perf/memo.h"
#include "lib/reader.h"

struct perf;

/* ---- block.c */

/* What becomes of the frame lines that follow. */
enum perf_fast {
	PERF_FAST_NONE, /* they go to the line function */
	PERF_FAST_KEEP, /* those of the usual shape are frames of the sample */
	PERF_FAST_SKIP, /* those of the usual shape do not matter */
};

/* The last frame without a symbol. */
struct perf_unknown {
	char line[FG_READER_PADDING]; /* from the symbol on, '\n' and all */
	size_t len; /* 0: there was none */
	struct fg_memo_value value;
};

/* Reads whole lines; the byte after them is '\n' if they do not end in one. */
void perf_block(struct perf *p, struct fg_str bytes);

/* ---- lines.c: the default behaviour, without --compat=perl */

/* What a line without '\n' means. A perf_line_fn. */
void perf_lines_line(struct perf *p, struct fg_str line);

/* Whether the line is a header with a time stamp. */
bool perf_lines_start(struct fg_str line);

/* The end of one input; `cut` is the line that it ends within, if it does. */
void perf_lines_end_of_input(struct perf *p, struct fg_str cut);

#endif
